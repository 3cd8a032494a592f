"""Is everything in order?"""

from echovessel.testing.world import World
from tests.rooms.api.conftest import Api


def test_a_well_vessel_says_so(api: Api, world: World) -> None:
    well = {check["name"]: check for check in api.get("/api/v1/doctor")["items"]}

    assert {well[name]["verdict"] for name in ("database", "embedder", "vectors", "jobs")} == {"ok"}
    assert well["database"]["do"] == ""


def test_a_loop_that_fails_again_and_again_is_told(api: Api, world: World) -> None:
    world.vessel.supervisor.failures["turns"] = 5

    (loops,) = (check for check in api.get("/api/v1/doctor")["items"] if check["name"] == "loops")

    assert loops["verdict"] == "broken"
    assert "turns 5 times" in loops["found"]
