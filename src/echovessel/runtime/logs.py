"""The log: one JSON object a line in the home's `logs/`, warnings also on the terminal; never what was said.

An exception's own text may quote a message (a driver repeats parameters, a validator repeats input), so what is logged of an
error that is not ours is its type and the lines it passed through.
"""

import json
import logging
import os
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import FileIO, TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import cast

from typing_extensions import override

from echovessel.core.errors import EchoVesselError
from echovessel.core.time import from_milliseconds, iso
from echovessel.ports.settings import LogSettings

FILE = "echovessel.log"

_OURS = "echovessel"

# Fields of a record that the caller did not give.
_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


@contextmanager
def logging_to(folder: Path, settings: LogSettings) -> Generator[None]:
    """Send the log of this process to `folder` for as long as the block lasts. For the process that owns the home."""
    file = _PrivateFile(folder / FILE, encoding="utf-8")
    file.setFormatter(_JsonLines())
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setLevel(logging.WARNING)
    terminal.setFormatter(_Sentence())
    root = logging.getLogger()
    handlers = (file, terminal)
    for handler in handlers:
        handler.addFilter(_may_be_told)
        root.addHandler(handler)
    adjust(settings)
    try:
        yield
    finally:
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()
        logging.getLogger(_OURS).setLevel(logging.NOTSET)


def adjust(settings: LogSettings) -> None:
    """Log by these settings from now on; nothing happens where no log is kept."""
    root = logging.getLogger()
    for handler in root.handlers:
        if isinstance(handler, _PrivateFile):
            handler.maxBytes, handler.backupCount = settings.max_bytes, settings.old_files
            logging.getLogger(_OURS).setLevel(settings.level.upper())
            root.setLevel(max(logging.getLogger(_OURS).level, logging.WARNING))
            # It warns of every odd request that anyone sends.
            logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


def describe(failure: BaseException) -> dict[str, object]:
    """What may be logged of an exception: our own sentences; of others the type and the places, and the same of its causes."""
    found: dict[str, object] = {"error": type(failure).__name__}
    if isinstance(failure, EchoVesselError):
        found |= {"code": failure.code, "sentence": failure.message}
    frames = traceback.extract_tb(failure.__traceback__)
    found["at"] = [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames]
    if isinstance(failure, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", failure)
        found["parts"] = [describe(part) for part in group.exceptions]
    if cause := failure.__cause__ or (None if failure.__suppress_context__ else failure.__context__):
        found["cause"] = describe(cause)
    return found


def _may_be_told(record: logging.LogRecord) -> bool:
    """All of ours; of libraries what warns. What they say below that is of requests and statements, with what is in them."""
    return _is_ours(record) or record.levelno >= logging.WARNING


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] == _OURS


def _event(record: logging.LogRecord) -> str:
    """Our own sentence; of a library's the first line before anything was put into it: the rest may quote an exception."""
    return record.getMessage() if _is_ours(record) else str(record.msg).partition("\n")[0]


class _PrivateFile(RotatingFileHandler):
    """A log file of its owner's alone. What cannot be written is lost, and said to be on the terminal, once until it can."""

    _lost = 0

    @override
    def emit(self, record: logging.LogRecord) -> None:
        lost = self._lost
        super().emit(record)
        if lost and self._lost == lost:
            self._lost = 0

    @override
    def handleError(self, record: logging.LogRecord) -> None:
        """Instead of a traceback with the record's arguments. The stream is opened anew: half a line may be left in it."""
        failure = sys.exception()
        if self._lost == 0:
            sys.stderr.write(f"error: the log cannot be written ({type(failure).__name__}): is the disk full?\n")
        self._lost += 1
        if self.stream:
            with suppress(OSError):
                self.stream.close()
            self.stream = cast("TextIOWrapper", None)  # the handler opens it when it writes next

    @override
    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return TextIOWrapper(FileIO(descriptor, "a"), encoding=self.encoding, line_buffering=True)


class _JsonLines(logging.Formatter):
    @override
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": iso(from_milliseconds(int(record.created * 1000))),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": _event(record),
        }
        if _is_ours(record):
            line |= {key: value for key, value in record.__dict__.items() if key not in _STANDARD}
        if record.exc_info and record.exc_info[1]:
            line["failure"] = describe(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


class _Sentence(logging.Formatter):
    @override
    def format(self, record: logging.LogRecord) -> str:
        failure = f" ({type(record.exc_info[1]).__name__})" if record.exc_info and record.exc_info[1] else ""
        return f"{record.levelname.lower()}: {_event(record)}{failure}"
