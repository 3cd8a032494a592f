"""A talk is read as it is written down, and what is wrong with it is named by file and line."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from echovessel.core.errors import BadInput
from echovessel.core.talk import Speaker
from echovessel.runtime.recall_bench.talks import read_talk, talk_names

DATA = Path(__file__).parents[3] / "data" / "recall"
TALK = (DATA / "talks" / "violin.txt").read_text(encoding="utf-8")
ASKED = (DATA / "questions" / "violin.jsonl").read_text(encoding="utf-8")
BERLIN = ZoneInfo("Europe/Berlin")

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(talk: str = TALK, asked: str | None = ASKED) -> Path:
        for folder in ("talks", "questions"):
            (tmp_path / folder).mkdir()
        (tmp_path / "talks" / "violin.txt").write_text(talk, encoding="utf-8")
        if asked is not None:
            (tmp_path / "questions" / "violin.jsonl").write_text(asked, encoding="utf-8")
        return tmp_path

    return _write


def test_who_said_what_and_when() -> None:
    talk = read_talk(DATA, "violin")

    assert talk.header["persona"] == "Bo"
    assert [line.number for line in talk.lines] == list(range(1, 10))
    assert [line.session for line in talk.lines] == [0] * 3 + [1] * 3 + [2] * 3
    assert (talk.lines[4].speaker, talk.lines[4].text) == (Speaker.PERSONA, "What is her name?")
    assert talk.lines[4].said_at == datetime(2025, 2, 5, 21, 30, 40, tzinfo=BERLIN)


def test_a_question_has_its_context_and_its_evidence() -> None:
    ask = read_talk(DATA, "violin").asks[1]

    assert (ask.kind, ask.lang, ask.text) == ("pronoun", "en", "What is her name?")
    assert ask.asked_at == datetime(2025, 9, 1, 20, 1, tzinfo=BERLIN)
    assert ask.context == ((Speaker.USER, "The small cat is asleep."), (Speaker.PERSONA, "On your lap?"))
    assert ask.evidence == (frozenset({4}), frozenset({6}))


def test_the_talks_of_a_folder(tmp_path: Path) -> None:
    assert talk_names(DATA) == ["kitten", "violin", "violin-coach"]
    assert talk_names(tmp_path) == []


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("persona Bo", "persona ", r"violin\.txt, line 4: .*`persona`"),
        ("talk violin", "talk viola", r"line 1: .*violin"),
        ("split tune", "split half", r"line 6: .*tune, test"),
        ("zone Europe/Berlin", "zone Atlantis", "Atlantis"),
        ("4 u I took", "5 u I took", r"line 15: message 4 is due, not 5"),
        ("5 p What", "5 x What", r"line 16: neither"),
        ("== 2025-01-05 10:00\n", "", r"line 9: neither"),
        ("== 2025-02-05 21:30", "== 2025-02-31 21:30", r"line 14: 2025-02-31 21:30 is no time"),
        (TALK[TALK.index("\n==") :], "", "nobody says anything"),
        (TALK[TALK.index("zone") :], "", r"line \d: .*header"),
    ],
)
def test_what_is_wrong_with_a_talk(write: Write, right: str, wrong: str, told: str) -> None:
    assert right in TALK

    with pytest.raises(BadInput, match=told):
        read_talk(write(talk=TALK.replace(right, wrong, 1)), "violin")


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("[[1]]", "[[10]]", r"violin\.jsonl, line 1: there is no message 10"),
        ("[[4], [6]]", "[[4], []]", r"line 2: not a question .*group"),
        ('"kind": "time", ', "", r"line 1: not a question .*kind"),
        ('["u", "The', '["x", "The', "line 2: not a question"),
        ("2025-09-01 20:02", "yesterday", "line 3: not a question"),
        ('{"kind": "unrelated"', '"kind": "unrelated"', "line 3: not a question"),
        ('"seventeen times twentythree"', '" "', "line 3: not a question .*asks nothing"),
    ],
)
def test_what_is_wrong_with_a_question(write: Write, right: str, wrong: str, told: str) -> None:
    assert right in ASKED

    with pytest.raises(BadInput, match=told):
        read_talk(write(asked=ASKED.replace(right, wrong, 1)), "violin")


def test_a_talk_without_its_questions_and_one_that_is_not_there(write: Write) -> None:
    folder = write(asked=None)

    with pytest.raises(BadInput, match=r"violin\.jsonl is missing"):
        read_talk(folder, "violin")
    with pytest.raises(BadInput, match=r"viola\.txt is missing"):
        read_talk(folder, "viola")


def test_a_talk_in_another_encoding(write: Write) -> None:
    folder = write()
    (folder / "talks" / "violin.txt").write_bytes(TALK.replace("Ada", "Ådá").encode("latin-1"))

    with pytest.raises(BadInput, match="UTF-8"):
        read_talk(folder, "violin")
