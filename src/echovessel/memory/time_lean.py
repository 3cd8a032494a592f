"""Where a text looks, by its tenses: "in March" is the last one in "what did we do", the next one in "we will go"."""

import re

from echovessel.memory.time_span import Lean

_FUTURE = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|plan(?:ning|s)?|see you|upcoming|coming up|can't wait|looking forward|hope to|"
    r"about to)\b|'ll\b|将|打算|准备|计划[去在着做]|[就快]要|要[去来在做办过回参]|想去|会[去来在]|等到|即将|期待"
)
_PAST = re.compile(
    r"\b(?:did|didn't|was|wasn't|were|weren't|had|went|ago|got|came|made|took|saw|met|told|said|bought|ate|used to|"
    r"\w+[^e\W]ed)\b|了|[去来见吃看听说做学买到走住用玩试写聊提问想识]过|当时|那时|曾|上次|以前|之前|时候我?在|来着"
)


def lean(text: str) -> Lean:
    """The direction in which a folded text looks; none when it looks both ways or neither."""
    past, future = _PAST.search(text) is not None, _FUTURE.search(text) is not None
    return Lean(future - past)
