"""What an endpoint accepts of the Messages API, learned from what it rejects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from echovessel.adapters.llm.anthropic.body import body_of
from echovessel.adapters.llm.schemas import closed, in_words
from echovessel.adapters.llm.turns import Turn, system_of, turns_of
from echovessel.ports.llm import ChatRequest, JsonMode

_TOOL = "answer"
_HIGHEST_TEMPERATURE = 1.0
_NOT_FOR_IT = ("output_config", "output_format", "structured output", "json_schema")


class JsonBy(Enum):
    """What is sent to hold an answer to a schema; each step is taken when the one before it was rejected."""

    FORMAT = auto()
    TOOL = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Dialect:
    """What to send. The start is what Anthropic takes; each rejection takes one step away from it.

    `told`: the schema stands in the prompt too, as nothing is known to hold the answer to it. llama.cpp takes an output
    format and forced tools without a word, and minds neither.
    """

    temperature: bool = True
    cache: bool = True
    json_by: JsonBy = JsonBy.FORMAT
    told: bool = False

    def body(self, request: ChatRequest, longest: int) -> dict[str, object]:
        """The request's fields beside model and stream. `longest`: tokens of the answer where the request names none."""
        system, turns = system_of(request.messages), turns_of(request.messages)
        if request.schema is not None and self.told:
            turns = _told(turns, request.schema)
        fields = body_of(system, turns, cached=self.cache)
        fields["max_tokens"] = request.max_tokens or longest
        if request.temperature is not None and self.temperature:
            fields["temperature"] = min(request.temperature, _HIGHEST_TEMPERATURE)
        if request.schema is not None:
            fields |= self._held_to(request.schema)
        return fields

    def json_mode(self, request: ChatRequest) -> JsonMode | None:
        """What holds the answer to the request's schema; None when it has none."""
        if request.schema is None:
            return None
        return "none" if self.told else "schema"

    def answers_by_tool(self, request: ChatRequest) -> bool:
        """Whether the answer is to be the input of a tool."""
        return request.schema is not None and self.json_by is JsonBy.TOOL

    def after(self, rejection: str, request: ChatRequest) -> "Dialect | None":
        """The dialect to try next, given the words of a 400 or 422; None when they name nothing we could leave out.

        The steps only ever go one way, so that asking again comes to an end.
        """
        words = rejection.lower()
        if self.temperature and "temperature" in words:
            return replace(self, temperature=False)
        if self.cache and "cache_control" in words:
            return replace(self, cache=False)
        if request.schema is None:
            return None
        if self.json_by is JsonBy.FORMAT and any(name in words for name in _NOT_FOR_IT):
            return replace(self, json_by=JsonBy.TOOL)
        if self.json_by is JsonBy.TOOL and "tool" in words:
            return replace(self, json_by=JsonBy.NOTHING, told=True)
        return None

    def _held_to(self, schema: Mapping[str, object]) -> dict[str, object]:
        match self.json_by:
            case JsonBy.FORMAT:
                return {"output_config": {"format": {"type": "json_schema", "schema": closed(schema)}}}
            case JsonBy.TOOL:
                tool = {"name": _TOOL, "description": "Give the answer.", "input_schema": dict(schema)}
                return {"tools": [tool], "tool_choice": {"type": "tool", "name": _TOOL}}
            case JsonBy.NOTHING:
                return {}


def _told(turns: Sequence[Turn], schema: Mapping[str, object]) -> list[Turn]:
    """The same turns; the last one ends with the schema."""
    *before, last = turns
    return [*before, Turn(last.role, f"{last.text}\n\n{in_words(schema)}")]
