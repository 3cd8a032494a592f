"""Showing the token once: afterwards a cookie that scripts cannot read stands for it."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field, SecretStr
from starlette.responses import RedirectResponse, Response

from echovessel.api.doors import DoorsDep
from echovessel.api.dto.base import Input
from echovessel.api.openapi import errors
from echovessel.api.problems import Refused
from echovessel.api.security.token import COOKIE, same_token

router = APIRouter(prefix="/login", tags=["logging in"])

YEAR_S = 365 * 24 * 3600


class Login(Input):
    """The token from the home's `token` file."""

    token: Annotated[SecretStr, Field(strict=False, max_length=1000)]


class LoginQuery(Input):
    """The token in a link, as `echovessel run` prints it."""

    token: Annotated[SecretStr, Field(strict=False, max_length=1000)]


@router.post(
    "",
    operation_id="login",
    status_code=204,
    responses=errors(401),
    response_class=Response,
    response_description="The cookie is set.",
)
async def login(shown: Login, request: Request, doors: DoorsDep) -> Response:
    """Set the cookie."""
    _check(shown.token, doors.token)
    return _with_cookie(Response(status_code=204), request, doors.token)


@router.get(
    "",
    operation_id="loginByLink",
    status_code=303,
    responses=errors(401),
    response_class=RedirectResponse,
    response_description="The cookie is set; on to the page.",
)
async def login_by_link(query: Annotated[LoginQuery, Query()], request: Request, doors: DoorsDep) -> Response:
    """Set the cookie and go on to the page."""
    # The server's access log is written from the scope after the answer: it may not hold the token.
    request.scope["query_string"] = b""
    _check(query.token, doors.token)
    return _with_cookie(RedirectResponse("/", status_code=303), request, doors.token)


def _check(shown: SecretStr, token: str) -> None:
    if not same_token(shown.get_secret_value(), token):
        raise Refused(
            401, "wrong-token", "That is not the token of this home.", do="Copy it from the file `token` in the home."
        )


def _with_cookie(response: Response, request: Request, token: str) -> Response:
    """Only requests to /api carry it: cookies know no ports, and other programs listen on this host too."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=YEAR_S,
        path="/api",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response
