"""What every input and view shares: strictness, the text rules, instants and lists."""

import re
import unicodedata
from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from echovessel.core.time import iso, require_utc

ULID_EXAMPLE = "01KBBXQ3M0V2H8S4W6Y7Z9A1C3"


class Input(BaseModel):
    """What a client sends. Unknown fields and values of another type are refused, never guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class View(BaseModel):
    """What is answered."""

    model_config = ConfigDict(frozen=True)


def _whole(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("nul", "It holds a NUL character.")
    try:
        text.encode()
    except UnicodeEncodeError as cause:
        raise PydanticCustomError("surrogate", "It holds half of a surrogate pair.") from cause
    return text


def _one_line(text: str) -> str:
    if any(unicodedata.category(c) == "Cc" for c in _whole(text)):
        raise PydanticCustomError("control", "It holds a line break or another control character.")
    return text.strip()


def _not_blank(text: str) -> str:
    if not text:
        raise PydanticCustomError("blank", "It is empty.")
    return text


PROSE = AfterValidator(_whole)
"""Text of any shape, but without NUL and lone surrogates. Stands after the length, so that this is counted as sent."""

LINE = AfterValidator(_one_line)
"""Text without any control character, trimmed."""

Name = Annotated[str, Field(min_length=1, max_length=100), LINE, AfterValidator(_not_blank)]
"""A line of 1 to 100 characters."""

Instant = Annotated[
    AwareDatetime,
    PlainSerializer(iso, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-30T17:27:03.120Z"]}),
]
"""An instant, RFC 3339 in UTC with milliseconds."""

Id = Annotated[str, Field(description="A ULID.", examples=[ULID_EXAMPLE])]

_DATE_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}.*")


def _dated(value: object) -> object:
    if isinstance(value, str) and not _DATE_TIME.fullmatch(value):
        raise PydanticCustomError("datetime_form", "It is not RFC 3339.")
    return value


def _within_utc(at: datetime) -> datetime:
    try:
        return require_utc(at)
    except OverflowError as cause:
        raise PydanticCustomError(
            "datetime_range", "In UTC it lies before the year 1 or after the year 9999."
        ) from cause


Since = Annotated[Instant, Field(strict=False), BeforeValidator(_dated), AfterValidator(_within_utc)]
"""An instant that a client names in words; a bare number is no date."""

ItemT = TypeVar("ItemT")


class Listing(View, Generic[ItemT]):
    """A page of a list. Pass `next` as the cursor for the page after; it is null on the last one."""

    items: list[ItemT]
    next: str | None = None
