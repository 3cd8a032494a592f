"""`echovessel chat`: a talk in the terminal."""

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from echovessel.runtime.output import FAILED, note

if TYPE_CHECKING:
    from echovessel.channels.terminal import Screen
    from echovessel.ports.desk import Desk


def chat(
    persona: Annotated[str, typer.Argument(help="Name or id of the persona; not needed with only one.")] = "",
    once: Annotated[
        str | None, typer.Option(help="Say this one thing, print the answer and leave; - reads it.")
    ] = None,
) -> None:
    """Talk with a persona in the terminal. Lines of a pipe are said one after another."""
    from echovessel.channels.terminal import TerminalChannel
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import HttpDesk

    with connected() as client:
        desk, screen = HttpDesk(client), _screen()
        if once is not None:
            _say_each([sys.stdin.read() if once == "-" else once], desk, persona, screen)
        elif not sys.stdin.isatty():
            _say_each((line.rstrip("\n") for line in sys.stdin if line.strip()), desk, persona, screen)
        else:
            TerminalChannel(desk, screen, _line_reader()).run(persona)


def _say_each(lines: Iterable[str], desk: "Desk", persona: str, screen: "Screen") -> None:
    from echovessel.channels.terminal import say_once, words

    talk, own = desk.open(persona), words(desk.locale)
    for line in lines:
        if trouble := say_once(talk, line, screen, own):
            note(f"echovessel: {trouble.message}")
            note(f"  {trouble.do}")
            raise typer.Exit(FAILED)


def _screen() -> "Screen":
    import os
    import shutil

    from echovessel.channels.terminal import Screen

    shown = sys.stdout.isatty()
    return Screen(
        sys.stdout,
        columns=shutil.get_terminal_size().columns if shown else None,
        colour=shown and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
    )


def _line_reader() -> Callable[[str], str]:
    """`input`, with editing and history of this talk where the platform has them."""
    import importlib
    from contextlib import suppress

    with suppress(ImportError):
        importlib.import_module("readline")  # importing it is what gives `input` its editing
    return input
