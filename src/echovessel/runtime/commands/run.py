"""`echovessel run`: the daemon in the foreground."""

from typing import TYPE_CHECKING, Annotated

import typer

from echovessel import __version__
from echovessel.channels.terminal.screen import harmless
from echovessel.runtime import loading
from echovessel.runtime.output import say

if TYPE_CHECKING:
    import threading

    from echovessel.adapters.home import Home
    from echovessel.runtime.wiring import Vessel


def run(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Address to listen on; the default is this machine only.")
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="NUMBER", help="Port to listen on.", min=1, max=65535)] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> None:
    """Start EchoVessel and open its page. Ctrl-C stops it; everything said is kept."""
    loading.begin()
    import asyncio
    import os

    from echovessel.adapters.home import HomeInUse, HomeLock, find_home
    from echovessel.runtime.logs import logging_to
    from echovessel.runtime.serve import Start, listen, serve, url_of
    from echovessel.runtime.session import make_home, wait_for_owner
    from echovessel.runtime.signals import Signals
    from echovessel.runtime.wiring import Overrides, open_settings

    home = find_home(os.environ)
    make_home(home)
    flags = {key: value for key, value in {"server.host": host, "server.port": port}.items() if value is not None}
    lock = HomeLock(home)
    if not lock.acquire() and (owner := wait_for_owner(home, lock)):
        raise HomeInUse(home, owner)
    with lock:
        settings = open_settings(home, flags)
        server = settings.current().server
        with logging_to(home.logs, settings.current().log), listen(server.host, server.port) as listener:
            start = Start(home=home, lock=lock, listener=listener, overrides=Overrides(settings=settings))
            background: list[asyncio.Task[Exception | None]] = []  # else nobody holds it, and it may vanish

            def started(vessel: "Vessel", signals: Signals) -> None:
                signals.reload = vessel.watch.read_settings
                url = url_of(listener)
                _greet(vessel, url, home)
                background.append(asyncio.create_task(vessel.supervisor.guard(_offer(vessel), "looking around")))
                if not no_browser:
                    open_page(f"{url}/login?token={vessel.token}")

            async def until_told_to_stop() -> None:
                signals = Signals()
                await serve(start, signals.stopping, lambda vessel: started(vessel, signals))

            asyncio.run(until_told_to_stop())
    say("Stopped. Everything said is kept.")


def _greet(vessel: "Vessel", url: str, home: "Home") -> None:
    from echovessel.core.addresses import without_login
    from echovessel.ports.llm import Role

    speaking = next(iter(vessel.deps.models.in_order()), None)
    model = "none yet; the keeper answers (connect one on the page)"
    if speaking is not None:
        where = without_login(speaking.settings.base_url) or speaking.settings.file
        model = f"{speaking.name(Role.MAIN)} {f'at {where}' if where else ''}"
    say(f"EchoVessel {__version__}")
    say(f"  page   {url}/login?token={vessel.token}")
    say(f"  model  {model}")
    say(f"  home   {home.path}")
    say("  Ctrl-C stops it. `echovessel chat` talks in another terminal.")


async def _offer(vessel: "Vessel") -> None:
    """Once everything answers: say which models of this machine could be connected, when none is."""
    from echovessel.flows.doctor.nearby import how_to_connect, whom_we_found

    if not vessel.deps.models.in_order() and (servers := await vessel.deps.nearby.look()):
        say(harmless(f"  found  {whom_we_found(servers)}"))
        say(harmless(f"         {how_to_connect(servers)}"))


def open_page(url: str) -> "threading.Thread":
    """Open the page in the person's browser, where there is a screen to show it on; some browsers take a while to return."""
    import os
    import sys
    import threading
    import webbrowser

    def work() -> None:
        if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(url)

    thread = threading.Thread(target=work, name="browser", daemon=True)
    thread.start()
    return thread
