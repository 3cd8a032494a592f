"""The owner's settings: one TOML file, overridden by the environment and by command-line flags."""

from echovessel.adapters.config.settings import FileSettings, Layers
from echovessel.adapters.config.template import commented_settings

__all__ = ["FileSettings", "Layers", "commented_settings"]
