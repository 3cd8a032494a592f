"""A folder with a model: what is read from it, and every reason to refuse it."""

import json
from pathlib import Path

import pytest

from echovessel.adapters.embed.onnx_folder import Pooling, files_of, look_into
from echovessel.core.errors import EmbedderDown
from echovessel.ports.embedder import Kind


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m" / "onnx").mkdir(parents=True)
    (tmp_path / "m" / "1_Pooling").mkdir()
    (tmp_path / "m" / "onnx" / "model_quantized.onnx").touch()
    (tmp_path / "m" / "onnx" / "model.onnx").touch()
    (tmp_path / "m" / "tokenizer.json").touch()
    return tmp_path / "m"


def _write(folder: Path, name: str, value: object) -> None:
    (folder / name).write_text(json.dumps(value))


def test_a_bare_folder_is_read_as_most_models_are_made(folder: Path) -> None:
    found = look_into(folder)

    assert found.model.name == "model.onnx"
    assert files_of(folder) == (found.model, found.tokenizer)
    assert (found.pooling, found.most_tokens, dict(found.prompts)) == (Pooling.MEAN, 512, {"query": "", "passage": ""})


def test_what_the_folder_says_is_heeded(folder: Path) -> None:
    _write(folder, "1_Pooling/config.json", {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False})
    _write(folder, "sentence_bert_config.json", {"max_seq_length": 256})
    _write(folder, "config_sentence_transformers.json", {"prompts": {"query": "query: ", "document": "passage: "}})

    found = look_into(folder)

    assert (found.pooling, found.most_tokens) == (Pooling.FIRST, 256)
    assert dict(found.prompts) == {Kind.QUERY: "query: ", Kind.PASSAGE: "passage: "}


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode_lasttoken": True}, Pooling.LAST),
        ({"pooling_mode": "cls"}, Pooling.FIRST),
        ({"pooling_mode_mean_tokens": True}, Pooling.MEAN),
    ],
)
def test_every_way_of_pooling_that_is_known(folder: Path, config: object, pooling: Pooling) -> None:
    _write(folder, "1_Pooling/config.json", config)

    assert look_into(folder).pooling is pooling


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("1_Pooling/config.json", {"pooling_mode_weightedmean_tokens": True}, "not known"),
        ("modules.json", [{"type": "sentence_transformers.models.Dense"}], "Dense"),
    ],
)
def test_what_cannot_be_done_here_is_refused(folder: Path, name: str, value: object, told: str) -> None:
    _write(folder, name, value)

    with pytest.raises(EmbedderDown, match=told):
        look_into(folder)


def test_what_is_missing_is_named(folder: Path) -> None:
    with pytest.raises(EmbedderDown, match="no folder 'nowhere'"):
        look_into(folder.parent / "nowhere")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(EmbedderDown, match=r"no tokenizer\.json"):
        look_into(folder)
    for model in (folder / "onnx").iterdir():
        model.unlink()
    with pytest.raises(EmbedderDown, match="no ONNX file") as down:
        look_into(folder)
    assert "optimum-cli" in down.value.do
    assert files_of(folder) == ()


def test_a_spoilt_description_is_named(folder: Path) -> None:
    (folder / "modules.json").write_text("{")

    with pytest.raises(EmbedderDown, match=r"modules\.json"):
        look_into(folder)
