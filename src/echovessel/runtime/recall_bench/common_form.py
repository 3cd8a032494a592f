"""Sets in the common form: `NAME.conversations.jsonl` and `NAME.questions.jsonl`, one object a line.

    {"conv_id", "lang"?, "sessions": [{"session_id", "turns": [{"turn_id", "speaker", "at", "text"}]}]}
    {"conv_id", "question", "category", "asked_at", "headline", "evidence": [[turn_id, …], …]}

A time that names no zone is UTC.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from echovessel.flows.ingest import PERSONA_NAMES
from echovessel.runtime.output import note
from echovessel.runtime.recall_bench.data import Question, RecallSet, Told, unreadable

CONVERSATIONS = ".conversations.jsonl"
QUESTIONS = ".questions.jsonl"


def names(folder: Path) -> list[str]:
    """The sets that lie in a folder."""
    found = (path.name.removesuffix(CONVERSATIONS) for path in folder.glob(f"*{CONVERSATIONS}"))
    return sorted(name for name in found if (folder / f"{name}{QUESTIONS}").is_file())


def read(folder: Path, name: str) -> RecallSet:
    """Read a set. BadInput names the file and the line that is not what it must be."""
    languages: dict[str, str] = {}
    conversations: dict[str, Told] = {}
    for path, number, row in _rows(folder / f"{name}{CONVERSATIONS}"):
        try:
            told = _told(row)
        except _NOT_THE_FORM as cause:
            raise unreadable(path, number, f"no conversation in the common form ({cause!r})") from cause
        conversations[told.conv_id] = told
        languages[told.conv_id] = str(row.get("lang", ""))
    questions = tuple(
        _question(path, number, row, conversations, languages)
        for path, number, row in _rows(folder / f"{name}{QUESTIONS}")
    )
    return RecallSet(name=name, conversations=tuple(conversations.values()), questions=questions)


_NOT_THE_FORM = (KeyError, TypeError, ValueError, AttributeError, IndexError)


def _rows(path: Path) -> Iterator[tuple[Path, int, dict[str, Any]]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line)
            except ValueError as cause:
                raise unreadable(path, number, "it is not JSON") from cause
            if not isinstance(row, dict):
                raise unreadable(path, number, "it is not an object")
            yield path, number, row


def _told(row: dict[str, Any]) -> Told:
    turns = [(str(session["session_id"]), turn) for session in row["sessions"] for turn in session["turns"]]
    speakers = list(dict.fromkeys(str(turn["speaker"]) for _, turn in turns))
    if not speakers:
        raise ValueError("nobody says anything")
    me = next((name for name in speakers if name.casefold() not in PERSONA_NAMES), speakers[0])
    others = [name for name in speakers if name != me]
    if len(others) > 1:
        _seat(turns, me, others[0])
    conv_id = str(row["conv_id"])
    return Told(
        conv_id=conv_id,
        line=json.dumps(row, ensure_ascii=False),
        person=conv_id,
        me=me,
        other=others[0] if others else "",
        session_of={str(turn["turn_id"]): session for session, turn in turns},
        said_at={str(turn["turn_id"]): _instant(turn["at"]) for _, turn in turns},
        own_lines=tuple(str(turn["text"]) for _, turn in turns if turn["speaker"] == me),
    )


def _seat(turns: list[tuple[str, dict[str, Any]]], me: str, other: str) -> None:
    """Of a talk among many, a history has room for two: the rest speak through the second, their names before their words."""
    for _, turn in turns:
        if turn["speaker"] not in (me, other):
            turn["text"] = f"{turn['speaker']}: {turn['text']}"
            turn["speaker"] = other


def _question(
    path: Path, number: int, row: dict[str, Any], known: Mapping[str, Told], languages: Mapping[str, str]
) -> Question:
    """A question; evidence that is in no conversation counts as not found, and is told."""
    try:
        question = Question(
            conv_id=str(row["conv_id"]),
            text=row["question"],
            category=row["category"],
            lang=languages[str(row["conv_id"])],
            asked_at=_instant(row["asked_at"]),
            headline=bool(row["headline"]),
            evidence=tuple(frozenset(map(str, group)) for group in row["evidence"]),
        )
    except _NOT_THE_FORM as cause:
        raise unreadable(path, number, f"no question about one of its conversations ({cause!r})") from cause
    turns = known[question.conv_id].said_at.keys()
    if strange := sorted(turn for group in question.evidence for turn in group if turn not in turns):
        note(f"{path.name}, line {number}: there is no turn {', '.join(strange)}; it counts as not found.")
    return question


def _instant(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
