"""An endpoint of the Messages API on this machine: a real HTTP server that answers as Claude does and fails on request.

    with AnthropicServer() as server:
        server.will(says("Good evening."), fails(529, "overloaded_error"), cuts_after("I was just"))
        ... the program under test, with kind="anthropic", base_url=server.base_url and any key ...

What it answers with are the scripts of `testing.anthropic_scripts`, one a request, in order; when they are used up it says
`idle`. A request that breaks the rules of the API is refused, and uses up no script. `/v1/models` lists `models` in pages,
or does what `lists` says.
"""

import ssl
from collections.abc import Mapping, Sequence
from itertools import takewhile
from urllib.parse import parse_qs, urlsplit

from typing_extensions import override

from echovessel.testing.anthropic_rules import invalid, unauthorised
from echovessel.testing.anthropic_scripts import fails
from echovessel.testing.served import Exchange, Script, ScriptedServer

CONTEXT_TOKENS = 200_000
_A_PAGE = 20


class AnthropicServer(ScriptedServer):
    """Speaks as Anthropic does."""

    def __init__(
        self, *, models: Sequence[str] = ("scripted",), idle: Script | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        super().__init__(idle=idle, tls=tls)
        self.models = tuple(models)

    @property
    def base_url(self) -> str:
        """What to put into `llm.base_url`."""
        return self.address

    @override
    def route(self, exchange: Exchange) -> None:
        asked = exchange.asked
        if refused := unauthorised(asked):
            fails(401, "authentication_error", refused)(exchange)
            return
        match urlsplit(asked.path).path:
            case "/v1/models" if self.lists is not None:
                self.lists(exchange)
            case "/v1/models":
                exchange.json(200, self._page(urlsplit(asked.path).query))
            case "/v1/messages" if wrong := invalid(asked):
                fails(400, "invalid_request_error", wrong)(exchange)
            case "/v1/messages" if (script := self.next_script()) is not None:
                script(exchange)
            case _:
                fails(404, "not_found_error", "Not Found")(exchange)

    def _page(self, query: str) -> Mapping[str, object]:
        asked = parse_qs(query)
        limit, after = int(asked.get("limit", [str(_A_PAGE)])[0]), asked.get("after_id", [""])[0]
        seen = [*takewhile(lambda name: name != after, self.models)] if after else []
        left = self.models[len(seen) + 1 :] if after else self.models
        page = left[:limit]
        return {
            "data": [_model(name) for name in page],
            "has_more": len(left) > limit,
            "first_id": page[0] if page else None,
            "last_id": page[-1] if page else None,
        }


def _model(name: str) -> Mapping[str, object]:
    return {
        "type": "model",
        "id": name,
        "display_name": name.title(),
        "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": CONTEXT_TOKENS,
        "max_tokens": 64_000,
    }
