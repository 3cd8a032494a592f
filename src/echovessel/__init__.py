"""EchoVessel: a digital persona engine that remembers, on your own computer."""

__version__ = "0.1.0"
