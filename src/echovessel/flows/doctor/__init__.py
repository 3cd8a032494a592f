"""The doctor: is everything in order, and if not, what to do."""

from echovessel.flows.doctor.old import HomeFacts, examine, from_error, look_at_home

__all__ = ["HomeFacts", "examine", "from_error", "look_at_home"]
