"""HTTP for the model SDKs, made to do nothing on its own. Importing this takes a moment: only the SDK files do, in a thread."""

import httpx2
from typing_extensions import override

_NEEDED_HEADERS = frozenset(
    {
        "host",
        "accept",
        "authorization",
        "x-api-key",
        "anthropic-version",
        "content-type",
        "content-length",
        "connection",
    }
)


class BareTransport(httpx2.AsyncHTTPTransport):
    """Sends only what a request needs: the SDKs describe this computer in headers, and take more from the environment."""

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


def bare_client(timeout: httpx2.Timeout, proxy: str = "") -> httpx2.AsyncClient:
    """A client without redirects, kept connections, or proxies but the one that is named."""
    transport = BareTransport(
        trust_env=False, limits=httpx2.Limits(max_keepalive_connections=0), proxy=httpx2.Proxy(proxy) if proxy else None
    )
    return httpx2.AsyncClient(transport=transport, trust_env=False, follow_redirects=False, timeout=timeout)


def connecting_within(connect_s: float) -> httpx2.Timeout:
    """Bounds the time in which a connection must stand, in seconds; everything after it has deadlines of its own."""
    return httpx2.Timeout(None, connect=connect_s)
