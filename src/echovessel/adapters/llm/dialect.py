"""What an endpoint accepts of the protocol, learned from what it rejects."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from echovessel.adapters.llm.failures import says_too_long
from echovessel.adapters.llm.schemas import closed, in_words
from echovessel.adapters.llm.turns import Turn, system_of, turns_of
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, JsonMode

LENGTH_LIMITS = ("max_tokens", "max_completion_tokens", "")
"""Names of the length limit, in the order in which they are tried; the last is none."""

_NO_SYSTEM = re.compile(
    r"system.{0,30}(not|n't|un)\W?(be )?(support|allow|enabl)|(not|n't|un)\W?support.{0,30}system"
    r"|only user(, |/| and )assistant|got system|developer instruction is not enabled"
)
"""Templates of Gemma 2, Mistral 7B and others, as vLLM, llama.cpp, LM Studio and Google pass them on."""
_NO_FORMAT = re.compile(r"response_format|json_schema|json_object|structured output|guided|grammar")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What to send. The start is what most endpoints take; each rejection takes one step away from it."""

    usage_in_stream: bool = True
    length_limit: str = LENGTH_LIMITS[0]
    temperature: bool = True
    system: bool = True
    json: JsonMode = "schema"

    def parameters(self, request: ChatRequest) -> dict[str, object]:
        """The body's fields beside model, messages and stream."""
        fields: dict[str, object] = {}
        if self.usage_in_stream:
            fields["stream_options"] = {"include_usage": True}
        if request.max_tokens is not None and self.length_limit:
            fields[self.length_limit] = request.max_tokens
        if request.temperature is not None and self.temperature:
            fields["temperature"] = request.temperature
        if request.schema is not None:
            fields |= self._response_format(request.schema)
        return fields

    def messages(self, request: ChatRequest) -> Sequence[ChatMessage]:
        """The messages as this endpoint takes them: one system prompt, or none, and then turns that alternate."""
        system, turns = system_of(request.messages), turns_of(request.messages)
        if request.schema is not None and self.json != "schema":
            turns[-1] = Turn(turns[-1].role, f"{turns[-1].text}\n\n{in_words(request.schema)}")
        if system and not self.system:
            turns[0] = Turn(turns[0].role, f"{system}\n\n{turns[0].text}")
        first = (ChatMessage(ChatRole.SYSTEM, system),) if system and self.system else ()
        return (*first, *(ChatMessage(turn.role, turn.text) for turn in turns))

    def after(self, rejection: str, request: ChatRequest) -> "Dialect | None":
        """The dialect to try next, given the words of a rejection; None when they name nothing we could do without.

        The steps only ever go one way, so that asking again comes to an end.
        """
        words = rejection.lower()
        if says_too_long(words):
            return None
        if request.schema is not None and self.json != "none" and _NO_FORMAT.search(words):
            return replace(self, json=cast("JsonMode", "object" if self.json == "schema" else "none"))
        if self.usage_in_stream and ("stream_options" in words or "include_usage" in words):
            return replace(self, usage_in_stream=False)
        if self.length_limit and any(name in words for name in LENGTH_LIMITS if name):
            return replace(self, length_limit=LENGTH_LIMITS[LENGTH_LIMITS.index(self.length_limit) + 1])
        if self.temperature and "temperature" in words:
            return replace(self, temperature=False)
        if self.system and system_of(request.messages) and _NO_SYSTEM.search(words):
            return replace(self, system=False)
        return None

    def _response_format(self, schema: Mapping[str, object]) -> dict[str, object]:
        match self.json:
            case "schema":
                answer = {"name": "answer", "strict": True, "schema": closed(schema)}
                return {"response_format": {"type": "json_schema", "json_schema": answer}}
            case "object":
                return {"response_format": {"type": "json_object"}}
            case "none":
                return {}
