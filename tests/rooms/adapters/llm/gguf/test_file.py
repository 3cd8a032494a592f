"""The model file that the settings name: found, described, or refused with a reason that helps."""

from pathlib import Path

import pytest

from echovessel.adapters.llm.gguf.file import look_at
from echovessel.core.errors import ModelFileUnusable
from tests.support.gguf import gguf, smollm2

HEADER: dict[str, object] = {
    "general.architecture": "llama",
    "llama.context_length": 4096,
    "llama.block_count": 2,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 8,
    "llama.attention.head_count_kv": 4,
    "tokenizer.chat_template": "{{ messages }}",
}


def _written(path: Path, **changed: object) -> Path:
    header = {**HEADER, **{key.replace("__", "."): value for key, value in changed.items()}}
    path.write_bytes(gguf({key: value for key, value in header.items() if value is not None}))
    return path


def _refused(name: object) -> ModelFileUnusable:
    with pytest.raises(ModelFileUnusable) as caught:
        look_at(str(name))
    return caught.value


def test_a_real_file_is_described() -> None:
    file = look_at(f"  {smollm2()} ")

    assert file.path == smollm2()
    assert file.size == smollm2().stat().st_size
    assert (file.architecture, file.context_tokens, file.has_template) == ("llama", 8192, True)
    assert file.bytes_a_token == 30 * 3 * (64 + 64) * 2


def test_the_home_folder_has_a_short_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    _written(tmp_path / "x.gguf")

    assert look_at("~/x.gguf").path == tmp_path / "x.gguf"


def test_what_a_header_leaves_out_is_taken_from_the_rest(tmp_path: Path) -> None:
    plain = look_at(str(_written(tmp_path / "x.gguf", llama__attention__head_count_kv=None)))
    wide = look_at(
        str(_written(tmp_path / "y.gguf", llama__attention__key_length=16, llama__attention__value_length=32))
    )
    bare = look_at(str(_written(tmp_path / "z.gguf", tokenizer__chat_template=None, llama__context_length=None)))

    assert plain.bytes_a_token == 2 * 8 * (8 + 8) * 2
    assert wide.bytes_a_token == 2 * 4 * (16 + 32) * 2
    assert (bare.has_template, bare.context_tokens) == (False, 0)


def test_all_parts_count_and_each_must_be_there(tmp_path: Path) -> None:
    first = _written(tmp_path / "big-00001-of-00003.gguf", split__count=3)
    (tmp_path / "big-00003-of-00003.gguf").write_bytes(gguf({"split.no": 2}) + b"x" * 100)

    assert "big-00002-of-00003.gguf is missing" in _refused(first).message
    (tmp_path / "big-00002-of-00003.gguf").write_bytes(gguf({"split.no": 1}))
    assert look_at(str(first)).size == sum(part.stat().st_size for part in tmp_path.iterdir())
    later = _refused(tmp_path / "big-00003-of-00003.gguf")
    assert "big-00001-of-00003.gguf" in later.do


@pytest.mark.parametrize(
    "changed",
    [
        {"general__architecture": "bert", "bert__context_length": 512},
        {"llama__pooling_type": 3},
        {"llama__attention__causal": False},
    ],
    ids=["an encoder", "one that pools", "one that sees both ways"],
)
def test_a_model_for_searching_is_not_spoken_to(tmp_path: Path, changed: dict[str, object]) -> None:
    it = _refused(_written(tmp_path / "embed.gguf", **changed))
    assert "cannot talk" in it.message


def test_what_is_not_there_or_no_file_says_so(tmp_path: Path) -> None:
    assert "There is no model file 'x.gguf'" in _refused(tmp_path / "x.gguf").message
    assert "There is no model file" in _refused("~nobody-has-this-name/x.gguf").message
    assert "There is no model file" in _refused("0" * 5000).message
    assert "should end in .gguf" in _refused(tmp_path).do
    _written(tmp_path / "small.gguf")
    assert "such as small.gguf" in _refused(tmp_path).do


def test_no_sentence_tells_the_folder_that_a_file_is_in(tmp_path: Path) -> None:
    for content in (b"text", b"GGUF", gguf({}, version=9), gguf({"a": 1})):
        (tmp_path / "x.gguf").write_bytes(content)
        it = _refused(tmp_path / "x.gguf")
        assert "x.gguf" in it.message
        assert it.do
        assert str(tmp_path) not in it.message + it.do


def test_a_file_that_the_system_does_not_let_us_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _written(tmp_path / "x.gguf")

    def refuse(*_args: object, **_named: object) -> None:
        raise PermissionError(13, "Permission denied", str(file))

    monkeypatch.setattr(Path, "open", refuse)
    assert "cannot be read" in _refused(file).message


def test_a_file_for_searching_embeds_and_does_not_talk(tmp_path: Path) -> None:
    bert = _written(tmp_path / "bert.gguf", general__architecture="bert", bert__pooling_type=1)
    ranks = _written(tmp_path / "ranks.gguf", general__architecture="bert", bert__pooling_type=4)

    assert look_at(str(bert), embeds=True).pools
    assert "searching" in _refused(bert).message
    with pytest.raises(ModelFileUnusable):
        look_at(str(ranks), embeds=True)
    assert not look_at(str(_written(tmp_path / "talks.gguf")), embeds=True).pools
