"""A model file run on this computer: looked at, loaded into a process of its own, and spoken to there."""
