"""Addresses as people may see them."""

from urllib.parse import parse_qsl, urlsplit

_KEYS = frozenset({"key", "apikey", "apitoken", "token", "accesstoken", "authtoken", "subscriptionkey", "secret"})
"""What a key in an address is called, without `-` and `_`."""


def holds_a_key(address: str) -> bool:
    """Whether the query of an address gives a key; an address is shown and logged, a key is not."""
    try:
        query = urlsplit(address).query
    except ValueError:  # no address at all: whoever goes there will say so
        return False
    return any(name.lower().replace("-", "").replace("_", "") in _KEYS for name, _ in parse_qsl(query))


def without_login(address: str) -> str:
    """An address without the user name and password in it."""
    scheme, mark, rest = address.partition("://")
    if not mark:
        return address.rpartition("@")[2]
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
