"""Our own talks as sets: the half that weights may be fitted to, and the half that only measurements see."""

import json
from pathlib import Path
from typing import Any

from echovessel.core.talk import Speaker
from echovessel.runtime.recall_bench.data import Question, RecallSet, Told
from echovessel.runtime.recall_bench.talks import Ask, Line, Talk, read_talk, talk_names


def read_own(folder: Path, split: str) -> RecallSet:
    """The talks of one half. BadInput names the file and line that is not as it must be."""
    talks = [talk for name in talk_names(folder) if (talk := read_talk(folder, name)).header["split"] == split]
    return RecallSet(
        name=split,
        conversations=tuple(_told(talk) for talk in talks),
        questions=tuple(_question(ask, talk.header["talk"]) for talk in talks for ask in talk.asks),
    )


def _told(talk: Talk) -> Told:
    header, name = talk.header, talk.header["talk"]
    sessions: dict[int, list[dict[str, Any]]] = {}
    for line in talk.lines:
        sessions.setdefault(line.session, []).append(_turn(line, talk))
    row = {
        "conv_id": name,
        "sessions": [{"session_id": _session(name, each), "turns": turns} for each, turns in sessions.items()],
    }
    return Told(
        conv_id=name,
        line=json.dumps(row, ensure_ascii=False),
        person=f"{header['user']}, {header['zone']}",
        me=header["user"],
        other=header["persona"],
        zone=header["zone"],
        locale=header["languages"].split()[0],
        session_of={_turn_id(name, line.number): _session(name, line.session) for line in talk.lines},
        said_at={_turn_id(name, line.number): line.said_at for line in talk.lines},
        own_lines=tuple(line.text for line in talk.lines if line.speaker is Speaker.USER),
    )


def _turn(line: Line, talk: Talk) -> dict[str, Any]:
    return {
        "turn_id": _turn_id(talk.header["talk"], line.number),
        "speaker": talk.header["user" if line.speaker is Speaker.USER else "persona"],
        "at": line.said_at.isoformat(),
        "text": line.text,
    }


def _question(ask: Ask, name: str) -> Question:
    return Question(
        conv_id=name,
        text=ask.text,
        category=ask.kind,
        lang=ask.lang,
        asked_at=ask.asked_at,
        headline=bool(ask.evidence),
        context=ask.context,
        evidence=tuple(frozenset(_turn_id(name, number) for number in group) for group in ask.evidence),
    )


def _session(name: str, session: int) -> str:
    return f"{name}:s{session}"


def _turn_id(name: str, number: int) -> str:
    return f"{name}:{number}"
