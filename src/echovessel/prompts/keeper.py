"""The keeper: what is said when no model can speak. By rule, so that it is the same every time and works unplugged.

It says that it is a program, what is missing and how to put it right (in full once in a stretch, then in one line), brings back
what fits with its date and speaker, and never speaks as the persona.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from echovessel.core.ids import MessageId
from echovessel.core.talk import Message, Speaker, Trouble
from echovessel.core.text import estimate_tokens, tokens
from echovessel.prompts.catalog import Catalog, language_of
from echovessel.prompts.history import counts_as_speech
from echovessel.prompts.material import ReplyMaterial
from echovessel.prompts.when import ago, local
from echovessel.prompts.wording import Wording, wording

KEEPER = "keeper@1"

_TEMPLATE = "keeper"
_STRETCH = timedelta(hours=6)
_SHORT_LINES = 3
_MOST_RECALLED = 3
_LONGEST_QUOTE = 160
_FEW_WORDS = 5
"""Estimated tokens."""
_SENTENCE = re.compile(r"[^\u3002\uff01\uff1f!?.\n]+[\u3002\uff01\uff1f!?.]*")
_QUESTION = re.compile(r"[?\uff1f]\s*$|吗\W*$")
_ENDING = 64
"""Characters of a message's end in which a question shows."""


def answer(material: ReplyMaterial, catalog: Catalog, *, why: Trouble | None = None) -> str:
    """What the keeper says to the burst: without a model, or with `why` when the model could not answer."""
    words = wording(_TEMPLATE, material, catalog, language_of(_said(material), material.user.locale))
    honest = words.part("asks_if_ai") if material.asks_if_ai else ""
    if material.care:
        said = [honest, words.part("care")]
    elif why is not None:
        said = [honest, _trouble(why, words), _recalled(material, words)]
    elif not _spoke_lately(material.history, material.now):
        said = [honest, words.part("full"), _recalled(material, words)]
    else:
        said = [honest] if honest else [_recalled(material, words), _short(material.history, words)]
    return "\n\n".join(paragraph for paragraph in said if paragraph)


def quoted(material: ReplyMaterial) -> tuple[MessageId, ...]:
    """The messages whose words `answer` may repeat; given none of `remembered`, it repeats none."""
    return tuple(message.id for message in _telling(material, set(tokens(_said(material)))))


def _said(material: ReplyMaterial) -> str:
    return "\n".join(m.text for m in material.burst)


def _trouble(why: Trouble, words: Wording) -> str:
    clause = f"why_{why.code.replace('-', '_')}"
    known = clause if clause in words.template.parts else "why_other"
    return words.part("down", clause=words.part(known))


def _short(history: Sequence[Message], words: Wording) -> str:
    """One of the short lines, another one each time."""
    spoken = sum(message.made_by.startswith("keeper@") for message in history)
    return words.part(f"short_{spoken % _SHORT_LINES + 1}")


def _spoke_lately(history: Sequence[Message], now: datetime) -> bool:
    """Whether the keeper has spoken within the last hours and no model since."""
    for message in reversed(history):
        if now - message.sent_at > _STRETCH or message.made_by.startswith("reply@"):
            return False
        if message.made_by.startswith("keeper@"):
            return True
    return False


def _recalled(material: ReplyMaterial, words: Wording) -> str:
    """One line for each of the best passages: its message that says most about the burst; empty when there is none."""
    asked = set(tokens(_said(material)))
    lines: list[str] = []
    for message in _telling(material, asked):
        said_at = local(message.sent_at, message.zone)
        when = ago(said_at, local(material.now, words.zone), words.locale)
        part = "recalled_user" if message.speaker is Speaker.USER else "recalled_persona"
        line = words.part(part, when=when, text=_excerpt(message.text, asked))
        if line not in lines:
            lines.append(line)
    return "\n".join([words.part("recalled"), *lines[:_MOST_RECALLED]]) if lines else ""


def _telling(material: ReplyMaterial, asked: set[str]) -> Iterator[Message]:
    said = {m.text.strip() for m in material.burst}
    for passage in material.remembered:
        tells = [m for m in passage if _tells_something(m, asked) and m.text.strip() not in said]
        if tells:
            yield max(tells, key=lambda m: (_shared(m.text, asked), m.speaker is Speaker.USER))


def _tells_something(message: Message, asked: set[str]) -> bool:
    """Not the keeper's own words, a greeting, a question, or a few words about something else."""
    if not counts_as_speech(message) or message.made_by == "card" or _QUESTION.search(message.text[-_ENDING:]):
        return False
    return estimate_tokens(message.text) >= _FEW_WORDS or _shared(message.text, asked) > 0


def _shared(text: str, asked: set[str]) -> int:
    return len(asked.intersection(tokens(text)))


def _excerpt(text: str, asked: set[str]) -> str:
    """The text on one line; of a long one, the sentence that says most about what was asked."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST_QUOTE:
        return line
    best = max(_SENTENCE.findall(line), key=lambda s: _shared(s, asked), default=line).strip()
    return f"…{best[:_LONGEST_QUOTE]}…"
