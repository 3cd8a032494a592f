"""Errors as RFC 9457 problem details: a stable `code`, what happened, what to `do`, and the `field` when it is one's fault."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Match

from echovessel.api.dto.base import View
from echovessel.api.invalid import explain
from echovessel.core.errors import (
    BadInput,
    Conflict,
    DiskFull,
    EchoVesselError,
    ModelBusy,
    ModelDown,
    ModelTimeout,
    NotFound,
    PortDown,
    StoreUnusable,
)

MEDIA_TYPE = "application/problem+json"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")

# The first class that fits decides.
_STATUS: tuple[tuple[type[EchoVesselError], HTTPStatus], ...] = (
    (BadInput, HTTPStatus.UNPROCESSABLE_ENTITY),
    (NotFound, HTTPStatus.NOT_FOUND),
    (Conflict, HTTPStatus.CONFLICT),
    (ModelBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (ModelTimeout, HTTPStatus.GATEWAY_TIMEOUT),
    (ModelDown, HTTPStatus.BAD_GATEWAY),
    (DiskFull, HTTPStatus.INSUFFICIENT_STORAGE),
    (PortDown, HTTPStatus.SERVICE_UNAVAILABLE),
    (StoreUnusable, HTTPStatus.SERVICE_UNAVAILABLE),
    (EchoVesselError, HTTPStatus.INTERNAL_SERVER_ERROR),
)

# What the framework and the guards refuse by status alone: (code, detail, do).
_PLAIN: Mapping[int, tuple[str, str, str]] = {
    400: ("not-json", "The body is not JSON.", "Send JSON in UTF-8 with Content-Type: application/json."),
    404: ("no-such-route", "There is nothing at this address.", "See /api/openapi.json for what there is."),
    405: ("method-not-allowed", "This address does not know that method.", "Use a method from the Allow header."),
}


class Problem(View):
    """What went wrong (RFC 9457)."""

    type: str = Field(examples=["about:blank"])
    title: str = Field(description="The phrase of the HTTP status.", examples=["Unprocessable Content"])
    status: int = Field(examples=[422])
    detail: str = Field(description="What happened, in a sentence.", examples=["`text` is empty."])
    code: str = Field(description="Stable, for programs.", examples=["bad-input"])
    do: str = Field(description="What you can do about it.", examples=["Write at least one character."])
    field: str | None = Field(None, description="Which input is wrong, when it is one.", examples=["text"])


class Refused(HTTPException):
    """A guard's or route's refusal with a status, a code and a remedy of its own."""

    def __init__(
        self, status: int, code: str, detail: str, *, do: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status, detail, headers)
        self.code = code
        self.do = do


def problem_response(
    status: int, code: str, detail: str, do: str, *, field: str | None = None, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """The response for one problem; `field` is left out when there is none."""
    problem = Problem(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=_sayable(detail),
        code=code,
        do=do,
        field=None if field is None else _sayable(field),
    )
    return JSONResponse(
        problem.model_dump(exclude_none=True), status_code=status, headers=headers, media_type=MEDIA_TYPE
    )


def refusal(refused: Refused) -> JSONResponse:
    """The response for a refusal."""
    return problem_response(refused.status_code, refused.code, refused.detail, refused.do, headers=refused.headers)


def install(app: FastAPI) -> None:
    """Answer every error of the routes as a problem."""
    app.add_exception_handler(EchoVesselError, _our_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _bug)


def _sayable(text: str) -> str:
    """`text` without what UTF-8 cannot carry: a client's own field name may hold anything."""
    return text.encode("utf-8", "replace").decode("utf-8")


async def _our_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, EchoVesselError)
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    headers: dict[str, str] = {}
    if isinstance(error, PortDown) and error.retry_after is not None:
        headers["Retry-After"] = str(max(1, round(error.retry_after)))
    field = error.field if isinstance(error, BadInput) else None
    return problem_response(status, error.code, error.message, error.do, field=field, headers=headers)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    wrong = explain(error.errors(), request.headers.get("content-type", ""))
    return problem_response(wrong.status, wrong.code, wrong.detail, wrong.do, field=wrong.field)


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error, Refused):
        return refusal(error)
    code, detail, do = _PLAIN.get(error.status_code, ("refused", str(error.detail), "See /api/openapi.json."))
    headers = {"Allow": _allowed(request)} if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED else error.headers
    return problem_response(error.status_code, code, detail, do, headers=headers)


def _allowed(request: Request) -> str:
    """Every method the path knows: the framework names only those of the first route that fits."""

    def known(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    return ", ".join(method for method in METHODS if known(method))


async def _gone(_: Request, __: Exception) -> JSONResponse:
    """The client left before its body was here: nobody reads this."""
    return problem_response(400, "client-gone", "The body ended early.", "Send it again.")


async def _bug(_: Request, __: Exception) -> JSONResponse:
    """A bug of ours. The log has it; the caller gets no inside of it."""
    return problem_response(
        500,
        "internal",
        "Something broke inside EchoVessel. What you had said before is kept.",
        "Try again; if it stays, look into the log and report it.",
        headers={"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"},
    )
