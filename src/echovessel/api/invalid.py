"""Turn a validation error into a plain sentence that names the field, and its remedy. What was sent is never repeated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FIELD_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Wrong:
    """What was wrong with a request."""

    status: int
    code: str
    detail: str
    do: str
    field: str | None


_SURROGATE = ("holds half of a surrogate pair", "Send whole characters: remove lone \\ud800 … \\udfff.")

# pydantic's error type → (what is wrong with the field, what to do). Braces are filled from the error's context.
# https://docs.pydantic.dev/latest/errors/validation_errors/
_WORDS: Mapping[str, tuple[str, str]] = {
    "missing": ("is missing", "Send it."),
    "extra_forbidden": ("is not a field of this request", "Leave it out, or check its spelling."),
    "blank": ("is empty", "Write at least one character."),
    "nul": ("holds a NUL character", "Remove the character U+0000."),
    "control": ("holds a line break or another control character", "Write it in one line."),
    "url": (
        "is not an address we can call",
        "Use http:// or https:// with a host, and without a user name or password.",
    ),
    "profile_name": (
        "cannot name a profile",
        "Use small letters, digits, - and single _ only, up to 40 of them.",
    ),
    "string_type": ("is not text", "Send a JSON string."),
    "surrogate": _SURROGATE,
    "string_unicode": _SURROGATE,
    "string_too_short": ("is shorter than {min_length} characters", "Write at least {min_length}."),
    "string_too_long": ("is longer than {max_length} characters", "Shorten it to {max_length}."),
    "string_pattern_mismatch": ("has a form we do not take", "Use a value that matches {pattern}."),
    "int_type": ("is not a whole number", "Send a JSON number without a fraction."),
    "int_parsing": ("is not a whole number", "Send digits only."),
    "int_parsing_size": ("is too large", "Send a smaller number."),
    "int_from_float": ("is not a whole number", "Send a number without a fraction."),
    "float_type": ("is not a number", "Send a JSON number."),
    "finite_number": ("is not a finite number", "Send a finite number."),
    "bool_type": ("is neither true nor false", "Send true or false."),
    "bool_parsing": ("is neither true nor false", "Send true or false."),
    "list_type": ("is not a list", "Send a JSON array."),
    "too_long": ("has more than {max_length} entries", "Send at most {max_length}."),
    "literal_error": ("is not {expected}", "Use {expected}."),
    "enum": ("is not {expected}", "Use {expected}."),
    "greater_than": ("is too small", "Send more than {gt}."),
    "greater_than_equal": ("is too small", "Send {ge} or more."),
    "less_than": ("is too large", "Send less than {lt}."),
    "less_than_equal": ("is too large", "Send {le} or less."),
    "timezone_aware": ("has no time zone", "Send RFC 3339 such as 2026-11-30T17:27:03Z."),
    "model_attributes_type": ("is not an object", "Send a JSON object in braces."),
    "dict_type": ("is not an object", "Send a JSON object in braces."),
    "model_type": ("is not an object", "Send a JSON object in braces."),
}
_DATES = ("is not a date and time", "Send RFC 3339 such as 2026-11-30T17:27:03Z.")
_OTHERWISE = ("cannot be taken", "See this route in /api/openapi.json.")


def explain(errors: Sequence[Any], content_type: str) -> Wrong:
    """The first error in words. Errors of the whole body become 400 (not JSON) or 415 (not said to be JSON)."""
    first: Mapping[str, Any] = errors[0]
    kind = str(first["type"])
    where = tuple(first["loc"])
    if kind == "json_invalid":
        return _not_json(f"The body is not JSON (at character {where[-1]}).")
    if where == ("body",) and not _says_json(content_type):
        return _not_said_to_be_json() if kind != "missing" else _no_body()
    if where == ("body",) and kind == "missing":
        return _no_body()
    if kind == "string_too_short" and first["ctx"]["min_length"] == 1:
        kind = "blank"
    what, do = _DATES if kind.startswith("datetime_") else _WORDS.get(kind, _OTHERWISE)
    context: Mapping[str, Any] = first.get("ctx") or {}
    field = _field(where)
    return Wrong(
        422, "bad-input", f"`{field}` {what.format_map(_Gaps(context))}.", do.format_map(_Gaps(context)), field
    )


class _Gaps(dict[str, Any]):
    """A context in which a missing value reads as an ellipsis."""

    def __missing__(self, key: str) -> str:
        return "…"


def _says_json(content_type: str) -> bool:
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type == "application/json" or (media_type.startswith("application/") and media_type.endswith("+json"))


def _field(where: Sequence[object]) -> str:
    """`body.llm.base_url` → `llm.base_url`; the body itself is `body`."""
    path = where[1:] if len(where) > 1 else where
    return ".".join(str(step) for step in path)[:FIELD_LENGTH]


def _not_json(detail: str) -> Wrong:
    return Wrong(400, "not-json", detail, "Send JSON in UTF-8 with Content-Type: application/json.", "body")


def _no_body() -> Wrong:
    return Wrong(
        422, "bad-input", "The body is missing.", "Send a JSON object, with Content-Type: application/json.", "body"
    )


def _not_said_to_be_json() -> Wrong:
    return Wrong(
        415, "not-json", "The body is not said to be JSON.", "Send it with Content-Type: application/json.", "body"
    )
