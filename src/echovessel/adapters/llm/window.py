"""How much a model holds as a server of one's own runs it now.

The list of an endpoint tells what a model could hold at most. Ollama, LM Studio and llama.cpp give it less until they are told
otherwise, and say so in their own ways.
"""

import asyncio
import ipaddress
from urllib.parse import urlsplit

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.servers import asking, recognise
from echovessel.ports.nearby import NearbyModel

_OWN_ENDINGS = (".local", ".lan", ".internal", ".home.arpa", ".localhost")


AGAIN_S = 10.0
"""Until it is asked again when nobody told: a server may start later, and some know it only once the model is loaded."""
TOLD_FOR_S = 300.0
"""Until it is asked again when it was told: a server may load the model anew, with another window."""


class Window:
    """Asks now and then; never a provider, nor a program that answers and is none we know, and without a key."""

    def __init__(self, address: Address, model: str) -> None:
        self._address = address
        self._model = model
        self._tokens: int | None = None
        self._asks = is_own(address)
        self._ask_at = 0.0

    async def tokens(self) -> int | None:
        """Tokens of prompt and answer, as last told; None when nobody ever said."""
        now = asyncio.get_running_loop().time()
        if self._asks and now >= self._ask_at:
            root = f"{urlsplit(self._address.url).scheme}://{self._address.host}"
            async with asking(root) as ask:
                server = await recognise(ask)
            told = _held(server.models, self._model) if server else None
            self._asks = server is not None or not ask.answered
            self._ask_at = now + (TOLD_FOR_S if told else AGAIN_S)
            self._tokens = told or self._tokens
        return self._tokens


def is_own(address: Address) -> bool:
    """Whether an address is on this machine or in its own network, where asking in other ways than the protocol's is no
    intrusion."""
    host = urlsplit(address.url).hostname or ""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_OWN_ENDINGS)
    return ip.is_loopback or ip.is_private


def _held(models: tuple[NearbyModel, ...], name: str) -> int | None:
    """By name, where `:latest` is understood; a server of one model gives it whatever one asks for."""
    if len(models) == 1:
        return models[0].context_tokens
    return next((model.context_tokens for model in models if model.name in {name, f"{name}:latest"}), None)
