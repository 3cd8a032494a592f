"""A sentence-transformers model as ONNX, run by the packages of the extra `onnx` on one thread."""

from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np

from echovessel.adapters.embed.endpoint import prefixed
from echovessel.adapters.embed.identity import identity
from echovessel.adapters.embed.onnx_folder import OnnxFolder, Pooling, files_of, look_into
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.settings import EmbedderSettings

_MEANWHILE = "Recall by words works meanwhile."
_TOKENS, _VECTORS = 2, 3
"""Axes of one vector a text, and of one a token."""


class OnnxEngine:
    """Implements `adapters.embed.threaded.Engine`."""

    batch = 4

    def __init__(self, settings: EmbedderSettings) -> None:
        self._path = Path(settings.folder.strip()).expanduser()
        self._settings = settings
        self._identity = identity(files_of(self._path))
        self.name = f"{self._path.name}-{self._identity}{prefixed(self._given())}"
        self.dimension = 0
        self._folder: OnnxFolder
        self._session: Any
        self._tokenizer: Any

    def load(self) -> None:
        """Read the folder. Raises EmbedderDown with what to do."""
        self._folder = look_into(self._path)
        if identity(files_of(self._path)) != self._identity:
            raise EmbedderDown(
                f"The model in {self._path.name!r} is another one than at the start, or was not there then.",
                do=f"Start EchoVessel again. {_MEANWHILE}",
            )
        self._tokenizer = _tokenizer(self._folder)
        self._session = _session(self._folder.model)
        self.dimension = self.embed(["."], Kind.PASSAGE).shape[1]

    def count(self, text: str, kind: Kind) -> int:
        """Exact, with the prefix and what the tokenizer adds."""
        return len(self._tokenizer.encode(self._prefix(kind) + text).ids)

    def embed(self, texts: list[str], kind: Kind) -> Vectors:
        """Raises ValueError when the model does not take them, or gives nothing like vectors."""
        batch = [self._tokenizer.encode(self._prefix(kind) + text) for text in texts]
        longest = max(1, min(self._folder.most_tokens, max(len(each.ids) for each in batch)))
        mask = np.zeros((len(batch), longest), np.int64)
        ids = np.zeros_like(mask)
        for row, each in enumerate(batch):
            kept = each.ids[:longest] or [0]
            ids[row, : len(kept)], mask[row, : len(kept)] = kept, 1
        found = self._run({"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(mask)})
        vectors = found if found.ndim == _TOKENS else _pooled(found, mask, self._folder.pooling)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-9))

    def _run(self, feeds: dict[str, Any]) -> Vectors:
        """The model's vectors: one for each text where it gives them, else one for each token."""
        wanted = {given.name: feeds[given.name] for given in self._session.get_inputs() if given.name in feeds}
        try:
            outputs = self._session.run(None, wanted)
        except _failures() as cause:
            raise ValueError("the model does not run") from cause
        arrays = [np.asarray(output, np.float32) for output in outputs if np.ndim(output) in (_TOKENS, _VECTORS)]
        if not arrays:
            raise ValueError("the model gives no vectors")
        return min(arrays, key=np.ndim)

    def _given(self) -> dict[Kind, str]:
        return {Kind.QUERY: self._settings.query_prefix, Kind.PASSAGE: self._settings.passage_prefix}

    def _prefix(self, kind: Kind) -> str:
        """What the settings say, else the folder."""
        return self._given()[kind] or self._folder.prompts[kind]


def _pooled(tokens: Vectors, mask: Any, pooling: Pooling) -> Vectors:
    """One vector a text, from shape (texts, tokens, length)."""
    match pooling:
        case Pooling.MEAN:
            weights = mask[:, :, np.newaxis].astype(np.float32)
            return (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), np.float32(1))
        case Pooling.FIRST:
            return tokens[:, 0]
        case Pooling.LAST:
            return tokens[np.arange(len(tokens)), mask.sum(axis=1) - 1]


def _tokenizer(folder: OnnxFolder) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as cause:
        raise _not_installed("tokenizers") from cause
    try:
        tokenizer = cast("Any", Tokenizer).from_buffer(folder.tokenizer.read_bytes())
    except (OSError, ValueError) as cause:
        raise _again(folder, "tokenizer.json cannot be read") from cause
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _session(model: Path) -> Any:
    try:
        import onnxruntime
    except ImportError as cause:
        raise _not_installed("onnxruntime") from cause
    runtime: Any = onnxruntime
    runtime.disable_telemetry_events()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # fatal alone: whatever else there is, an exception says
    try:
        return runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except _failures() as cause:
        raise _broken(model) from cause


def _failures() -> tuple[type[Exception], ...]:
    """What loading or running a model raises; these have no base of their own."""
    state: Any = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    return (
        state.Fail,
        state.InvalidArgument,
        state.InvalidGraph,
        state.InvalidProtobuf,
        state.NoSuchFile,
        state.NotImplemented,
        state.RuntimeException,
    )


def _not_installed(package: str) -> EmbedderDown:
    return EmbedderDown(
        f"A model folder cannot be used here: the package {package} is missing.",
        do=f'Install it with `pip install "echovessel[onnx]"`, then start EchoVessel again. {_MEANWHILE}',
    )


def _broken(model: Path) -> EmbedderDown:
    return EmbedderDown(
        f"{model.name} is no ONNX model that can be run here.",
        do=f"Get the file again, or export it anew. {_MEANWHILE}",
    )


def _again(folder: OnnxFolder, what: str) -> EmbedderDown:
    return EmbedderDown(f"{what} in {folder.tokenizer.parent.name!r}.", do=f"Get the model's files again. {_MEANWHILE}")
