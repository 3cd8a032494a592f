"""Addresses as people may see them."""


def without_login(address: str) -> str:
    """An address without the user name and password in it."""
    scheme, mark, rest = address.partition("://")
    if not mark:
        return address.rpartition("@")[2]
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
