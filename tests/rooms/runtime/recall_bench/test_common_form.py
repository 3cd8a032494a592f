"""Reading a set in the common form, and saying what is wrong with it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.recall_bench.common_form import names, read


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
    [told] = read(write(tmp_path, turn(1, "Ada"), turn(2, "Bo")), "small").conversations
    assert (told.me, told.other) == ("Ada", "Bo")
    assert told.own_lines == ("…",)

    [told] = read(write(tmp_path, turn(1, "assistant"), turn(2, "user")), "small").conversations
    assert (told.me, told.other) == ("user", "assistant")

    [told] = read(write(tmp_path, turn(1, "event")), "small").conversations
    assert (told.me, told.other) == ("event", "")


def test_of_a_talk_among_many_the_rest_speak_through_the_second(tmp_path: Path) -> None:
    folder = write(tmp_path, turn(1, "Ada", "hi"), turn(2, "Bo", "yes"), turn(3, "Cy", "no"))

    [told] = read(folder, "small").conversations

    said = [(each["speaker"], each["text"]) for each in json.loads(told.line)["sessions"][0]["turns"]]
    assert said == [("Ada", "hi"), ("Bo", "yes"), ("Bo", "Cy: no")]


def test_a_question_has_groups_of_evidence(tmp_path: Path) -> None:
    [question] = read(write(tmp_path, turn(1, "Ada"), turn(2, "Bo")), "small").questions

    assert question.evidence == (frozenset({"t1", "t2"}),)
    assert question.asked_at.isoformat() == "2024-06-01T00:00:00+00:00"


def test_a_set_is_two_files(tmp_path: Path) -> None:
    write(tmp_path, turn(1, "Ada"))
    write(tmp_path, turn(1, "Ada"), name="half")
    (tmp_path / "half.questions.jsonl").unlink()

    assert names(tmp_path) == ["small"]


@pytest.mark.parametrize("file", ["small.conversations.jsonl", "small.questions.jsonl"])
@pytest.mark.parametrize(("line", "told"), [("{oops", "not JSON"), ("[1]", "not an object"), ("{}", "no ")])
def test_a_line_that_is_not_of_the_form_is_named(tmp_path: Path, file: str, line: str, told: str) -> None:
    with (write(tmp_path, turn(1, "Ada")) / file).open("a", encoding="utf-8") as more:
        more.write(line + "\n")

    with pytest.raises(BadInput, match=rf"{re.escape(file)}, line 2: .*{told}"):
        read(tmp_path, "small")


def test_a_conversation_in_which_nobody_speaks(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"conversations\.jsonl, line 1: .*nobody says anything"):
        read(write(tmp_path), "small")


def test_evidence_that_is_nowhere_is_told_and_counts_as_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [question] = read(write(tmp_path, turn(1, "Ada")), "small").questions

    assert question.evidence == (frozenset({"t1", "t2"}),)
    assert "small.questions.jsonl, line 1: there is no turn t2" in capsys.readouterr().err


def test_a_question_about_an_unknown_conversation(tmp_path: Path) -> None:
    folder = write(tmp_path, turn(1, "Ada"))
    asked = folder / "small.questions.jsonl"
    asked.write_text(asked.read_text(encoding="utf-8").replace('"c"', '"d"'), encoding="utf-8")

    with pytest.raises(BadInput, match="line 1: no question about one of its conversations"):
        read(folder, "small")
