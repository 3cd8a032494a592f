"""A folder of recall data: `NAME.conversations.jsonl` and `NAME.questions.jsonl`, one object a line."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from echovessel.core.errors import BadInput
from echovessel.flows.ingest import PERSONA_NAMES

_CONVERSATIONS = ".conversations.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A conversation. `line` is what is imported, in which `me` is the user and `other` the persona (empty: nobody).

    `session_of` and `said_at` are by turn id.
    """

    conv_id: str
    line: str
    me: str
    other: str
    session_of: Mapping[str, str]
    said_at: Mapping[str, datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and its evidence: groups of turn ids, of which any one of a group will do.

    `headline`: it counts in the averages a retriever is judged by.
    """

    conv_id: str
    text: str
    category: str
    asked_at: datetime
    headline: bool
    evidence: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class RecallSet:
    """All of one set."""

    conversations: tuple[Told, ...]
    questions: tuple[Question, ...]


def load(folder: Path, name: str) -> RecallSet:
    """Read a set. BadInput when there is none of that name, or a line is not what it must be."""
    conversations = folder / f"{name}{_CONVERSATIONS}"
    questions = folder / f"{name}.questions.jsonl"
    if not conversations.is_file() or not questions.is_file():
        names = sorted(path.name.removesuffix(_CONVERSATIONS) for path in folder.glob(f"*{_CONVERSATIONS}"))
        raise BadInput(
            f"{folder} has no set called {name}.",
            field="set",
            do=f"Name one of: {', '.join(names)}."
            if names
            else f"It must hold NAME{_CONVERSATIONS} and NAME.questions.jsonl.",
        )
    return RecallSet(
        tuple(_told(row) for row in _rows(conversations)), tuple(_question(row) for row in _rows(questions))
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield json.loads(line)
            except ValueError as cause:
                raise BadInput(
                    f"{path.name}, line {number} is not JSON.", field="set", do="Repair the file."
                ) from cause


def _told(row: dict[str, Any]) -> Told:
    turns = [(session["session_id"], turn) for session in row["sessions"] for turn in session["turns"]]
    speakers = list(dict.fromkeys(str(turn["speaker"]) for _, turn in turns))
    me = next((name for name in speakers if name.casefold() not in PERSONA_NAMES), speakers[0])
    others = [name for name in speakers if name != me]
    if len(others) > 1:
        _seat(turns, me, others[0])
    return Told(
        conv_id=str(row["conv_id"]),
        line=json.dumps(row, ensure_ascii=False),
        me=me,
        other=others[0] if others else "",
        session_of={str(turn["turn_id"]): str(session) for session, turn in turns},
        said_at={str(turn["turn_id"]): datetime.fromisoformat(turn["at"]) for _, turn in turns},
    )


def _seat(turns: list[tuple[Any, dict[str, Any]]], me: str, other: str) -> None:
    """Of a talk among many, a history has room for two: the rest speak through the second, their names before their words."""
    for _, turn in turns:
        if turn["speaker"] not in (me, other):
            turn["text"] = f"{turn['speaker']}: {turn['text']}"
            turn["speaker"] = other


def _question(row: dict[str, Any]) -> Question:
    return Question(
        conv_id=str(row["conv_id"]),
        text=row["question"],
        category=row["category"],
        asked_at=datetime.fromisoformat(row["asked_at"]),
        headline=bool(row["headline"]),
        evidence=tuple(frozenset(map(str, group)) for group in row["evidence"]),
    )
