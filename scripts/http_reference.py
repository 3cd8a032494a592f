"""What docs/reference/http.md says of routes and objects, from the OpenAPI document; cog calls `routes` and `objects`."""

from collections.abc import Iterator
from typing import Any

from echovessel.api.app import without_doors
from echovessel.api.openapi import describe

Schema = dict[str, Any]

# Every route of /api can answer these; they are told once, at the top of the page.
EVERYWHERE = frozenset({"400", "401", "403", "408", "413", "415", "422", "default"})

NAMES = {"date-time": "instant", "string": "text", "integer": "whole number"}


def routes() -> str:
    """Each route: what it does, what it takes, what it answers."""
    paths: dict[str, dict[str, Schema]] = describe(without_doors())["paths"]
    known = [(path, method, operation) for path, methods in paths.items() for method, operation in methods.items()]
    subjects = list(dict.fromkeys(operation["tags"][0] for _, _, operation in known))
    return "\n\n".join(
        f"## {subject.capitalize()}\n\n"
        + "\n\n".join(_route(path, method, op) for path, method, op in known if op["tags"][0] == subject)
        for subject in subjects
    )


def objects() -> str:
    """Each object that routes name, with its fields."""
    schemas: dict[str, Schema] = describe(without_doors())["components"]["schemas"]
    return "\n\n".join(_object(name, schemas[name]) for name in sorted(schemas))


def _route(path: str, method: str, operation: Schema) -> str:
    lines = [f"### {method.upper()} {path}", "", _one_line(operation["description"])]
    details = [*_parameters(operation), *_body(operation), *_answers(operation)]
    return "\n".join([*lines, "", *details])


def _parameters(operation: Schema) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] != "path":
            kind = "header" if parameter["in"] == "header" else "query"
            yield f"- {kind} `{parameter['name']}`: {_field(parameter['schema'], parameter.get('description', ''))}"


def _body(operation: Schema) -> Iterator[str]:
    if body := operation.get("requestBody"):
        for media_type, content in body["content"].items():
            what = body.get("description") or _type(content["schema"])
            yield f"- body `{media_type}`: {what}"


def _answers(operation: Schema) -> Iterator[str]:
    for status, response in operation["responses"].items():
        if status in EVERYWHERE:
            continue
        schemas = [content["schema"] for content in response.get("content", {}).values()]
        said = status < "400" and schemas and "$ref" in schemas[0]
        yield f"- answers {status}: {_type(schemas[0]) if said else _one_line(response['description'])}"


def _object(name: str, schema: Schema) -> str:
    head = f"### {name}\n\n{_one_line(schema.get('description', ''))}".rstrip()
    if "enum" in schema:
        return f"{head}\n\nOne of {_type(schema)}."
    required = set(schema.get("required", ()))
    fields = [
        f"- `{key}`{'' if key in required else ' (optional)'}: {_field(part, part.get('description', ''))}"
        for key, part in schema.get("properties", {}).items()
    ]
    return "\n\n".join([head, "\n".join(fields)]) if fields else head


def _field(schema: Schema, description: str) -> str:
    default = schema.get("default")
    given = f", by default `{default}`" if default not in (None, "", []) else ""
    return f"{_type(schema)}{given}. {_one_line(description)}".rstrip()


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_type(option) for option in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    if isinstance(values := schema.get("additionalProperties"), dict):
        return f"object of {_type(values)}"  # pyright: ignore[reportUnknownArgumentType]
    kind = str(schema.get("type", "anything"))
    return NAMES.get(str(schema.get("format")), NAMES.get(kind, kind))


def _one_line(text: str) -> str:
    return " ".join(text.split())
