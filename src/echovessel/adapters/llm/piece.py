"""What an answer is made of, however the endpoint words it, and what can be wrong with it."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from echovessel.core.talk import Usage
from echovessel.ports.llm import JsonMode

MAX_TOKENS = 1_000_000_000
"""Of one call; a provider that counts more has not counted."""
MAX_NAME = 200
"""Characters of a model's name; what an endpoint calls itself beyond that is cut off."""

Count = Annotated[int, Field(ge=0, le=MAX_TOKENS)]


class NotTheProtocol(Exception):
    """The bytes are no model's answer; `what` says in half a sentence what they are instead."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class CutOff(Exception):
    """The bytes ended before the answer did."""


class ErrorInside(Exception):
    """An error object where an answer was due; `error` is its JSON value."""

    def __init__(self, error: object) -> None:
        super().__init__("error object in the answer")
        self.error = error


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What one event brought. `finish` is the finish reason, in the piece that ends the answer; `reading` says that
    the model is getting on with reading the question.

    `json_mode` comes in a piece of its own before the answer where JSON was asked for: what holds the answer to it.
    """

    speech: str = ""
    thought: str = ""
    reading: bool = False
    finish: str = ""
    model: str = ""
    usage: Usage | None = None
    json_mode: JsonMode | None = None
