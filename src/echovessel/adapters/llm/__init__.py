"""Models behind an OpenAI-compatible endpoint: implements `ports.llm`."""

from echovessel.adapters.llm.configured import ConfiguredModels

__all__ = ["ConfiguredModels"]
