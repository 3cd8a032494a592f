"""The log names what failed and where, and never what was said."""

import json
import logging
import stat
from pathlib import Path

import pytest

from echovessel.core.errors import BadInput
from echovessel.ports.settings import LogSettings
from echovessel.runtime.logs import FILE, adjust, describe, logging_to

SAID = "my secret words"


def _settings(**values: object) -> LogSettings:
    return LogSettings.model_validate(values)


def _lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / FILE).read_text().splitlines()]


def test_a_line_is_json_with_its_own_fields_in_a_private_file(tmp_path: Path) -> None:
    with logging_to(tmp_path, _settings(level="info")):
        logging.getLogger("echovessel.a").info("started", extra={"port": 7})
        logging.getLogger("echovessel.a").debug("not wanted")
    logging.getLogger("echovessel.a").info("afterwards")

    (line,) = _lines(tmp_path)
    assert (line["level"], line["from"], line["event"], line["port"]) == ("info", "echovessel.a", "started", 7)
    assert str(line["at"]).endswith("Z")
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_an_exception_is_told_by_type_and_place_not_by_its_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to(tmp_path, _settings()):
        try:
            try:
                raise KeyError(SAID)
            except KeyError as cause:
                raise ValueError(SAID) from cause
        except ValueError:
            logging.getLogger("echovessel.a").exception("turn failed")

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
    with logging_to(tmp_path, _settings(level="debug")):
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
        logging.getLogger("uvicorn.error").error("Exception in ASGI application")

    assert [line["level"] for line in _lines(tmp_path)] == ["error"]
    assert "Invalid" not in capsys.readouterr().err


def test_our_own_errors_bring_their_sentence_and_groups_their_parts() -> None:
    ours = BadInput("The text is empty.", field="text", do="Write something.")

    assert describe(ExceptionGroup("g", [ours]))["parts"] == [
        {"error": "BadInput", "code": "bad-input", "sentence": "The text is empty.", "at": []}
    ]


def test_of_a_library_only_what_warns_is_told_and_nothing_that_was_put_into_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to(tmp_path, _settings(level="debug")):
        library = logging.getLogger("openai._base_client")
        library.debug("Request options: %s", SAID)
        library.warning("Retrying %s", SAID, extra={"body": SAID})
        logging.getLogger("asyncio").error("\n".join(["Task exception was never retrieved", SAID]))

    assert [line["event"] for line in _lines(tmp_path)] == ["Retrying %s", "Task exception was never retrieved"]
    assert SAID not in (tmp_path / FILE).read_text() + capsys.readouterr().err


def test_a_log_that_grows_is_put_aside_and_the_oldest_go(tmp_path: Path) -> None:
    with logging_to(tmp_path, _settings(max_bytes=1000, old_files=2)):
        for number in range(60):
            logging.getLogger("echovessel.a").info("line %d", number)

    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [FILE, f"{FILE}.1", f"{FILE}.2"]
    assert all(path.stat().st_size <= 1000 for path in tmp_path.iterdir())
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in tmp_path.iterdir())
    assert _lines(tmp_path)[-1]["event"] == "line 59"


def test_new_settings_are_followed_at_once_and_end_with_the_block(tmp_path: Path) -> None:
    with logging_to(tmp_path, _settings(level="error")):
        logging.getLogger("echovessel.a").info("not yet")
        adjust(_settings(level="debug", old_files=1))
        logging.getLogger("echovessel.a").debug("now")
    adjust(_settings(level="debug"))

    assert [line["event"] for line in _lines(tmp_path)] == ["now"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no disk that is always full")
def test_a_full_disk_costs_lines_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FILE).symlink_to("/dev/full")
    with logging_to(tmp_path, _settings()):
        for _ in range(3):
            logging.getLogger("echovessel.a").info(SAID)
        (tmp_path / FILE).unlink()
        logging.getLogger("echovessel.a").info("there is room")

    assert [line["event"] for line in _lines(tmp_path)] == ["there is room"]
    told = capsys.readouterr().err
    assert told.count("the log cannot be written") == 1
    assert SAID not in told
