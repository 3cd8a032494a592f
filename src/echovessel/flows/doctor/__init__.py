"""The doctor: is everything in order, and if not, what to do.

It looks at the home from outside (facts gathered by whoever asks), and at the running vessel through its ports.
"""

from echovessel.flows.doctor.daemon import (
    OwnerFacts,
    look_at_address,
    look_at_owner,
    look_at_settings,
    what_keeps_it_from_starting,
)
from echovessel.flows.doctor.examine import examine
from echovessel.flows.doctor.home import HomeFacts, Token, look_at_home

__all__ = [
    "HomeFacts",
    "OwnerFacts",
    "Token",
    "examine",
    "look_at_address",
    "look_at_home",
    "look_at_owner",
    "look_at_settings",
    "what_keeps_it_from_starting",
]
