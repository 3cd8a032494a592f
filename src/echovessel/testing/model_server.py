"""A model endpoint on this machine: a real HTTP server that speaks chat completions and fails on request.

    with ModelServer() as server:
        server.will(says("Good evening."), fails(429, retry_after=1), cuts_after("I was just"))
        ... the program under test, with base_url=server.base_url ...
        assert server.asked[0].body["model"] == "scripted"

What it answers with are the scripts of `testing.model_scripts`, one a request, in order; when they are used up it says
`idle`. `/v1/models` lists `models`, or does what `lists` says.
"""

import socket
import ssl
from collections.abc import Sequence

from typing_extensions import override

from echovessel.testing.served import Exchange, Script, ScriptedServer


class ModelServer(ScriptedServer):
    """Speaks as OpenAI does."""

    def __init__(
        self, *, models: Sequence[str] = ("scripted",), idle: Script | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        super().__init__(idle=idle, tls=tls)
        self.models = tuple(models)

    @property
    def base_url(self) -> str:
        """What to put into `llm.base_url`."""
        return f"{self.address}/v1"

    @override
    def route(self, exchange: Exchange) -> None:
        match exchange.asked.path:
            case "/v1/models" if self.lists is not None:
                self.lists(exchange)
            case "/v1/models":
                listed = [{"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in self.models]
                exchange.json(200, {"object": "list", "data": listed})
            case "/v1/chat/completions" if (script := self.next_script()) is not None:
                script(exchange)
            case path:
                exchange.json(404, {"error": {"message": f"Nothing at {path}", "type": "not_found_error"}})


def refused_address() -> tuple[socket.socket, str]:
    """A base URL at which every connection is refused, as long as the socket is held; close it afterwards."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    return held, f"http://127.0.0.1:{held.getsockname()[1]}/v1"
