from echovessel.adapters.llm.schemas import closed


def test_every_object_is_closed_and_nothing_else_changes() -> None:
    schema = {
        "type": "object",
        "properties": {
            "facts": {"type": "array", "items": {"type": "object", "properties": {"text": {"type": "string"}}}},
            "mood": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {}, "additionalProperties": True}]},
        },
        "required": ["facts", "mood"],
    }
    assert closed(schema) == {
        "type": "object",
        "properties": {
            "facts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"text": {"type": "string"}},
                    "additionalProperties": False,
                },
            },
            "mood": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {}, "additionalProperties": False}]},
        },
        "required": ["facts", "mood"],
        "additionalProperties": False,
    }
    assert "additionalProperties" not in schema, "the given schema is left as it is"
