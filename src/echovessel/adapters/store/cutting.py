"""Long texts are cut into tokens before anything is locked: a hundred thousand characters take up to a second."""

from collections.abc import Mapping, Sequence

from echovessel.adapters.store.search import kept_tokens
from echovessel.ports.changes import Change, EditMessage, FinishTurn, HearMessage, ImportMessage, SayMessage

LONG = 1000
"""Characters from which on cutting a request's texts takes longer than handing them to another thread."""


def long_texts(changes: Sequence[Change]) -> Sequence[str]:
    """What the changes say; nothing when it is short altogether."""
    texts = [text for change in changes if (text := _said_by(change))]
    return texts if sum(map(len, texts)) >= LONG else ()


def cut(texts: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The tokens to be kept of each text, by the text."""
    return {text: kept_tokens(text) for text in texts}


def _said_by(change: Change) -> str:
    match change:
        case HearMessage() | SayMessage() | ImportMessage() | EditMessage():
            return change.text
        case FinishTurn():
            return change.reply.text if change.reply else ""
        case _:
            return ""
