"""A token before every /api route and /metrics, even on localhost: other programs and pages live here too."""

import hmac

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from echovessel.api.problems import Refused, refusal

COOKIE = "echovessel"


def same_token(shown: str, token: str) -> bool:
    """Compare in a time that does not depend on where they differ."""
    return bool(token) and hmac.compare_digest(shown.encode("utf-8", "replace"), token.encode())


class TokenGuard:
    """Refuses /api and /metrics requests that show no token, or a wrong one, as bearer or cookie."""

    def __init__(self, app: ASGIApp, *, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through that needs no token or shows the right one."""
        if scope["type"] == "http" and needs_token(scope["path"]):
            shown = _shown(Headers(scope=scope))
            if not same_token(shown, self._token):
                await _refused(shown)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def needs_token(path: str) -> bool:
    """Whether only who knows the token is answered at this path."""
    return path in {"/api", "/metrics"} or path.startswith("/api/")


def _shown(headers: Headers) -> str:
    """The token a request shows; a bearer wins over a cookie."""
    scheme, _, value = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip()
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


def _refused(shown: str) -> ASGIApp:
    code, detail = ("wrong-token", "The token is wrong.") if shown else ("no-token", "The token is missing.")
    return refusal(
        Refused(
            401,
            code,
            detail,
            do="Log in with the link that `echovessel run` prints, or send `Authorization: Bearer` with the token.",
            headers={"WWW-Authenticate": 'Bearer realm="echovessel"'},
        )
    )
