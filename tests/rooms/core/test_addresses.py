import pytest

from echovessel.core.addresses import holds_a_key, without_login


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://me:secret@127.0.0.1:8118", "http://127.0.0.1:8118"),
        ("http://me:se@cret@host/v1", "http://host/v1"),
        ("me:secret@host:1", "host:1"),
        ("https://host/v1/@luna", "https://host/v1/@luna"),
        ("", ""),
    ],
)
def test_a_login_is_left_out_and_nothing_else(address: str, shown: str) -> None:
    assert without_login(address) == shown


@pytest.mark.parametrize(
    ("address", "holds"),
    [
        ("https://host/v1?key=abc", True),
        ("https://host/v1?api-version=1&API-KEY=abc", True),
        ("https://host/v1?api-version=2024-06-01", False),
        ("https://host/v1/key", False),
        ("http://[nowhere", False),
        ("", False),
    ],
)
def test_a_key_in_the_query_is_seen(address: str, holds: bool) -> None:
    assert holds_a_key(address) == holds
