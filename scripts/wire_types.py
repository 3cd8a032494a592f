"""Renew the page's types of what goes over the wire, from our OpenAPI document; `--check` fails where they are out of date.

Written for the JSON Schema that our own models give (objects, lists, unions, enums, references): anything else is refused,
so that no field can silently become `unknown`.
"""

import json
import sys
from pathlib import Path
from typing import Any

from echovessel.api.app import without_doors
from echovessel.api.openapi import describe

TARGET = Path(__file__).parents[1] / "web" / "src" / "wire" / "types.generated.ts"
HEAD = "// Made by scripts/wire_types.py from the OpenAPI document. Do not edit.\n"
REFERENCE = "#/components/schemas/"

SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}

Schema = dict[str, Any]


def generated() -> str:
    """The whole file."""
    schemas: dict[str, Schema] = describe(without_doors())["components"]["schemas"]
    return HEAD + "".join(f"\n{_declaration(name, schemas[name])}" for name in sorted(schemas))


def _declaration(name: str, schema: Schema) -> str:
    about = f"/** {_one_line(schema['description'])} */\n" if schema.get("description") else ""
    if schema.get("type") != "object" or "properties" not in schema:
        return f"{about}export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", ()))
    # What the daemon answers is always whole; in what it is sent, a field with a default may be left out.
    fields = (_field(key, value, optional=key not in required) for key, value in schema["properties"].items())
    return f"{about}export interface {name} {{\n{''.join(fields)}}}\n"


def _field(key: str, schema: Schema, *, optional: bool) -> str:
    about = f"  /** {_one_line(schema['description'])} */\n" if schema.get("description") else ""
    name = key if key.isidentifier() else json.dumps(key)
    return f"{about}  {name}{'?' if optional else ''}: {_type(schema)};\n"


def _type(schema: Schema) -> str:
    if reference := schema.get("$ref"):
        return str(reference).removeprefix(REFERENCE)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(one) for one in schema[union]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    return _of_kind(schema)


def _of_kind(schema: Schema) -> str:
    match schema.get("type"):
        case "array":
            item = _type(schema.get("items", {}))
            return f"({item})[]" if " | " in item else f"{item}[]"
        case "object":
            values: Schema | bool = schema.get("additionalProperties", True)
            return f"Record<string, {'unknown' if isinstance(values, bool) else _type(values)}>"
        case None if not schema.keys() - {"title", "description", "default"}:
            return "unknown"
        case kind if kind in SIMPLE:
            return SIMPLE[kind]
        case _:
            message = f"The wire has a shape this script does not know: {schema}"
            raise NotImplementedError(message)


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("*/", "* /")


def main(check: bool) -> int:
    """Write the file, or compare it with what it should be."""
    text = generated()
    if check and (not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != text):
        print(f"{TARGET.name} is out of date: run `python scripts/wire_types.py`.", file=sys.stderr)
        return 1
    if not check:
        TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
