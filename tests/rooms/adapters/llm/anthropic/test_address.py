import pytest

from echovessel.adapters.llm.anthropic.address import address_of, is_anthropic_itself
from echovessel.core.errors import ModelUnreachable


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("", "https://api.anthropic.com"),
        ("https://api.anthropic.com/", "https://api.anthropic.com"),
        ("https://api.anthropic.com/v1", "https://api.anthropic.com"),
        ("https://api.anthropic.com/v1/messages", "https://api.anthropic.com"),
        (" http://127.0.0.1:8080/v1/ ", "http://127.0.0.1:8080"),
        ("https://gateway.example.com/anthropic", "https://gateway.example.com/anthropic"),
    ],
)
def test_the_address_is_what_stands_before_the_path_of_the_api(typed: str, url: str) -> None:
    assert address_of(typed).url == url


def test_anthropic_itself_is_told_from_those_that_speak_like_it() -> None:
    assert is_anthropic_itself(address_of(""))
    assert not is_anthropic_itself(address_of("https://gateway.example.com/anthropic"))


def test_what_is_no_address_is_refused_and_the_sentences_name_the_right_kind() -> None:
    with pytest.raises(ModelUnreachable):
        address_of("anthropic")
    assert "Messages API" in address_of("").endpoint
    assert "api.anthropic.com" in address_of("").usual
