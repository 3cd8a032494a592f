"""`echovessel reindex`: give every text a vector of the embedder in use."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from echovessel.runtime.commands.options import AsJson
from echovessel.runtime.output import note, show

if TYPE_CHECKING:
    from echovessel.runtime.client import Client, Json

LOOK_EVERY_S = 1.0
TELL_EVERY_S = 5.0
"""Between two lines about how far it is."""
STUCK_AFTER_S = 60.0
"""Without a new vector: then the embedder is asked what is the matter."""


def reindex(
    anew: Annotated[
        bool, typer.Option("--anew", help="Calibrate the embedder again and make every vector anew.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Give every text a vector of the embedder in use, so that it is found by meaning.

    An embedder of your own is calibrated first, if it never was. You may stop at any time: what is done is kept, and the rest
    is made while EchoVessel runs, or when you come back. Recall by words works meanwhile; old vectors stay until all are new.
    Say --anew when another model was put under the same name.
    """
    from echovessel.runtime.session import connected

    with connected() as client:
        found = client.get("/api/v1/embedder")
        if anew or not found["calibrated"]:
            note(
                f"Calibrating {found['embedder'].rpartition('@')[0]}: it embeds several thousand lines, which may take minutes."
            )
        try:
            state = _ready(client, anew=anew)
            idle = not state["waiting"] and not state["others"]
            state = state if idle else _followed(client, state)
        except KeyboardInterrupt:
            note("Stopped: what is done is kept, and the rest is made while EchoVessel runs.")
            raise
    show(state, ["Nothing is to be done." if idle else "Done.", *_told(state)], as_json=as_json)


def _ready(client: "Client", *, anew: bool) -> "Json":
    """The state when the embedder is calibrated and answers."""
    state = client.post("/api/v1/embedder/prepare", {"anew": anew}, patient=True)
    while state["measuring"]:
        state = client.post("/api/v1/embedder/prepare", {"anew": False}, patient=True)
    return state


def _followed(client: "Client", state: "Json") -> "Json":
    """The state when nothing waits any more; how far it is is told on standard error meanwhile."""
    told = moved = time.monotonic()
    note(_progress(state))
    while state["waiting"] or state["others"]:
        time.sleep(LOOK_EVERY_S)
        before, state = state, client.get("/api/v1/embedder")
        now = time.monotonic()
        if state != before:
            moved = now
        if now - moved > STUCK_AFTER_S:
            _ready(client, anew=False)  # says what is the matter
            moved = now
        if now - told > TELL_EVERY_S and state["waiting"]:
            note(_progress(state))
            told = now
    return state


def _progress(state: "Json") -> str:
    return f"{state['embedded']:,} of {state['embedded'] + state['waiting']:,} texts have their vector."


def _told(state: "Json") -> Iterator[str]:
    yield f"Every text has its vector: {state['embedded']:,} of {state['embedder']}, {state['dimension']} numbers each."
