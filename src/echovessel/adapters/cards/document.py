"""The JSON document that a card is, from a file of its own or from a picture's text."""

import base64
import binascii
import json
from typing import cast

from echovessel.core.errors import BadInput

MOST_BYTES = 16 * 1024 * 1024


def document_of_chunk(payload: bytes) -> dict[str, object]:
    """The card in a picture's text: base64 as the formats have it; plain JSON is taken as well."""
    text = b"".join(payload.split())
    if text.startswith(b"{"):
        return document_of_json(payload)
    try:
        data = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error as cause:
        raise _damaged() from cause
    return document_of_json(data)


def document_of_json(data: bytes) -> dict[str, object]:
    """The object a JSON file holds, in UTF-8, UTF-16 or UTF-32, with or without a byte order mark."""
    if len(data) > MOST_BYTES:
        raise BadInput(
            f"The card's text is longer than {MOST_BYTES // 1024 // 1024} MB.",
            field="file",
            do="Remove pictures that are embedded in the JSON.",
        )
    if not data.strip():
        raise BadInput("The file is empty.", field="file", do="Give a character card as JSON or PNG.")
    try:
        found: object = json.loads(data)
    except UnicodeDecodeError as cause:
        raise BadInput(
            "This file is neither a PNG picture nor text in UTF-8.",
            field="file",
            do="Give a character card as PNG, or as JSON saved in UTF-8.",
        ) from cause
    except json.JSONDecodeError as cause:
        raise _no_json(data, cause) from cause
    except (ValueError, RecursionError) as cause:
        raise _damaged() from cause
    if not isinstance(found, dict):
        raise BadInput(
            "This JSON file holds no object, so it is no character card.",
            field="file",
            do="Give a V1, V2 or V3 character card.",
        )
    return cast("dict[str, object]", found)


def _no_json(data: bytes, cause: json.JSONDecodeError) -> BadInput:
    if cause.msg == "Extra data" and b"\n" in data:
        return BadInput(
            "This file holds one JSON object a line, as chats do: it is no character card.",
            field="file",
            do="Make or import the persona first; then take in its history with `echovessel import`.",
        )
    return BadInput(
        f"This file is no valid JSON: line {cause.lineno}, column {cause.colno}: {cause.msg}.",
        field="file",
        do="Give a character card as JSON or PNG; if it was cut short, download or copy it again.",
    )


def _damaged() -> BadInput:
    return BadInput("The card data is damaged.", field="file", do="Download or copy the file again.")
