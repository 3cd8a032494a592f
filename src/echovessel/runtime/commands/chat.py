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
    persona: Annotated[
        str,
        typer.Argument(
            metavar="PERSONA", help="Name (or how it begins) or id of the persona; not needed with only one."
        ),
    ] = "",
    once: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Say this one thing, print the answer and leave; - reads it."),
    ] = None,
) -> None:
    """Talk with a persona in the terminal. Lines of a pipe are said one after another.

    What is printed is the answer alone; in a terminal a new persona's greeting comes first. If what you say sounds like danger,
    telephone numbers come before the answer, between two lines that begin with ──.
    """
    from echovessel.channels.terminal import StopKey, TerminalChannel
    from echovessel.core.text import clean_input
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import HttpDesk

    with connected() as client:
        desk, screen = HttpDesk(client), _screen()
        if once is not None:
            _say_each([clean_input(sys.stdin.read() if once == "-" else once, "text")], desk, persona, screen)
        elif not sys.stdin.isatty():
            _say_each((line.rstrip("\n") for line in sys.stdin if line.strip()), desk, persona, screen)
        else:
            stop_key = StopKey()
            with stop_key.watched():
                TerminalChannel(desk, screen, _line_reader(), stop_key).run(persona)


def _say_each(lines: Iterable[str], desk: "Desk", persona: str, screen: "Screen") -> None:
    from echovessel.channels.terminal import say_once, show_lines, words

    talk, own = desk.open(persona), words(desk.locale)
    if screen.columns:
        show_lines(talk.greeted, talk.persona, screen, own)
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
