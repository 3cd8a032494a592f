"""The OpenAPI description: what the page's types and docs/reference/http.md are made from. It needs no doors."""

from collections.abc import Iterator
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from echovessel import __version__
from echovessel.api.dto.events import EventData
from echovessel.api.problems import MEDIA_TYPE, Problem
from echovessel.api.security.token import needs_token

Schema = dict[str, Any]

PROBLEM: Schema = {"$ref": "#/components/schemas/Problem"}

_DESCRIPTIONS = {
    "400": "The body is not JSON.",
    "401": "No token, or a wrong one.",
    "403": "The Host or Origin is not allowed.",
    "404": "There is no such thing, or it is not yours.",
    "408": "The body came too slowly.",
    "409": "Not now: the thing is in another state.",
    "413": "The body is too large.",
    "415": "The body is not said to be JSON.",
    "422": "An input cannot be taken; `field` names it.",
    "502": "The model did not give a usable answer.",
    "503": "Not available right now.",
    "504": "The model was too slow.",
    "default": "Any other problem.",
}

_SUMMARY = """EchoVessel's API. Errors are RFC 9457 problem details with a stable `code` and a `do` sentence. Lists are
`{"items": […], "next": cursor|null}`. Every `/api` route needs the token from the home's `token` file, as
`Authorization: Bearer …` or as the cookie that `/login` sets."""


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Documented problems of a route beyond those that follow from its shape."""
    return {status: {"model": Problem, "description": _DESCRIPTIONS[str(status)]} for status in statuses}


def raw_body(media_type: str, description: str, *, schema_type: str = "binary") -> Schema:
    """Documentation of a request body that is read as bytes."""
    schema: Schema = {"type": "string"} if schema_type == "string" else {"type": "string", "format": "binary"}
    content = {media_type: {"schema": schema}}
    return {"requestBody": {"required": True, "description": description, "content": content}}


def describe(app: FastAPI) -> Schema:
    """The OpenAPI document of an application, made once."""
    if app.openapi_schema is None:
        document = get_openapi(title="EchoVessel", version=__version__, description=_SUMMARY, routes=app.routes)
        schemas = cast("Schema", document["components"]["schemas"])
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        schemas |= _beside_the_routes()
        document["components"]["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "cookie": {"type": "apiKey", "in": "cookie", "name": "echovessel"},
        }
        for path, operation in _operations(document):
            _complete(path, operation)
        app.openapi_schema = document
    return app.openapi_schema


def _beside_the_routes() -> Schema:
    """Schemas that no JSON body of a route names: problems, and what the event stream holds."""
    made = models_json_schema(
        [(Problem, "serialization"), (EventData, "serialization")], ref_template="#/components/schemas/{model}"
    )
    return cast("Schema", made[1]["$defs"])


def _operations(document: Schema) -> Iterator[tuple[str, Schema]]:
    for path, methods in cast("dict[str, Schema]", document["paths"]).items():
        for operation in methods.values():
            yield path, cast("Schema", operation)


def _complete(path: str, operation: Schema) -> None:
    """Add the problems that follow from an operation's shape, and say that each is a problem document."""
    responses = cast("Schema", operation["responses"])
    statuses = {"403", "default"}
    if needs_token(path):
        operation["security"] = [{"bearer": []}, {"cookie": []}]
        statuses.add("401")
    if "{" in path:
        statuses.add("404")
    if any(parameter["in"] != "path" or "$ref" in parameter["schema"] for parameter in operation.get("parameters", ())):
        statuses.add("422")
    if body := operation.get("requestBody"):
        statuses |= {"408", "413", "422"}
        if "application/json" in body["content"]:
            statuses |= {"400", "415"}
    for status in statuses:
        responses.setdefault(status, {})["description"] = _DESCRIPTIONS[status]
    for status, response in responses.items():
        if status == "default" or status >= "400":
            response.setdefault("description", _DESCRIPTIONS[status])
            response["content"] = {MEDIA_TYPE: {"schema": PROBLEM}}
    operation["responses"] = dict(sorted(responses.items()))
