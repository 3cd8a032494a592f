import pytest

from echovessel.core.addresses import without_login


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
