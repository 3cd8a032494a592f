"""`echovessel persona …`: make, take, import and look at personas."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from echovessel.runtime.commands.options import AsJson, Locale
from echovessel.runtime.output import show

if TYPE_CHECKING:
    from echovessel.runtime.client import Json

group = typer.Typer(help="Make, take, import and look at personas.", no_args_is_help=True, rich_markup_mode=None)

Which = Annotated[
    str,
    typer.Argument(metavar="PERSONA", help="Name (or how it begins) or id of the persona; not needed with only one."),
]


@group.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the persona is called.")],
    about: Annotated[str, typer.Option(metavar="TEXT", help="Who the persona is.")] = "",
    style: Annotated[str, typer.Option(metavar="TEXT", help="How the persona speaks.")] = "",
    examples: Annotated[str, typer.Option(metavar="TEXT", help="Sample lines in the persona's voice.")] = "",
    greeting: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="How a first talk begins; may be given more than once.")
    ] = None,
    locale: Annotated[Locale, typer.Option(help="The persona's language.")] = Locale.EN,
    as_json: AsJson = False,
) -> None:
    """Make a persona from a description."""
    from echovessel.runtime.session import connected

    body = {
        "name": name,
        "about": about,
        "style": style,
        "examples": examples,
        "greetings": greeting or [],
        "locale": locale,
    }
    with connected(makes_home=True) as client:
        made = client.post("/api/v1/personas", body)
    show(made, [_made(made)], as_json=as_json)


@group.command("list")
def list_personas(as_json: AsJson = False) -> None:
    """List your personas."""
    from echovessel.runtime.session import connected

    with connected() as client:
        personas = list(client.all_items("/api/v1/personas"))
    nobody = ["No persona yet. `echovessel persona take` shows the library."]
    lines = [f"{p['name']}  {p['tagline']}".rstrip() for p in personas]
    show({"items": personas, "next": None}, lines or nobody, as_json=as_json)


@group.command("show")
def show_persona(persona: Which = "", as_json: AsJson = False) -> None:
    """Show one persona with its core blocks. With --json the macros of a card stay as they are."""
    from echovessel.runtime.session import connected
    from echovessel.runtime.talk import find_persona

    with connected() as client:
        found = find_persona(client, persona)
        blocks = list(client.all_items(f"/api/v1/personas/{found['id']}/core-blocks"))
        you = client.get("/api/v1/me")["name"]
    show({**found, "core_blocks": blocks}, _described(found, blocks, you), as_json=as_json)


@group.command("import")
def import_card(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A character card: JSON or PNG.")],
    as_json: AsJson = False,
) -> None:
    """Import a character card (V1, V2 or V3)."""
    from echovessel.core.errors import BadInput
    from echovessel.runtime.session import connected

    try:
        card = file.read_bytes()
    except OSError as cause:
        raise BadInput(
            f"{file} cannot be read: {cause.strerror}.", field="file", do="Name a card file that you may read."
        ) from cause
    with connected(makes_home=True) as client:
        made = client.upload("/api/v1/personas/import", card, "application/octet-stream", filename=file.name)
    show(made, [_made(made), *made["left_out"]], as_json=as_json)


@group.command()
def take(
    slug: Annotated[str, typer.Argument(metavar="SLUG", help="Which one; left out, the library is shown.")] = "",
    locale: Annotated[Locale | None, typer.Option(help="Its language; left out, your own.")] = None,
    as_json: AsJson = False,
) -> None:
    """Take a persona from the library that ships with EchoVessel."""
    from echovessel.runtime.session import connected

    with connected(makes_home=True) as client:
        spoken: str = locale or client.get("/api/v1/me")["locale"]
        if slug:
            made = client.post(f"/api/v1/library/{slug}", {"locale": spoken})
            show(made, [_made(made)], as_json=as_json)
            return
        shelf = [entry for entry in client.all_items("/api/v1/library") if entry["locale"] == spoken]
    lines = [f"{entry['slug']}  {entry['name']}: {entry['tagline']}" for entry in shelf]
    show({"items": shelf, "next": None}, [*lines, "Take one with `echovessel persona take SLUG`."], as_json=as_json)


def _made(persona: "Json") -> str:
    return f"{persona['name']} is here. Talk: echovessel chat {persona['name']!r}"


def _described(persona: "Json", blocks: "list[Json]", you: str) -> Iterator[str]:
    """The persona as it is read, with a card's macros filled in."""
    from echovessel.prompts.macros import fill_macros

    yield f"{persona['name']}  {persona['tagline']}".rstrip()
    yield f"{persona['kind']}, speaks {persona['locale']}, id {persona['id']}"
    for block in blocks:
        if block["text"]:
            yield f"\n[{block['label']}]  revision {block['revision']}"
            yield fill_macros(block["text"], you, persona["name"])
    if persona["greetings"]:
        yield "\n[greeting]"
        yield fill_macros(persona["greetings"][0], you, persona["name"])
