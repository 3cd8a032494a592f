"""Looking for model servers on this machine: implements `ports.nearby.Nearby`."""

import asyncio
from collections.abc import Sequence

from echovessel.adapters.llm.servers import asking, recognise
from echovessel.ports.nearby import NearbyServer
from echovessel.ports.settings import SettingsSource

LOOPBACK = ("127.0.0.1", "[::1]")


class NearbyServers:
    """Looks at the ports that the settings name, on the loopback addresses alone, all at once."""

    def __init__(self, settings: SettingsSource) -> None:
        self._settings = settings

    async def look(self) -> Sequence[NearbyServer]:
        """The servers that are there, each once, those with a model first."""
        ports = self._settings.current().nearby.ports
        found = await asyncio.gather(*(_look_at(f"http://{host}:{port}") for port in ports for host in LOOPBACK))
        return _each_once(found)


async def _look_at(root: str) -> NearbyServer | None:
    async with asking(root) as ask:
        return await recognise(ask)


def _each_once(found: Sequence[NearbyServer | None]) -> Sequence[NearbyServer]:
    """One server that listens on both addresses of a port is one server, at the first of them."""
    once: dict[tuple[str, str], NearbyServer] = {}
    for server in found:
        if server is not None:
            once.setdefault((server.program, server.base_url.rpartition(":")[2]), server)
    return sorted(once.values(), key=lambda server: not server.models)
