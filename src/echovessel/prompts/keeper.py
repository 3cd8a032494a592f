"""The keeper: what is said when no model can speak. By rule, so that it is the same every time and works unplugged.

It says that it is a program, what is missing and how to put it right (in full once in a stretch, then in one line), brings back
what fits with its date and speaker, and never speaks as the persona.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from echovessel.core.talk import Message, Speaker, Trouble
from echovessel.core.text import tokens
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
_SENTENCE = re.compile(r"[^。!?!?.\n]+[。!?!?.]*")
_QUESTION = re.compile(r"[?\uff1f]\s*$|吗\W*$")


def answer(material: ReplyMaterial, catalog: Catalog, *, why: Trouble | None = None) -> str:
    """What the keeper says to the burst: without a model, or with `why` when the model could not answer."""
    words = wording(_TEMPLATE, material, catalog, language_of(_said(material), material.user.locale))
    paragraphs: list[str] = []
    if material.asks_if_ai:
        paragraphs.append(words.part("asks_if_ai"))
    if material.care:
        return "\n\n".join([*paragraphs, words.part("care")])
    paragraphs.append(_state(material, why, words))
    if recalled := _recalled(material, words):
        paragraphs.append("\n".join([words.part("recalled"), *recalled]))
    return "\n\n".join(paragraphs)


def _said(material: ReplyMaterial) -> str:
    return "\n".join(m.text for m in material.burst)


def _state(material: ReplyMaterial, why: Trouble | None, words: Wording) -> str:
    if why is not None:
        clause = f"why_{why.code.replace('-', '_')}"
        known = clause if clause in words.template.parts else "why_other"
        return words.part("down", clause=words.part(known))
    before = _times_in_stretch(material.history, material.now)
    return words.part(f"short_{(before - 1) % _SHORT_LINES + 1}") if before else words.part("full")


def _times_in_stretch(history: Sequence[Message], now: datetime) -> int:
    """How often the keeper spoke lately, since a model last did."""
    count = 0
    for message in reversed(history):
        if now - message.sent_at > _STRETCH or message.made_by.startswith("reply@"):
            break
        count += message.made_by.startswith("keeper@")
    return count


def _recalled(material: ReplyMaterial, words: Wording) -> list[str]:
    """One line for each of the best passages: its message that says most about the burst."""
    asked = set(tokens(_said(material)))
    lines: list[str] = []
    for message in _telling(material, asked):
        said_at = local(message.sent_at, message.zone)
        when = ago(said_at, local(material.now, words.zone), words.locale)
        part = "recalled_user" if message.speaker is Speaker.USER else "recalled_persona"
        line = words.part(part, when=when, text=_excerpt(message.text, asked))
        if line not in lines:
            lines.append(line)
    return lines[:_MOST_RECALLED]


def _telling(material: ReplyMaterial, asked: set[str]) -> Iterator[Message]:
    burst = {m.id for m in material.burst}
    repeated = {m.text.strip() for m in material.burst}
    for passage in material.remembered:
        tells = [
            m
            for m in passage
            if counts_as_speech(m) and m.made_by != "card" and m.id not in burst and not _is_idle(m.text, repeated)
        ]
        if tells:
            yield max(tells, key=lambda m: (len(asked.intersection(tokens(m.text))), m.speaker is Speaker.USER))


def _is_idle(text: str, repeated: set[str]) -> bool:
    """Whether a text tells nothing: a question, or what was just said again."""
    return text.strip() in repeated or _QUESTION.search(text) is not None


def _excerpt(text: str, asked: set[str]) -> str:
    """The text on one line; of a long one, the sentence that says most about what was asked."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST_QUOTE:
        return line
    best = max(_SENTENCE.findall(line), key=lambda s: len(asked.intersection(tokens(s))), default=line).strip()
    return f"…{best[:_LONGEST_QUOTE]}…"
