"""Looking around: at the ports that the settings name, on this machine alone."""

import time

from echovessel.adapters.llm.nearby import LOOPBACK, NearbyServers
from echovessel.ports.nearby import NearbyServer
from echovessel.ports.settings import NearbySettings, Settings
from tests.support.nearby import LM_STUDIO, OLLAMA, serving
from tests.support.settings import MemorySettings


async def _found(*ports: int) -> list[NearbyServer]:
    return list(await NearbyServers(MemorySettings(Settings(nearby=NearbySettings(ports=ports)))).look())


async def test_every_server_is_found_whatever_its_port_and_those_with_a_model_come_first() -> None:
    empty = {"GET /api/version": {"version": "0.12.6"}, "GET /api/tags": {"models": []}}
    with serving(empty) as first, serving({}) as stranger, serving(LM_STUDIO) as second:
        found = await _found(first.port, stranger.port, second.port)

    assert [(one.program, one.base_url) for one in found] == [
        ("LM Studio", f"{second.root}/v1"),
        ("Ollama", f"{first.root}/v1"),
    ]


async def test_a_server_of_the_other_loopback_address_is_found() -> None:
    with serving(OLLAMA, host="::1") as served:
        found = await _found(served.port)

    assert [one.base_url for one in found] == [f"http://[::1]:{served.port}/v1"]


async def test_a_server_on_both_addresses_is_one() -> None:
    with serving(OLLAMA) as served, serving(OLLAMA, host="::1", port=served.port):
        found = await _found(served.port)

    assert [one.base_url for one in found] == [f"http://127.0.0.1:{served.port}/v1"]


async def test_many_that_say_nothing_cost_no_more_time_than_one() -> None:
    with serving({"*": 1.5}) as one, serving({"*": 1.5}) as two, serving({"*": 1.5}) as three:
        began = time.monotonic()
        assert await _found(one.port, two.port, three.port) == []

    assert time.monotonic() - began < 6


async def test_without_ports_nobody_looks() -> None:
    assert await _found() == []


def test_only_loopback_is_looked_at() -> None:
    assert LOOPBACK == ("127.0.0.1", "[::1]")
