"""Settings of embedders as tests need them."""

from echovessel.ports.settings import EmbedderSettings


def embedder_settings(**given: object) -> EmbedderSettings:
    """These settings, the others as they are by default."""
    return EmbedderSettings.model_validate(given)
