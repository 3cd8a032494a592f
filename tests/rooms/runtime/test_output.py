"""What commands print."""

import io
import json
import sys

import pytest

from echovessel.core.errors import BadInput, ConfigError, EchoVesselError, NotFound
from echovessel.runtime.output import complain, say, show, unusable


def test_the_same_thing_is_shown_to_people_or_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    show({"名": 1}, ["one", "two"], as_json=False)
    show({"名": 1}, ["one", "two"], as_json=True)

    written = capsys.readouterr().out
    assert written.startswith("one\ntwo\n")
    assert '"名": 1' in written
    assert json.loads(written.removeprefix("one\ntwo\n")) == {"名": 1}


def test_nothing_that_is_shown_can_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show({}, ["a \x1b[2J name"], as_json=False)
    complain(NotFound("No \x1b]0;title\x07.", do="Do."), as_json=False)

    out, err = capsys.readouterr()
    assert out == "a [2J name\n"
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ConfigError("No.", do="Do."), 2),
        (BadInput("No.", field="x", do="Do."), 2),
        (NotFound("No.", do="Do."), 1),
        (EchoVesselError("No.", do="Do."), 1),
    ],
)
def test_an_error_is_two_lines_and_its_kind_chooses_the_status(
    error: EchoVesselError, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert complain(error, as_json=False) == status
    assert complain(error, as_json=True) == status

    out, err = capsys.readouterr()
    assert out == ""
    first, second, as_json = err.splitlines()
    assert (first, second) == ("echovessel: No.", "  Do.")
    assert json.loads(as_json)["error"]["do"] == "Do."


def test_what_the_system_would_not_do_is_told_with_the_file() -> None:
    told = unusable(OSError(28, "No space left on device", "memory.db"))

    assert told.message == "memory.db cannot be used: No space left on device."
    assert unusable(OSError("odd")).message == "The system refused: odd."


def test_a_terminal_that_cannot_show_chinese_is_no_reason_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    terminal = io.TextIOWrapper(raw, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)

    say("早 ok")

    assert raw.getvalue() == b"? ok\n"
