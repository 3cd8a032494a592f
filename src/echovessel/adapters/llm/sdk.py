"""The openai SDK, made to do nothing on its own. Importing this takes about a second: only `line` does, in a thread."""

import httpx2
from openai import AsyncOpenAI
from typing_extensions import override

_NEEDED_HEADERS = frozenset({"host", "accept", "authorization", "content-type", "content-length", "connection"})


class BareTransport(httpx2.AsyncHTTPTransport):
    """Sends only what a request needs: the SDK describes this computer in headers, and takes more from the environment."""

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request with the headers it needs and our name."""
        needed = [(name, value) for name, value in request.headers.multi_items() if name.lower() in _NEEDED_HEADERS]
        bare = httpx2.Request(
            request.method,
            request.url,
            headers=[*needed, ("User-Agent", "echovessel")],
            stream=request.stream,
            extensions=request.extensions,
        )
        return await super().handle_async_request(bare)


def make_client(url: str, connect_s: float) -> AsyncOpenAI:
    """A client without retries, redirects, kept connections, or proxies of the environment; keys come with each request."""
    timeout = httpx2.Timeout(None, connect=connect_s)
    transport = BareTransport(trust_env=False, limits=httpx2.Limits(max_keepalive_connections=0))
    client = AsyncOpenAI(
        base_url=url,
        api_key="comes with each request",
        max_retries=0,
        timeout=timeout,
        http_client=httpx2.AsyncClient(transport=transport, trust_env=False, follow_redirects=False, timeout=timeout),
    )
    _ = client.chat.completions, client.models  # importing these takes a moment too
    return client
