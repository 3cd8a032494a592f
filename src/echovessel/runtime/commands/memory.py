"""`echovessel memory …`: look at what is remembered."""

from collections.abc import Iterable, Iterator
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


@group.command()
def search(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    persona: WhichPersona = "",
    limit: Annotated[int, typer.Option("--limit", "-k", help="How many to show.", min=1, max=100)] = 10,
    as_json: AsJson = False,
) -> None:
    """Find what was said, as the persona would recall it: by meaning and by words, the best first."""
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import find_persona

    with connected() as client:
        found = find_persona(client, persona)
        zone = ZoneInfo(client.get("/api/v1/me")["zone"])
        hits = client.post(f"/api/v1/personas/{found['id']}/recall", {"query": query, "k": limit})["items"]
    lines = (f"{hit['score']:5.2f}  {_line(hit['message'], found['name'], zone)}" for hit in hits)
    show({"items": hits, "next": None}, lines if hits else ["Nothing fits."], as_json=as_json)


@group.command("list")
def list_messages(
    persona: WhichPersona = "",
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many of the last messages to show.", min=1)] = 50,
    words: Annotated[str, typer.Option("--words", help="Only messages that hold all these words.")] = "",
    as_json: AsJson = False,
) -> None:
    """List what was said last, the oldest first."""
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import find_persona

    with connected() as client:
        found = find_persona(client, persona)
        zone = ZoneInfo(client.get("/api/v1/me")["zone"])
        path = f"/api/v1/personas/{found['id']}/messages"
        newest = list(islice(client.all_items(path, limit=min(limit, 200), q=words or None), limit))
    messages = newest[::-1]
    show({"items": messages, "next": None}, _lines(messages, found["name"], zone), as_json=as_json)


def _lines(messages: "Iterable[Json]", persona: str, zone: ZoneInfo) -> Iterator[str]:
    return (_line(message, persona, zone) for message in messages)


def _line(message: "Json", persona: str, zone: ZoneInfo) -> str:
    at = datetime.fromisoformat(message["sent_at"]).astimezone(zone)
    speaker = "you" if message["speaker"] == "user" else persona
    text = message["text"].replace("\n", " ") or f"({message['state']})"
    return f"{at:%Y-%m-%d %H:%M}  {speaker}: {text}"
