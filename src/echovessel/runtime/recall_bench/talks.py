"""Our own evaluation talks: `talks/NAME.txt`, a talk as it was said, and `questions/NAME.jsonl`, what is asked of it.

A talk begins with its header (`talk`, `languages`, `user`, `persona`, `zone`, `split`, `about`: a line each, with its value).
Then `== 2025-03-02 21:14` begins a session, in local time, and each message is a line: its number, `u` or `p` for who speaks,
the words. A question is an object a line:

    {"kind", "lang", "asked_at", "ask", "context": [["u" | "p", words], …], "evidence": [[number, …], …]}
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from echovessel.core.errors import BadInput
from echovessel.core.talk import Speaker
from echovessel.core.time import zone
from echovessel.runtime.recall_bench.data import unreadable

HEADER = ("talk", "languages", "user", "persona", "zone", "split", "about")
SPLITS = ("tune", "test")
BETWEEN_MESSAGES = timedelta(seconds=40)
"""How long after one message of a session the next one is said."""
TALKS = "talks"
QUESTIONS = "questions"

_SESSION = re.compile(r"== (\d{4}-\d\d-\d\d \d\d:\d\d)")
_MESSAGE = re.compile(r"(\d+) ([up]) (\S.*)")
_SPEAKERS = {"u": Speaker.USER, "p": Speaker.PERSONA}


@dataclass(frozen=True, slots=True)
class Line:
    """One message; `said_at` in the zone of the talk, `session` counts from 0."""

    number: int
    speaker: Speaker
    text: str
    said_at: datetime
    session: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question, or a line of talk, with the groups of message numbers that should come up; none means that nothing should."""

    kind: str
    lang: str
    asked_at: datetime
    text: str
    context: tuple[tuple[Speaker, str], ...]
    evidence: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """One talk with its questions; `header` holds what `HEADER` names."""

    header: Mapping[str, str]
    lines: tuple[Line, ...]
    asks: tuple[Ask, ...]


def talk_names(folder: Path) -> list[str]:
    """The talks that lie in a folder."""
    return sorted(path.stem for path in (folder / TALKS).glob("*.txt"))


def read_talk(folder: Path, name: str) -> Talk:
    """Read one talk. BadInput names the file and the line that is not as it must be."""
    path = folder / TALKS / f"{name}.txt"
    rows = _rows(path)
    header = dict(_header(rows[: len(HEADER)], path))
    _check_values(header, path)
    place = zone(header["zone"])
    lines = tuple(_lines(rows[len(HEADER) :], place, path))
    if not lines:
        raise unreadable(path, len(rows), "nobody says anything")
    return Talk(header, lines, tuple(_asks(folder / QUESTIONS / f"{name}.jsonl", place, len(lines))))


def _rows(path: Path) -> list[tuple[int, str]]:
    """The lines of a file with their numbers."""
    if not path.is_file():
        raise BadInput(f"{path} is missing.", field="set", do="Put it there: each talk has its questions.")
    try:
        return list(enumerate(path.read_text(encoding="utf-8").split("\n"), start=1))
    except UnicodeDecodeError as cause:
        raise BadInput(f"{path.name} is not UTF-8.", field="set", do="Save it as UTF-8.") from cause


def _header(rows: list[tuple[int, str]], path: Path) -> Iterator[tuple[str, str]]:
    for key, (number, text) in zip(HEADER, rows, strict=False):
        found, _, value = text.partition(" ")
        if found != key or not value.strip():
            raise unreadable(path, number, f"the header's `{key}` with its value belongs here")
        yield key, value.strip()
    if len(rows) < len(HEADER):
        raise unreadable(path, len(rows), "the header is not whole")


def _check_values(header: Mapping[str, str], path: Path) -> None:
    if header["talk"] != path.stem:
        raise unreadable(path, 1 + HEADER.index("talk"), f"the talk is called {path.stem}, as its file is")
    if header["split"] not in SPLITS:
        raise unreadable(path, 1 + HEADER.index("split"), f"the split is one of {', '.join(SPLITS)}")


def _lines(rows: list[tuple[int, str]], place: ZoneInfo, path: Path) -> Iterator[Line]:
    session, at, numbered = -1, None, 0
    for number, text in rows:
        if not text.strip():
            continue
        if began := _SESSION.fullmatch(text):
            session, at = session + 1, _local(began[1], place, path, number)
            continue
        said = _MESSAGE.fullmatch(text)
        if said is None or at is None:
            raise unreadable(path, number, "neither `== date time` nor, after one, `number u|p words`")
        numbered += 1
        if int(said[1]) != numbered:
            raise unreadable(path, number, f"message {numbered} is due, not {said[1]}")
        yield Line(numbered, _SPEAKERS[said[2]], said[3], at, session)
        at += BETWEEN_MESSAGES


def _asks(path: Path, place: ZoneInfo, messages: int) -> Iterator[Ask]:
    for number, text in _rows(path):
        if not text.strip():
            continue
        try:
            ask = _ask(json.loads(text), place)
        except (ValueError, KeyError, TypeError, AttributeError) as cause:
            raise unreadable(path, number, f"not a question ({cause!r})") from cause
        if strange := sorted(n for group in ask.evidence for n in group if not 1 <= n <= messages):
            raise unreadable(path, number, f"there is no message {', '.join(map(str, strange))}")
        yield ask


def _ask(row: dict[str, Any], place: ZoneInfo) -> Ask:
    if not row["ask"].strip() or not all(row["evidence"]):
        raise ValueError("it asks nothing, or a group of its evidence is empty")
    return Ask(
        kind=row["kind"],
        lang=row["lang"],
        asked_at=datetime.fromisoformat(row["asked_at"]).replace(tzinfo=place),
        text=row["ask"],
        context=tuple((_SPEAKERS[who], words) for who, words in row["context"]),
        evidence=tuple(frozenset(map(int, group)) for group in row["evidence"]),
    )


def _local(text: str, place: ZoneInfo, path: Path, number: int) -> datetime:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=place)
    except ValueError as cause:
        raise unreadable(path, number, f"{text} is no time") from cause
