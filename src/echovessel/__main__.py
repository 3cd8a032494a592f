"""`python -m echovessel` is the command `echovessel`."""

from echovessel.runtime.cli import main

main()
