"""`echovessel memory …`: look at what is remembered."""

from collections.abc import Callable
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from echovessel.runtime.commands.options import AsJson, WhichPersona
from echovessel.runtime.output import show

if TYPE_CHECKING:
    from echovessel.runtime.client import Json

group = typer.Typer(help="Look at what is remembered.", no_args_is_help=True, rich_markup_mode=None)


@group.command(short_help="Find what was said, as a reply would be given it.")
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    persona: WhichPersona = "",
    limit: Annotated[
        int, typer.Option("--limit", "-k", metavar="NUMBER", help="How many to show.", min=1, max=100)
    ] = 10,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what fits too little for a reply to be given it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find what was said, as a reply would be given it.

    By meaning and by words, the best first; the number in front says how well it fits, from 0 to 1.
    """
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import find_persona

    ask = {"query": query, "k": limit, "only_fitting": not everything}
    with connected() as client:
        found = find_persona(client, persona)
        line = _teller(client.get("/api/v1/me"), found["name"])
        hits = client.post(f"/api/v1/personas/{found['id']}/recall", ask)["items"]
    lines = (f"{hit['score']:5.2f}  {line(hit['message'])}" for hit in hits)
    nothing = "Nothing was said yet." if everything else "Nothing that fits. `--all` shows what comes nearest."
    show({"items": hits, "next": None}, lines if hits else [nothing], as_json=as_json)


@group.command("list")
def list_messages(
    persona: WhichPersona = "",
    limit: Annotated[
        int,
        typer.Option(
            "--limit", "-n", metavar="NUMBER", help="How many of the last messages to show.", min=1, max=1_000_000
        ),
    ] = 50,
    words: Annotated[
        str, typer.Option("--words", metavar="WORDS", help="Only messages that hold all these words.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """List what was said last, the oldest first."""
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import find_persona

    with connected() as client:
        found = find_persona(client, persona)
        line = _teller(client.get("/api/v1/me"), found["name"])
        path = f"/api/v1/personas/{found['id']}/messages"
        newest = list(islice(client.all_items(path, limit=min(limit, 200), q=words or None), limit))
    messages = newest[::-1]
    show({"items": messages, "next": None}, map(line, messages), as_json=as_json)


def _teller(me: "Json", persona: str) -> "Callable[[Json], str]":
    """What makes a line of a message, in the user's zone and language."""
    from echovessel.channels.terminal import words
    from echovessel.runtime.talk import voice_in

    zone, own = ZoneInfo(me["zone"]), words(me["locale"])

    def line(message: "Json") -> str:
        at = datetime.fromisoformat(message["sent_at"]).astimezone(zone)
        text = message["text"].replace("\n", " ") or f"({message['state']})"
        return f"{at:%Y-%m-%d %H:%M}  {own.speaker(voice_in(message), persona)}: {text}"

    return line
