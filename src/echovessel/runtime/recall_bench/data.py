"""What a measurement of recall is made on: conversations, and questions with their evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from echovessel.core.errors import BadInput
from echovessel.core.talk import Speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A conversation. `line` is what is imported, in which `me` is the user and `other` the persona (empty: nobody).

    Conversations with the same `person` are those of one user with several personas. `zone`: where the user is; `locale`: the
    user's language. `session_of` and `said_at` (aware) are by turn id; `own_lines`: what the user said.
    """

    conv_id: str
    line: str
    person: str
    me: str
    other: str
    zone: str = "UTC"
    locale: str = "en"
    session_of: Mapping[str, str]
    said_at: Mapping[str, datetime]
    own_lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, or a line of live talk, and its evidence: groups of turn ids, of which any one of a group will do; without
    a group, nothing should come to mind.

    `context`: what was said in the live talk just before it. `headline`: it counts in the averages a retriever is judged by.
    """

    conv_id: str
    text: str
    category: str
    lang: str = ""
    asked_at: datetime
    headline: bool
    context: tuple[tuple[Speaker, str], ...] = ()
    evidence: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSet:
    """All of one set."""

    name: str
    conversations: tuple[Told, ...]
    questions: tuple[Question, ...]


def unreadable(path: Path, line: int, why: str) -> BadInput:
    """What is wrong with a line of a set's file."""
    return BadInput(f"{path.name}, line {line}: {why}.", field="set", do="Repair the file.")
