import os
from pathlib import Path

import pytest

from echovessel.adapters.llm.access import Address, read_key
from echovessel.core.errors import ModelRefusedKey, ModelUnreachable
from tests.support.settings import llm_settings


@pytest.mark.parametrize(
    ("typed", "url", "host"),
    [
        ("http://localhost:11434/v1", "http://localhost:11434/v1", "localhost:11434"),
        (" https://api.example.com/v1/ ", "https://api.example.com/v1", "api.example.com"),
        ("http://127.0.0.1:8080/v1/chat/completions", "http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
        ("http://[::1]:1234/v1", "http://[::1]:1234/v1", "[::1]:1234"),
        ("https://me:hidden@models.example/v1", "https://me:hidden@models.example/v1", "models.example"),
        ("http://模型.example/v1", "http://模型.example/v1", "模型.example"),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, url: str, host: str) -> None:
    assert Address.parse(typed) == Address(url, host)


@pytest.mark.parametrize(
    "typed",
    [
        "localhost:11434/v1",
        "ftp://files.example",
        "http://",
        "http://a b/v1",
        "http://host:99999999/v1",
        f"http://{'x' * 70}/v1",
    ],
)
def test_what_is_no_web_address_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(ModelUnreachable) as caught:
        Address.parse(typed)
    assert "http://localhost:11434/v1" in caught.value.do


def test_without_a_key_none_is_sent() -> None:
    assert read_key(llm_settings()) == ""


def test_the_key_in_the_settings_goes_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from-the-file\n")
    assert read_key(llm_settings(api_key="typed", api_key_file=str(tmp_path / "key"))) == "typed"


def test_a_changed_key_file_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "key"
    settings = llm_settings(api_key_file=str(file))
    file.write_text("first\n")
    assert read_key(settings) == "first"
    file.write_text("second\n")
    assert read_key(settings) == "second"


def test_a_key_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelRefusedKey, match="missing"):
        read_key(llm_settings(api_key_file=str(tmp_path / "missing")))
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(ModelRefusedKey, match="picture"):
        read_key(llm_settings(api_key_file=str(tmp_path / "picture")))


@pytest.mark.parametrize("key", ["密钥", "one two", "line\nbreak"])
def test_a_key_that_cannot_travel_in_a_header_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ModelRefusedKey) as caught:
        read_key(llm_settings(api_key=key))
    assert key not in caught.value.message + caught.value.do


def test_a_key_file_that_would_block_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "key"
    os.mkfifo(pipe)
    with pytest.raises(ModelRefusedKey, match="cannot be read"):
        read_key(llm_settings(api_key_file=str(pipe)))
