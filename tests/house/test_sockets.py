"""The guard that keeps tests on this machine."""

import asyncio
import socket
import subprocess
import sys

import pytest

from tests.support.sockets import NetworkUsed

# Documentation addresses (RFC 5737, RFC 3849): were the guard broken, nobody would answer.
ELSEWHERE = [("192.0.2.1", 80), ("2001:db8::1", 80)]


@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_connection_beyond_loopback_is_refused(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family) as s, pytest.raises(NetworkUsed):
        s.connect(address)


def test_a_datagram_beyond_loopback_is_refused() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s, pytest.raises(NetworkUsed):
        s.sendto(b"", ELSEWHERE[0])


def test_a_name_is_not_looked_up() -> None:
    with pytest.raises(NetworkUsed):
        socket.getaddrinfo("echovessel.example", 443)


async def test_a_connection_within_an_event_loop_is_refused() -> None:
    with pytest.raises(NetworkUsed):
        await asyncio.open_connection(*ELSEWHERE[0])


async def test_loopback_works() -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection("localhost", server.sockets[0].getsockname()[1])
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()


def test_a_python_started_by_a_test_is_guarded_too() -> None:
    code = "import socket; socket.getaddrinfo('echovessel.example', 443)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert done.returncode == 1
    assert "NetworkUsed" in done.stderr
