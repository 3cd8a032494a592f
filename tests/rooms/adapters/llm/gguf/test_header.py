"""What is read of a model file's first pages, and what is told when they cannot be read."""

from contextlib import suppress
from pathlib import Path

import pytest

from echovessel.adapters.llm.gguf.header import NotReadable, read_header
from tests.support.gguf import gguf, smollm2

VALUES = {
    "general.architecture": "llama",
    "general.name": "小满 1B",
    "llama.context_length": 4096,
    "llama.rope.freq_base": 0.5,
    "tokenizer.ggml.add_bos_token": True,
    "llama.attention.head_count_kv": [2, 8, 4],
    "tokenizer.ggml.tokens": ["<s>", "你", "好"],
    "tokenizer.ggml.token_type": [1] * 5000,
    "tokenizer.chat_template": "{{ x }}",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "model.gguf"


@pytest.mark.parametrize("version", [2, 3])
def test_scalars_are_kept_and_long_lists_are_stepped_over(file: Path, version: int) -> None:
    file.write_bytes(gguf(VALUES, version=version))

    assert read_header(file) == {
        "general.architecture": "llama",
        "general.name": "小满 1B",
        "llama.context_length": 4096,
        "llama.rope.freq_base": 0.5,
        "tokenizer.ggml.add_bos_token": True,
        "llama.attention.head_count_kv": 8,
        "tokenizer.chat_template": "{{ x }}",
    }


def test_a_real_file_is_read() -> None:
    header = read_header(smollm2())

    assert header["general.architecture"] == "llama"
    assert header["llama.context_length"] == 8192
    assert "<|im_start|>" in str(header["tokenizer.chat_template"])
    assert "tokenizer.ggml.merges" not in header


@pytest.mark.parametrize("content", [b"", b"GGU", b"hello, this is a text", b"\x89PNG\r\n\x1a\n"])
def test_another_format_is_told(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(NotReadable) as caught:
        read_header(file)
    assert caught.value.how == "another format"


@pytest.mark.parametrize("version", [0, 1, 4, 0x03000000])
def test_another_version_is_told(file: Path, version: int) -> None:
    file.write_bytes(gguf(VALUES, version=version))
    with pytest.raises(NotReadable) as caught:
        read_header(file)
    assert caught.value.how == "another version"


def test_a_header_that_ends_anywhere_is_cut_short(file: Path) -> None:
    whole = gguf(VALUES)
    for end in [*range(4, 400), *range(400, len(whole), 997)]:
        file.write_bytes(whole[:end])
        with pytest.raises(NotReadable) as caught:
            read_header(file)
        assert caught.value.how == "cut short"


def test_no_damaged_byte_does_more_than_make_it_unreadable(file: Path) -> None:
    whole = gguf(VALUES)
    for at in range(4, 420):
        file.write_bytes(whole[:at] + b"\xff" + whole[at + 1 :])
        with suppress(NotReadable):
            read_header(file)


def test_an_unknown_kind_of_value_and_millions_of_keys_are_nonsense(file: Path) -> None:
    key = len(b"a").to_bytes(8, "little") + b"a"
    for content in (
        gguf({})[:16] + (1).to_bytes(8, "little") + key + (99).to_bytes(4, "little"),
        gguf({})[:16] + (10**9).to_bytes(8, "little"),
    ):
        file.write_bytes(content)
        with pytest.raises(NotReadable) as caught:
            read_header(file)
        assert caught.value.how == "nonsense"
