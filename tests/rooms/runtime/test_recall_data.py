"""Reading a folder of recall data, and saying what is wrong with it."""

import json
from pathlib import Path
from typing import Any

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.recall_data import load


def turn(number: int, speaker: str, text: str = "…") -> dict[str, Any]:
    return {"turn_id": f"t{number}", "speaker": speaker, "at": f"2024-01-0{number}T10:00:00", "text": text}


def write(folder: Path, *turns: dict[str, Any], name: str = "small") -> Path:
    conversation = {"conv_id": "c", "sessions": [{"session_id": "s1", "turns": list(turns)}]}
    question = {
        "conv_id": "c",
        "question": "Where?",
        "category": "place",
        "asked_at": "2024-06-01T00:00:00",
        "headline": True,
        "evidence": [["t1", "t2"]],
    }
    (folder / f"{name}.conversations.jsonl").write_text(json.dumps(conversation) + "\n", encoding="utf-8")
    (folder / f"{name}.questions.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")
    return folder


def test_who_is_the_user_and_who_the_persona(tmp_path: Path) -> None:
    [told] = load(write(tmp_path, turn(1, "Ada"), turn(2, "Bo")), "small").conversations
    assert (told.me, told.other) == ("Ada", "Bo")

    [told] = load(write(tmp_path, turn(1, "assistant"), turn(2, "user")), "small").conversations
    assert (told.me, told.other) == ("user", "assistant")

    [told] = load(write(tmp_path, turn(1, "event")), "small").conversations
    assert (told.me, told.other) == ("event", "")


def test_of_a_talk_among_many_the_rest_speak_through_the_second(tmp_path: Path) -> None:
    folder = write(tmp_path, turn(1, "Ada", "hi"), turn(2, "Bo", "yes"), turn(3, "Cy", "no"))

    [told] = load(folder, "small").conversations

    said = [(each["speaker"], each["text"]) for each in json.loads(told.line)["sessions"][0]["turns"]]
    assert said == [("Ada", "hi"), ("Bo", "yes"), ("Bo", "Cy: no")]


def test_a_question_has_groups_of_evidence(tmp_path: Path) -> None:
    [question] = load(write(tmp_path, turn(1, "Ada")), "small").questions

    assert question.evidence == (frozenset({"t1", "t2"}),)
    assert question.asked_at.isoformat() == "2024-06-01T00:00:00"


def test_an_unknown_set_is_answered_with_those_there_are(tmp_path: Path) -> None:
    write(tmp_path, turn(1, "Ada"))

    with pytest.raises(BadInput, match="big") as refused:
        load(tmp_path, "big")
    assert "small" in refused.value.do

    with pytest.raises(BadInput):
        load(tmp_path / "nowhere", "small")


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    write(tmp_path, turn(1, "Ada"))
    (tmp_path / "small.questions.jsonl").write_text("{oops\n", encoding="utf-8")

    with pytest.raises(BadInput, match=r"small\.questions\.jsonl"):
        load(tmp_path, "small")
