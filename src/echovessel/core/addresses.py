"""Addresses as people may see them."""

_KEYS = frozenset({"key", "apikey", "apitoken", "token", "accesstoken", "authtoken", "subscriptionkey", "secret"})
"""What a key in an address is called, without `-` and `_`."""


def holds_a_key(address: str) -> bool:
    """Whether the query of an address gives a key; an address is shown and logged, a key is not."""
    query = address.partition("?")[2].partition("#")[0]
    given = (parameter.partition("=") for parameter in query.split("&"))
    return any(value and name.lower().replace("-", "").replace("_", "") in _KEYS for name, _, value in given)


def without_login(address: str) -> str:
    """An address without the user name and password in it."""
    scheme, mark, rest = address.partition("://")
    if not mark:
        return address.rpartition("@")[2]
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
