"""A model as an endpoint lists it."""

from pydantic import BaseModel


class _Meta(BaseModel):
    n_ctx: int | None = None


class Listed(BaseModel):
    """One model of a list; how much it holds has a field of another name with each server."""

    id: str
    owned_by: object = None
    max_model_len: int | None = None
    context_length: int | None = None
    context_window: int | None = None
    max_context_length: int | None = None
    loaded_context_length: int | None = None
    max_input_tokens: int | None = None
    meta: _Meta | None = None

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
        return next((tokens for tokens in told if tokens and tokens > 0), None)
