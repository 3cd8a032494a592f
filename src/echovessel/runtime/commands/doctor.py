"""`echovessel doctor`: is everything in order?"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from echovessel.runtime.commands.options import AsJson
from echovessel.runtime.output import FAILED, show, unusable

if TYPE_CHECKING:
    from echovessel.adapters.home import Home
    from echovessel.flows.doctor import HomeFacts
    from echovessel.ports.front import Check
    from echovessel.runtime.client import Client

LONGEST_LOOK_S = 300.0
"""A large database takes long to read, and a model may take its `first_token_timeout_s` to say a word."""


def doctor(as_json: AsJson = False) -> None:
    """Check that everything is in order, and say what to do.

    It looks at home, settings, daemon, database, clock, embedder, every model, jobs and backups, and says who you are. Each
    model is asked for a sentence, which may cost. Exit status 1 when something is broken.
    """
    import os
    import shutil
    import sys
    from dataclasses import asdict

    from echovessel.adapters.home import find_home
    from echovessel.flows.doctor import look_at_home
    from echovessel.ports.front import Verdict
    from echovessel.runtime.findings import page_of
    from echovessel.runtime.home_facts import facts_of

    home = find_home(os.environ)
    facts = facts_of(home)
    checks = [*look_at_home(facts), *(_inside(home, facts) if home.exists else ())]
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    show({"items": [asdict(c) for c in checks], "next": None}, page_of(checks, columns), as_json=as_json)
    if any(check.verdict is Verdict.BROKEN for check in checks):
        raise typer.Exit(FAILED)


def _inside(home: "Home", facts: "HomeFacts") -> "Iterator[Check]":
    """What settings, owner and vessel say; a home that cannot be written to is not opened."""
    from echovessel.adapters.home import held_token
    from echovessel.core.errors import ConfigError
    from echovessel.flows.doctor import Token, look_at_address, look_at_owner, look_at_settings
    from echovessel.runtime.client import Client
    from echovessel.runtime.home_facts import owner_of, why_taken
    from echovessel.runtime.wiring import open_settings

    settings = None
    try:
        source = open_settings(home)
        settings = source.current()
        yield look_at_settings(str(home.config), None, blank=source.blank)
    except ConfigError as wrong:
        yield look_at_settings(str(home.config), wrong)
    if facts.unwritable:
        return
    owner = owner_of(home)
    yield look_at_owner(owner)
    if owner and owner.answers and facts.token is Token.GOOD:
        with Client(owner.url, held_token(home.token), LONGEST_LOOK_S) as client:
            yield from _asked(client)
    elif owner is None and settings is not None:
        where = f"Port {settings.server.port} of {settings.server.host}"
        yield look_at_address(where, why_taken(settings.server))
        yield from _alone()


def _alone() -> "Iterator[Check]":
    """What the vessel says when this command is the daemon for as long as it takes; or what keeps it from starting."""
    from echovessel.core.errors import EchoVesselError
    from echovessel.flows.doctor import what_keeps_it_from_starting
    from echovessel.runtime.session import connected

    try:
        with connected(timeout_s=LONGEST_LOOK_S) as client:
            yield from _asked(client)
    except EchoVesselError as error:
        yield what_keeps_it_from_starting(error)
    except OSError as cause:
        yield what_keeps_it_from_starting(unusable(cause))


def _asked(client: "Client") -> "Iterator[Check]":
    from echovessel.core.errors import EchoVesselError
    from echovessel.flows.doctor import what_keeps_it_from_starting
    from echovessel.ports.front import Check, Verdict

    try:
        for check in client.all_items("/api/v1/doctor"):
            yield Check(**{**check, "verdict": Verdict(check["verdict"])})
    except EchoVesselError as error:
        yield what_keeps_it_from_starting(error)
