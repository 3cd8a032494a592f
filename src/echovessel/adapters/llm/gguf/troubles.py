"""Every reason why a model file does not run, as an error that says what to do. Only its name is told, never its folder."""

import signal
from collections.abc import Sequence
from pathlib import Path

from echovessel.adapters.llm.gguf.header import Fault
from echovessel.core.errors import ModelCut, ModelFileUnusable, ModelTimeout

_GIB = 1 << 30
_ANOTHER = "Choose another model file (llm.file)."
_AGAIN = "Get the file again: its copy here is not what its maker published."


def missing(path: Path) -> ModelFileUnusable:
    """Nothing is there."""
    return ModelFileUnusable(
        f"There is no model file {path.name!r} where llm.file says.",
        do="Check llm.file: give the full path of a file that ends in .gguf.",
    )


def folder(path: Path, inside: Sequence[Path]) -> ModelFileUnusable:
    """A folder was named, which may hold model files."""
    found = f"such as {inside[0].name}" if inside else "which should end in .gguf"
    return ModelFileUnusable(
        f"llm.file names the folder {path.name!r}, not a model file.", do=f"Name the file in it, {found}."
    )


def unreadable(path: Path) -> ModelFileUnusable:
    """The system does not let us read it."""
    return ModelFileUnusable(
        f"The model file {path.name} cannot be read.",
        do="Check that you may read it, and that the disk it is on is connected and in order.",
    )


def not_a_model(path: Path, how: Fault) -> ModelFileUnusable:
    """Its beginning is not that of a model file that can be run."""
    match how:
        case "another format":
            return ModelFileUnusable(
                f"{path.name} is no GGUF file.",
                do="Models come in several formats; get this one as GGUF, a file that ends in .gguf.",
            )
        case "another version":
            return ModelFileUnusable(
                f"{path.name} is a GGUF file of a version that cannot be read.",
                do="Get a newer copy of this model; versions 2 and 3 of GGUF can be run.",
            )
        case "cut short":
            return cut_short(path)
        case "nonsense":
            return ModelFileUnusable(f"{path.name} says nothing sensible about the model in it.", do=_AGAIN)


def cut_short(path: Path) -> ModelFileUnusable:
    """Its end is missing."""
    return ModelFileUnusable(
        f"The model file {path.name} is cut short.",
        do="Get it again, and compare its size with the one its maker names: the copy was not complete.",
    )


def later_part(path: Path, first: str) -> ModelFileUnusable:
    """A model in several files is named by its first."""
    return ModelFileUnusable(
        f"{path.name} is a later part of a model in several files.", do=f"Name the first part in llm.file: {first}."
    )


def part_missing(path: Path, part: Path) -> ModelFileUnusable:
    """Of a model in several files, one is not there."""
    return ModelFileUnusable(
        f"The model {path.name} has several parts, and {part.name} is missing.",
        do="Put all parts into one folder; llm.file names the first.",
    )


def not_for_talking(path: Path, architecture: str) -> ModelFileUnusable:
    """A model that makes vectors, or ranks."""
    return ModelFileUnusable(
        f"{path.name} ({architecture}) is a model for searching, it cannot talk.",
        do="Choose a model file for chat, often called instruct or chat (llm.file).",
    )


def no_engine() -> ModelFileUnusable:
    """The package that runs model files is not installed."""
    return ModelFileUnusable(
        "A model file cannot be run here: the package xllamacpp is missing.",
        do='Install it with `pip install "echovessel[local]"`, then start EchoVessel again.',
    )


def engine_broken(words: str) -> ModelFileUnusable:
    """The package is there and does not load; `words` is why."""
    return ModelFileUnusable(
        f"The package xllamacpp, which runs model files, does not load: {words}",
        do='Install it again with `pip install --force-reinstall "echovessel[local]"`.',
    )


def too_large(path: Path, *, needed: int, available: int) -> ModelFileUnusable:
    """More memory is needed than there is; both in bytes."""
    return ModelFileUnusable(
        f"{path.name} needs about {needed / _GIB:.1f} GB of memory, and {available / _GIB:.1f} GB are free.",
        do="Close other programs, lower llm.context_tokens, or choose a smaller model or a stronger quantisation.",
    )


def unknown_architecture(path: Path, architecture: str) -> ModelFileUnusable:
    """The engine has never heard of this kind of model."""
    return ModelFileUnusable(
        f"{path.name} is a model of a kind ({architecture}) that this version of the engine does not know.",
        do='Update it with `pip install --upgrade "echovessel[local]"`, or choose another model file (llm.file).',
    )


def will_not_load(path: Path, words: str) -> ModelFileUnusable:
    """The engine gave up loading it; `words` is what it said."""
    said = f": {words}" if words else "."
    return ModelFileUnusable(f"The engine could not load {path.name}{said}", do=_ANOTHER)


def crashed_loading(path: Path, code: int) -> ModelFileUnusable:
    """The engine's process died while it loaded; `code` is its exit code."""
    return ModelFileUnusable(
        f"The engine crashed when it loaded {path.name} ({_death(code)}).",
        do=f"{_AGAIN} If it is whole, it may need more memory than there is, or another model file.",
    )


def crashed_answering(path: Path, code: int) -> ModelCut:
    """The engine's process died while it answered."""
    return ModelCut(
        f"The engine that runs {path.name} crashed ({_death(code)}) before the answer was over.",
        do="Try again: it is started anew. If it keeps happening, lower llm.context_tokens or choose another model file.",
    )


def slow_to_load(path: Path, seconds: float) -> ModelTimeout:
    """Loading did not come to an end."""
    return ModelTimeout(
        f"{path.name} was not loaded after {seconds:g} seconds.",
        do="Put the file on a faster disk, or choose a smaller model.",
    )


def let_go(path: Path) -> ModelCut:
    """The connection was closed, because the settings changed or the program ends, while the file was loading."""
    return ModelCut(f"{path.name} is no longer in use.", do="Try again.")


def _death(code: int) -> str:
    """How a process ended: the name of the signal that killed it, or its exit code."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"exit code {code}"
