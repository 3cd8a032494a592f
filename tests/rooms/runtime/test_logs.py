"""The log names what failed and where, and never what was said."""

import json
import logging
import stat
from pathlib import Path

import pytest

from echovessel.core.errors import BadInput
from echovessel.ports.settings import LogSettings
from echovessel.runtime.logs import FILE, describe, logging_to

SAID = "my secret words"


def _lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / FILE).read_text().splitlines()]


def test_a_line_is_json_with_its_own_fields_in_a_private_file(tmp_path: Path) -> None:
    with logging_to(tmp_path, LogSettings(level="info")):
        logging.getLogger("a").info("started", extra={"port": 7})
        logging.getLogger("a").debug("not wanted")
    logging.getLogger("a").info("afterwards")

    (line,) = _lines(tmp_path)
    assert (line["level"], line["from"], line["event"], line["port"]) == ("info", "a", "started", 7)
    assert str(line["at"]).endswith("Z")
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_an_exception_is_told_by_type_and_place_not_by_its_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to(tmp_path, LogSettings()):
        try:
            try:
                raise KeyError(SAID)
            except KeyError as cause:
                raise ValueError(SAID) from cause
        except ValueError:
            logging.getLogger("a").exception("turn failed")

    (line,) = _lines(tmp_path)
    failure = line["failure"]
    assert isinstance(failure, dict)
    assert failure["error"] == "ValueError"
    assert failure["cause"]["error"] == "KeyError"
    assert "test_logs.py" in str(failure["at"])
    assert SAID not in (tmp_path / FILE).read_text()
    assert capsys.readouterr().err == "error: turn failed (ValueError)\n"


def test_odd_requests_from_anyone_fill_neither_log_nor_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to(tmp_path, LogSettings(level="debug")):
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
        logging.getLogger("uvicorn.error").error("Exception in ASGI application")

    assert [line["level"] for line in _lines(tmp_path)] == ["error"]
    assert "Invalid" not in capsys.readouterr().err


def test_our_own_errors_bring_their_sentence_and_groups_their_parts() -> None:
    ours = BadInput("The text is empty.", field="text", do="Write something.")

    assert describe(ExceptionGroup("g", [ours]))["parts"] == [
        {"error": "BadInput", "code": "bad-input", "sentence": "The text is empty.", "at": []}
    ]
