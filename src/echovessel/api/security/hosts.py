"""Which names we answer to, and whose pages may ask: against DNS rebinding and requests forged by other sites.

A page elsewhere can make a browser send requests here. It cannot choose the Host the browser names (rebinding shows its own
name) nor the Origin the browser adds.
"""

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from echovessel.api.problems import Refused, refusal

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class HostGuard:
    """Refuses a Host that is not ours; for /api and for what changes something, also an Origin that is not the Host's own.

    `allowed` gives further Host names, with a port (then only that port) or without (then any).
    """

    def __init__(self, app: ASGIApp, *, allowed: Callable[[], Sequence[str]]) -> None:
        self._app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through whose Host and Origin are ours."""
        if scope["type"] == "http":
            refused = self._judge(scope["method"], scope["path"], Headers(scope=scope))
            if refused is not None:
                await refusal(refused)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _judge(self, method: str, path: str, headers: Headers) -> Refused | None:
        hosts = headers.getlist("host")
        host = hosts[0].strip().lower() if len(hosts) == 1 else ""
        if not self._is_ours(host):
            return Refused(
                403,
                "host-not-allowed",
                "This server does not answer to that Host name.",
                do="Use localhost, or add the name to [server] allowed_hosts in config.toml.",
            )
        if (method not in SAFE or path.startswith("/api")) and not _same_origin(headers, host):
            return Refused(
                403,
                "origin-not-allowed",
                "Another site's page may not do this.",
                do="Open EchoVessel's own page, or call from a program, without an Origin header.",
            )
        return None

    def _is_ours(self, host: str) -> bool:
        name = _name(host)
        return bool(name) and (name in LOCAL or any(a.lower() in (name, host) for a in self._allowed()))


def _name(host: str) -> str:
    """`host` without its port; empty when it is no host at all."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises for a port that is no number
    except ValueError:
        return ""
    if parts.netloc != host or "@" in host or not parts.hostname:
        return ""
    return f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname


def _same_origin(headers: Headers, host: str) -> bool:
    """Programs send neither header. Browsers send an Origin with what changes something and across origins, and say how far
    away the asking page is; a page on another port of this host is another site to us."""
    if headers.get("sec-fetch-site", "none").lower() not in {"none", "same-origin"}:
        return False
    origins = headers.getlist("origin")
    return not origins or (len(origins) == 1 and origins[0].strip().lower() in {f"http://{host}", f"https://{host}"})
