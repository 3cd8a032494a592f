"""A small sentence-transformers folder with a real ONNX model: each word has a vector of chance, a text is their mean.

The model's file is written byte by byte, as Protocol Buffers are. Source: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from echovessel.adapters.embed.measuring import lines

_FLOAT, _INT64 = 1, 7
_LENGTH = 64


def onnx_folder(folder: Path, *texts: str) -> Path:
    """Such a folder, whose words are those of the calibration's lines and of `texts`."""
    said = [line for each in lines().values() for line in each] + list(texts)
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    words = dict.fromkeys(
        word
        for line in said
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(line))
    )
    vocabulary = {"[UNK]": 0, **{word: number for number, word in enumerate(words, 1)}}
    tokenizer.model = models.WordLevel(vocabulary, unk_token="[UNK]")
    (folder / "onnx").mkdir(parents=True)
    (folder / "1_Pooling").mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "onnx" / "model.onnx").write_bytes(_model(len(vocabulary)))
    (folder / "modules.json").write_text(
        json.dumps([{"type": f"sentence_transformers.models.{kind}"} for kind in ("Transformer", "Pooling")])
    )
    (folder / "1_Pooling" / "config.json").write_text(
        json.dumps({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False})
    )
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 128}))
    return folder


def _model(words: int) -> bytes:
    """One node: the rows of a table that the input names."""
    table = np.random.default_rng(5).normal(size=(words, _LENGTH)).astype(np.float32)  # noqa: TID251 - always the same
    node = _text(1, "table") + _text(1, "input_ids") + _text(2, "last_hidden_state") + _text(4, "Gather")
    tensor = (
        _number(1, words) + _number(1, _LENGTH) + _number(2, _FLOAT) + _text(8, "table") + _bytes(9, table.tobytes())
    )
    inputs = [_bytes(11, _value(name, _INT64, 2)) for name in ("input_ids", "attention_mask")]
    output = _bytes(12, _value("last_hidden_state", _FLOAT, 3))
    graph = _bytes(1, node) + _text(2, "words") + _bytes(5, tensor) + b"".join(inputs) + output
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _text(1, "") + _number(2, 17))


def _value(name: str, kind: int, axes: int) -> bytes:
    shape = b"".join(_bytes(1, _text(2, f"axis{axis}")) for axis in range(axes))
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
