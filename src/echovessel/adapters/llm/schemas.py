"""JSON Schemas as the providers' structured outputs want them, and in words where nothing else holds an answer to them."""

import json
from collections.abc import Mapping, Sequence
from typing import cast


def closed(schema: Mapping[str, object]) -> dict[str, object]:
    """The same schema, with `additionalProperties: false` in every object in it: without, OpenAI and Anthropic refuse it."""
    shut = {key: _closed_inside(value) for key, value in schema.items()}
    return shut | {"additionalProperties": False} if schema.get("type") == "object" else shut


def in_words(schema: Mapping[str, object]) -> str:
    """The request for JSON after this schema. It holds the word JSON, without which some JSON modes refuse to work."""
    return f"Answer with one JSON object and nothing else. Its JSON Schema:\n{json.dumps(schema, ensure_ascii=False)}"


def _closed_inside(value: object) -> object:
    if isinstance(value, Mapping):
        return closed(cast("Mapping[str, object]", value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_closed_inside(one) for one in cast("Sequence[object]", value)]
    return value
