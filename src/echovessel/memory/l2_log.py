"""L2 · log — "What exactly was said?"

Holds:    every message, verbatim
Written:  flows.front at receipt, flows.turn with each reply, flows.ingest for history from elsewhere
Read:     flows.turn: the talk so far, and verbatim recall of old details nobody extracted
May use:  core only; no clock, no store, no model
"""

import re
from datetime import timedelta

SESSION_GAP = timedelta(minutes=30)
"""After so long a silence, what follows belongs to another session."""

_QUESTION = re.compile(r"[?？]\W*$")
_ENDING = 64
"""How much of a message's end is looked at: a few signs may follow its question mark, not thousands."""


def is_question(text: str) -> bool:
    """Whether a message ends by asking: it rarely holds what someone will look for, its answer does."""
    return _QUESTION.search(text[-_ENDING:]) is not None
