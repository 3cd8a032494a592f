"""Keep tests, and every Python that they start, on this machine: no connection and no look-up beyond loopback.

An audit hook sees what the standard library is about to do, also below any library, and cannot be taken off again.
Events: https://docs.python.org/3/library/audit_events.html
"""

import ipaddress
import os
import sys
from pathlib import Path
from typing import cast

_CONNECTING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_LOOKING_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})


class NetworkUsed(RuntimeError):
    """A test left the machine; `address` is where it wanted to go."""

    def __init__(self, address: object) -> None:
        super().__init__(f"Tests stay on loopback, and this one went for {address!r}. Serve the other side locally.")


def block() -> None:
    """Block everything but loopback and unix sockets in this process, and in the Pythons it starts."""
    sys.addaudithook(_guard)
    here = str(Path(__file__).with_name("sitecustomize"))
    before = os.environ.get("PYTHONPATH", "")
    if here not in before.split(os.pathsep):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [here, before]))


def _guard(event: str, args: tuple[object, ...]) -> None:
    if event in _CONNECTING:
        address = args[1]
        # A unix socket's address is a path; an unnamed one (sendmsg on a connected socket) is None.
        if isinstance(address, tuple) and not _is_loopback(cast("tuple[object, ...]", address)[0]):
            raise NetworkUsed(cast("object", address))
    elif event in _LOOKING_UP:
        host = args[0]
        if host and not _is_local_name(host):
            raise NetworkUsed(host)


def _is_loopback(host: object) -> bool:
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host).partition("%")[0]).is_loopback
    except ValueError:
        return False


def _is_local_name(host: object) -> bool:
    """A number needs no look-up, and connecting to it is judged on its own."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return True
