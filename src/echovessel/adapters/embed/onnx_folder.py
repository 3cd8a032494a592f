"""A folder that holds a sentence-transformers model as ONNX: what is in it, and every reason why it cannot be used.

Source: https://sbert.net/docs/sentence_transformer/usage/custom_models.html (`modules.json`, `1_Pooling/config.json`,
`sentence_bert_config.json`, `config_sentence_transformers.json`), as `optimum-cli export onnx` and the Hub lay it out.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import cast

from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind

_MEANWHILE = "Recall by words works meanwhile."
_USUAL_TOKENS = 512
_MODULES = ("Transformer", "Pooling", "Normalize")
"""What a model may be made of beside its ONNX file; a Dense layer behind it is not in that file."""
_PROMPTS = {Kind.QUERY: ("query",), Kind.PASSAGE: ("passage", "document")}


class Pooling(StrEnum):
    """How the vectors of a text's tokens become one."""

    MEAN = "mean"
    FIRST = "cls"
    LAST = "lasttoken"


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxFolder:
    """What is in a folder. `most_tokens`: more of a text the model does not read. `prompts`: what it was trained with before a
    text of either kind; empty where the folder does not say."""

    model: Path
    tokenizer: Path
    pooling: Pooling
    most_tokens: int
    prompts: Mapping[Kind, str]


def files_of(folder: Path) -> tuple[Path, ...]:
    """The files that decide what the vectors are; none when the folder holds no model."""
    model = _model_in(folder)
    return () if model is None else (model, folder / "tokenizer.json")


def look_into(folder: Path) -> OnnxFolder:
    """What is in the folder. Raises EmbedderDown with the reason when it cannot be used."""
    if not folder.is_dir():
        raise EmbedderDown(
            f"There is no folder {folder.name!r} where embedder.folder says.",
            do=f"Check embedder.folder: give the full path of a folder with a model.onnx in it. {_MEANWHILE}",
        )
    model = _model_in(folder)
    if model is None:
        raise EmbedderDown(
            f"The folder {folder.name!r} holds no ONNX file.",
            do="Export the model (`optimum-cli export onnx --model MODEL --task feature-extraction FOLDER`), or get a copy "
            f"that has onnx/model.onnx. {_MEANWHILE}",
        )
    if not (folder / "tokenizer.json").is_file():
        raise EmbedderDown(
            f"The folder {folder.name!r} holds no tokenizer.json.",
            do=f"Get it from where the model is: it belongs beside the model. {_MEANWHILE}",
        )
    _refuse_other_modules(folder)
    return OnnxFolder(
        model=model,
        tokenizer=folder / "tokenizer.json",
        pooling=_pooling(folder),
        most_tokens=_most_tokens(folder),
        prompts=_prompts(folder),
    )


def _model_in(folder: Path) -> Path | None:
    """The ONNX file: the plain one before quantised ones."""
    for place in (folder, folder / "onnx"):
        found = sorted(place.glob("*.onnx"), key=lambda path: (path.name != "model.onnx", path.name))
        if found:
            return found[0]
    return None


def _refuse_other_modules(folder: Path) -> None:
    modules = _json(folder / "modules.json")
    for module in cast("list[object]", modules) if isinstance(modules, list) else []:
        kind = str(_fields(module).get("type", "")).rpartition(".")[2]
        if kind not in _MODULES:
            raise EmbedderDown(
                f"The model in {folder.name!r} has a part ({kind}) that is not in its ONNX file.",
                do=f"Choose another model, or serve this one at an endpoint (embedder.base_url). {_MEANWHILE}",
            )


def _pooling(folder: Path) -> Pooling:
    told = _fields(_json(folder / "1_Pooling" / "config.json"))
    named = told.get("pooling_mode")
    for pooling in Pooling:
        if named == pooling or any(
            told.get(f"pooling_mode_{name}") is True for name in (pooling, f"{pooling}_tokens", f"{pooling}_token")
        ):
            return pooling
    if named or any(value is True for key, value in told.items() if key.startswith("pooling_mode_")):
        raise EmbedderDown(
            f"The model in {folder.name!r} makes one vector of many in a way that is not known here.",
            do=f"Choose a model that takes the mean, the first or the last token. {_MEANWHILE}",
        )
    return Pooling.MEAN


def _most_tokens(folder: Path) -> int:
    told = _fields(_json(folder / "sentence_bert_config.json")).get("max_seq_length")
    return told if isinstance(told, int) and told > 0 else _USUAL_TOKENS


def _prompts(folder: Path) -> Mapping[Kind, str]:
    told = _fields(_fields(_json(folder / "config_sentence_transformers.json")).get("prompts"))
    return {kind: next((str(told[name]) for name in names if name in told), "") for kind, names in _PROMPTS.items()}


def _fields(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _json(path: Path) -> object:
    """What the file holds; None when it is not there. Raises EmbedderDown when it is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as cause:
        raise EmbedderDown(
            f"{path.name} in the embedder's folder cannot be read.", do=f"Get the model's files again. {_MEANWHILE}"
        ) from cause
