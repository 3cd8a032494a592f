"""`echovessel init`: make the home, with a settings file to read, and say who you are."""

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
    as_json: AsJson = False,
) -> None:
    """Make the home folder with its token and a settings file that explains itself, and say who you are.

    What is there already stays; run it again to change your name, time zone or language.
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
    change = {key: value for key, value in {"name": name, "zone": zone, "locale": locale}.items() if value is not None}
    you = None
    if change:
        with connected() as client:
            you = client.patch("/api/v1/me", change)
    show(
        {"home": str(home.path), "config": str(home.config), "made_config": fresh, "you": you},
        _lines(home, you, fresh, os.environ),
        as_json=as_json,
    )


def _lines(home: "Home", you: "Json | None", fresh: bool, environ: Mapping[str, str]) -> Iterator[str]:
    yield f"Home      {home.path}"
    yield f"Settings  {home.config} ({'new: every setting with its default' if fresh else 'kept as it is'})"
    if you:
        yield f"You       {you['name'] or '(no name yet)'}, time zone {you['zone']}, language {you['locale']}"
    else:
        yield "You       `echovessel init --name NAME --zone ZONE --locale zh` changes what personas know of you"
        yield from _zone_note(home, environ)
    yield "Start it with `echovessel run`."


def _zone_note(home: "Home", environ: Mapping[str, str]) -> Iterator[str]:
    """Before the first start: what the machine will say of its owner's zone. Later the doctor says it."""
    from echovessel.core.time import is_utc
    from echovessel.runtime.machine import locale_of, zone_of

    if not home.database.exists() and is_utc(zone_of(environ)) and locale_of(environ) == "zh":
        yield "Note      This machine's time zone is UTC. If yours is not: `echovessel init --zone Asia/Shanghai`"
