"""`echovessel init`: make the home, with a settings file to read, say who you are, connect a model."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from echovessel.runtime.commands.options import AsJson, Locale
from echovessel.runtime.output import show

if TYPE_CHECKING:
    from echovessel.adapters.home import Home
    from echovessel.runtime.client import Json


def init(
    name: Annotated[str | None, typer.Option(metavar="NAME", help="What personas call you.")] = None,
    zone: Annotated[
        str | None, typer.Option(metavar="ZONE", help="Your time zone, such as Asia/Shanghai or Europe/Berlin.")
    ] = None,
    locale: Annotated[Locale | None, typer.Option(help="Your language.")] = None,
    model_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Address of the model to connect, such as http://127.0.0.1:11434/v1."),
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the model at that address.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make the home folder with its token and a settings file that explains itself, say who you are, and connect a model.

    What is there already stays; run it again to change your name, time zone, language or model.
    """
    import os

    from echovessel.adapters.config import commented_settings
    from echovessel.adapters.home import find_home, write_private
    from echovessel.core.time import zone as zone_called
    from echovessel.runtime.session import connected, make_home

    if zone is not None:
        zone_called(zone)
    home = find_home(os.environ)
    make_home(home)
    fresh = not home.config.exists()
    if fresh:
        write_private(home.config, commented_settings())
    about_you = _given(name=name, zone=zone, locale=locale)
    about_model = _given(base_url=model_url, model=model)
    you = connection = None
    if about_you or about_model:
        with connected() as client:
            you = client.patch("/api/v1/me", about_you) if about_you else None
            connection = client.patch("/api/v1/settings", {"llm": about_model})["llm"] if about_model else None
    show(
        {
            "home": str(home.path),
            "config": str(home.config),
            "made_config": fresh,
            "you": you,
            "model": connection and {"base_url": connection["base_url"], "model": connection["model"]},
        },
        [*_lines(home, you, connection, fresh, os.environ), *_what_next(home)],
        as_json=as_json,
    )


def _given(**values: str | None) -> "Json":
    return {key: value for key, value in values.items() if value is not None}


def _lines(
    home: "Home", you: "Json | None", connection: "Json | None", fresh: bool, environ: Mapping[str, str]
) -> Iterator[str]:
    from echovessel.runtime.machine import locale_of

    yield f"Home      {home.path}"
    yield f"Settings  {home.config} ({'new: every setting with its default' if fresh else 'kept as it is'})"
    if you:
        yield f"You       {you['name'] or '(no name yet)'}, time zone {you['zone']}, language {you['locale']}"
    else:
        change = f"`echovessel init --name NAME --zone ZONE --locale {locale_of(environ)}`"
        yield f"You       {change} changes what personas know of you"
        yield from _zone_note(home, environ)
    if connection:
        yield f"Model     {connection['model'] or '(none named yet)'} at {connection['base_url'] or '(no address)'}"


def _what_next(home: "Home") -> Iterator[str]:
    from echovessel.adapters.home import HomeLock

    lock = HomeLock(home)
    if lock.acquire():
        lock.release()
        yield "Start it with `echovessel run`."
    else:
        yield "EchoVessel is running."


def _zone_note(home: "Home", environ: Mapping[str, str]) -> Iterator[str]:
    """Before the first start: what the machine will say of its owner's zone. Later the doctor says it."""
    from echovessel.core.time import is_utc
    from echovessel.runtime.machine import locale_of, zone_of

    if not home.database.exists() and is_utc(zone_of(environ)) and locale_of(environ) == "zh":
        yield "Note      This machine's time zone is UTC. If yours is not: `echovessel init --zone Asia/Shanghai`"
