"""What commands print: a page for people, or JSON for programs; errors in one or two lines."""

import json
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from echovessel.channels.terminal.screen import harmless
from echovessel.core.errors import BadInput, ConfigError, EchoVesselError

FAILED = 1
WRONG_USE = 2


class OutputLost(EchoVesselError):
    """What we print cannot be written: the disk it goes to is full."""

    code = "output-lost"

    def __init__(self, cause: OSError) -> None:
        super().__init__(
            f"The output could not be written: {cause.strerror or cause}.", do="See where it goes to, and try again."
        )


def say(text: str = "") -> None:
    """A line to standard output."""
    _write(sys.stdout, text)


def note(text: str) -> None:
    """A line for the person at the terminal that does not belong to the data."""
    _write(sys.stderr, text)


def show(data: object, lines: Iterable[str], *, as_json: bool) -> None:
    """The same thing for programs as it is, or for people without what could steer their terminal."""
    if as_json:
        say(json.dumps(data, ensure_ascii=False, indent=2))
        return
    for line in lines:
        say(harmless(line))


def complain(error: EchoVesselError, *, as_json: bool) -> int:
    """Tell what went wrong and what to do, on standard error; returns the exit status."""
    if as_json:
        note(json.dumps({"error": {"code": error.code, "message": error.message, "do": error.do}}, ensure_ascii=False))
    else:
        note(harmless(f"echovessel: {error.message}\n  {error.do}"))
    return WRONG_USE if isinstance(error, ConfigError | BadInput) else FAILED


def unusable(cause: OSError) -> ConfigError:
    """What the system would not do, with the file it concerns."""
    what = f"{cause.filename} cannot be used" if cause.filename else "The system refused"
    return ConfigError(
        f"{what}: {cause.strerror or cause}.",
        do="See that it is there, is of the right kind, and that you may use it; then try again.",
    )


def _write(stream: TextIO | None, text: str) -> None:
    """Write a line, unless the stream was closed from the start; what the terminal's encoding cannot show becomes `?`."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()
    except BrokenPipeError:
        raise  # the reader has seen enough
    except OSError as cause:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), stream.fileno()
        )  # else what is left is tried again at the exit, and told
        raise OutputLost(cause) from cause
