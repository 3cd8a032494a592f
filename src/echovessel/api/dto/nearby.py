"""Models that were found on this machine."""

from typing import Self

from pydantic import Field

from echovessel.api.dto.base import Listing, View
from echovessel.ports.nearby import NearbyServer


class NearbyModelView(View):
    """A model that can be connected."""

    name: str = Field(description="The value for `model`.", examples=["qwen3:8b"])
    context_tokens: int | None = Field(
        description="What it can hold as it runs now; null when its server does not say."
    )


class NearbyServerView(View):
    """A program on this machine that serves models."""

    program: str = Field(examples=["Ollama", "LM Studio", "llama.cpp", "vLLM"])
    base_url: str = Field(description="The value for `base_url`.", examples=["http://127.0.0.1:11434/v1"])
    models: list[NearbyModelView] = Field(description="May be empty: the program runs, and has no model yet.")

    @classmethod
    def of(cls, server: NearbyServer) -> Self:
        """The view of a server."""
        models = [NearbyModelView(name=model.name, context_tokens=model.context_tokens) for model in server.models]
        return cls(program=server.program, base_url=server.base_url, models=models)


class NearbyList(Listing[NearbyServerView]):
    """Servers of models on this machine, those that have a model first."""
