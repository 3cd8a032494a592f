"""`python -m echovessel` is the command `echovessel`."""

from echovessel.runtime.cli import main

if __name__ == "__main__":
    main()
