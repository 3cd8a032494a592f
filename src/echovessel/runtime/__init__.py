"""The running program: wiring, loops, the daemon, and the command line."""
