"""Where a text looks, by its tenses: "in March" is the last one in "what did we do", the next one in "we will go".

The clause decides; when it has no tense, the sentence around it does, but less firmly: "定了，八月二号" says that a plan is
made.
"""

import re

from echovessel.memory.time_span import Lean

_FUTURE = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|plan(?:ning|s)?|see you|upcoming|coming up|can't wait|looking forward|hope to|"
    r"about to)\b|'ll\b|"
    r"将|打算|准备|计划[去在着做]|[就快]要|要[去来在做办过回参]|想去|会[去来在]|等到|即将|期待|[约定订排][了的在到]"
)
_PAST = re.compile(
    r"\b(?:did|didn't|was|wasn't|were|weren't|had|haven't|hasn't|went|ago|got|came|made|took|saw|met|told|said|bought|ate|"
    r"used to|\w+[^e\W]ed)\b|"
    r"(?<![约定订排])了|[去来见吃看听说做学买到走住用玩试写聊提问想识]过|当时|那时|那天|曾|上次|以前|之前|时候我?在|来着"
)
_WINDOW = 200
"""No tense is looked for further away, in characters."""
_CLAUSE_ENDS = re.compile(r"[,，。！？!?;；…\n]|\.(?=\s|$)")
_SENTENCE_ENDS = re.compile(r"[。！？!?…\n]|\.(?=\s|$)")


def lean(text: str) -> Lean:
    """The direction in which a folded text looks; none when it looks both ways or neither."""
    past, future = _PAST.search(text) is not None, _FUTURE.search(text) is not None
    return Lean(future - past)


def lean_at(text: str, place: int) -> Lean:
    """The direction in which a folded text looks at one of its places."""
    begin = max(0, place - _WINDOW)
    text, place = text[begin : place + _WINDOW], place - begin
    clause = lean(text[slice(*_bounds(_CLAUSE_ENDS, text, place))])
    if clause is not Lean.NONE:
        return clause
    begin, end = _bounds(_SENTENCE_ENDS, text, place)
    sentence = lean(text[begin:end])
    is_question = text[end : end + 1] in {"?", "？"}
    return Lean.MAYBE_PAST if sentence is Lean.PAST and not is_question else sentence


def _bounds(ends: re.Pattern[str], text: str, place: int) -> tuple[int, int]:
    """Where the part around `place` begins and ends."""
    begin = max((found.end() for found in ends.finditer(text, 0, place)), default=0)
    after = ends.search(text, place)
    return begin, after.start() if after is not None else len(text)
