"""A model as an endpoint lists it."""

from collections.abc import Sequence
from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, ValidationError

from echovessel.adapters.llm.piece import NotTheProtocol


def _tokens(value: object) -> int | None:
    """A number of tokens; None for whatever else a server puts there."""
    return value if type(value) is int and value > 0 else None


def _object(value: object) -> object:
    return cast("object", value) if isinstance(value, dict) else None


_Tokens = Annotated[int | None, BeforeValidator(_tokens)]


class _Meta(BaseModel):
    n_ctx: _Tokens = None


class Listed(BaseModel):
    """One model of a list; how much it holds has a field of another name with each server."""

    id: str
    owned_by: object = None
    max_model_len: _Tokens = None
    context_length: _Tokens = None
    context_window: _Tokens = None
    max_context_length: _Tokens = None
    loaded_context_length: _Tokens = None
    max_input_tokens: _Tokens = None
    meta: Annotated[_Meta | None, BeforeValidator(_object)] = None

    @property
    def name(self) -> str:
        """What the model is called in a request. Google lists `models/gemini-…` and takes the name alone."""
        return self.id.removeprefix("models/") if self.owned_by == "google" else self.id

    @property
    def context_tokens(self) -> int | None:
        """Tokens it holds: vLLM and SGLang, OpenRouter and Together, Groq, LM Studio and Mistral, Anthropic, llama.cpp."""
        told = (
            self.max_model_len,
            self.loaded_context_length,
            self.context_length,
            self.context_window,
            self.max_context_length,
            self.max_input_tokens,
            self.meta.n_ctx if self.meta else None,
        )
        return next((tokens for tokens in told if tokens), None)


def listed(entries: Sequence[object]) -> list[Listed]:
    """The models among the entries of a list. Raises NotTheProtocol when there are entries, and none is a model."""
    found: list[Listed] = []
    for entry in entries:
        try:
            found.append(Listed.model_validate(entry))
        except ValidationError:
            continue
    if entries and not found:
        raise NotTheProtocol("something that is no list of models")
    return found
