"""The model file that the settings name: what it is, what it will need, and every reason not to try to load it."""

import re
from dataclasses import dataclass
from pathlib import Path

from echovessel.adapters.llm.gguf import troubles
from echovessel.adapters.llm.gguf.header import NotReadable, Value, read_header

_PART = re.compile(r"(?P<stem>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.IGNORECASE)
_CACHE_BYTES = 2
"""A number in the cache of what was read: 16 bits."""
_RANKS = 4
"""The pooling type of a model that gives a pair of texts one number. Source: llama.h, `enum llama_pooling_type`."""
_ENCODERS = frozenset(
    {"bert", "modern-bert", "nomic-bert", "nomic-bert-moe", "neo-bert", "jina-bert-v2", "jina-bert-v3"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """A file that can be tried.

    `size` is in bytes, of all its parts. `context_tokens` is what the model was made for, 0 where it does not say;
    `bytes_a_token` estimates the memory that each token of the context takes. Without a template of its own the engine uses
    that of ChatML. `pools`: it says how the vectors of its tokens become one.
    """

    path: Path
    size: int
    architecture: str
    context_tokens: int
    bytes_a_token: int
    has_template: bool
    pools: bool


def look_at(name: str, *, embeds: bool = False) -> ModelFile:
    """The file of this name, to talk with or one that `embeds`, as one that talks can too; `~` is the home folder.

    Raises ModelFileUnusable with the reason.
    """
    path = _existing(name)
    try:
        header = read_header(path)
        size = sum(part.stat().st_size for part in _parts(path))
    except NotReadable as it:
        raise troubles.not_a_model(path, it.how) from it
    except FileNotFoundError as cause:
        raise troubles.part_missing(path, Path(str(cause.filename))) from cause
    except OSError as cause:
        raise troubles.unreadable(path) from cause
    architecture = str(header.get("general.architecture", ""))
    own = {key.removeprefix(f"{architecture}."): value for key, value in header.items()}
    searches = architecture in _ENCODERS or own.get("pooling_type") or own.get("attention.causal") is False
    if (searches and not embeds) or own.get("pooling_type") == _RANKS:
        raise troubles.not_for_talking(path, architecture)
    if not architecture:
        raise troubles.not_a_model(path, "nonsense")
    return ModelFile(
        path=path,
        size=size,
        architecture=architecture,
        context_tokens=_whole(own, "context_length"),
        bytes_a_token=_bytes_a_token(own),
        has_template="tokenizer.chat_template" in header,
        pools=bool(own.get("pooling_type")),
    )


def _existing(name: str) -> Path:
    try:
        path = Path(name.strip()).expanduser()
        is_folder, is_file = path.is_dir(), path.is_file()
    # there is no such user or no home; a name that is longer than names can be
    except (RuntimeError, OSError) as cause:
        raise troubles.missing(Path(name)) from cause
    if is_folder:
        raise troubles.folder(path, sorted(path.glob("*.gguf")))
    if not is_file:
        raise troubles.missing(path)
    return path


def _parts(path: Path) -> list[Path]:
    """The files that a model was split into; the settings name the first, and the engine finds the others beside it."""
    part = _PART.fullmatch(path.name)
    if part is None:
        return [path]
    count = int(part["count"])
    names = [f"{part['stem']}-{number:05}-of-{count:05}.gguf" for number in range(1, count + 1)]
    if int(part["number"]) != 1:
        raise troubles.later_part(path, names[0])
    return [path.with_name(each) for each in names]


def _bytes_a_token(own: dict[str, Value]) -> int:
    """Keys and values of each layer: layers × heads × (length of a key + length of a value) × 2 bytes."""
    heads = _whole(own, "attention.head_count")
    kept_heads = _whole(own, "attention.head_count_kv") or heads
    length = _whole(own, "embedding_length") // heads if heads else 0
    key, value = (_whole(own, f"attention.{kind}_length") or length for kind in ("key", "value"))
    return _whole(own, "block_count") * kept_heads * (key + value) * _CACHE_BYTES


def _whole(own: dict[str, Value], key: str) -> int:
    value = own.get(key, 0)
    return max(0, value) if isinstance(value, int) else 0
