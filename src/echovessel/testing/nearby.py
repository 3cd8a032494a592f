"""What stands in for looking around: the servers that a test says are there."""

from collections.abc import Sequence

from echovessel.ports.nearby import NearbyServer


class FoundNearby:
    """Implements `ports.nearby.Nearby`; `servers` may be changed at any time."""

    def __init__(self, *servers: NearbyServer) -> None:
        self.servers = list(servers)

    async def look(self) -> Sequence[NearbyServer]:
        """The servers that were named."""
        return self.servers
