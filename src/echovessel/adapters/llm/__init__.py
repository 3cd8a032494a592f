"""Models behind an OpenAI-compatible endpoint: implements `ports.llm`."""

from echovessel.adapters.llm.configured import ConfiguredModels
from echovessel.adapters.llm.nearby import NearbyServers

__all__ = ["ConfiguredModels", "NearbyServers"]
