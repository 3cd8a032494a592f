"""What to offer of the models that were found on this machine, in words."""

import shlex
from collections.abc import Sequence

from echovessel.ports.front import Check, Verdict
from echovessel.ports.nearby import NearbyServer

SHOWN = 3
"""Models that are named of one server."""


def offer(servers: Sequence[NearbyServer]) -> Check:
    """What could be connected, while no model is."""
    around = f"Found: {whom_we_found(servers)}." if servers else "No server of models was found on this machine."
    return Check(
        name="model",
        verdict=Verdict.NOTE,
        found=f"None is connected: the keeper answers. {around}",
        do=how_to_connect(servers),
    )


def whom_we_found(servers: Sequence[NearbyServer]) -> str:
    """The servers with their models."""
    return "; ".join(f"{server.program} {_has(server)}" for server in servers)


def how_to_connect(servers: Sequence[NearbyServer]) -> str:
    """What to do to have a model."""
    if not servers:
        return "Connect one on the page, or set base_url and model in [llm] of config.toml."
    first = servers[0]
    if first.models:
        return f"Connect it on the page, or with `{connecting(first)}`."
    get = "`ollama pull qwen3:8b`" if first.program == "Ollama" else f"in {first.program}"
    return f"Get a model there first ({get}), then connect it on the page."


def connecting(server: NearbyServer) -> str:
    """The command that connects a server's first model."""
    url, model = shlex.quote(server.base_url), shlex.quote(server.models[0].name)
    return f"echovessel init --model-url {url} --model {model}"


def _has(server: NearbyServer) -> str:
    names = [model.name for model in server.models[:SHOWN]]
    more = f" and {len(server.models) - SHOWN} more" if len(server.models) > SHOWN else ""
    return f"with {', '.join(names)}{more}" if names else "without a model"
