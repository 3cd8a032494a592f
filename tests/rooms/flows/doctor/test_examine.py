"""The whole of it: what a well vessel says, and what stays to be said when the database cannot be read."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import pytest

from echovessel.core.errors import DiskFull, StoreUnusable
from echovessel.flows.deps import Deps
from echovessel.flows.doctor import examine
from echovessel.ports.front import Check, Verdict
from echovessel.ports.records import Backlog, StoreHealth
from echovessel.ports.store import Store
from echovessel.runtime.supervisor import Supervisor
from tests.rooms.flows.doctor.conftest import OWNER


async def _examined(deps: Deps, failures: Mapping[str, int] | None = None) -> Sequence[Check]:
    return await examine(deps, OWNER, Supervisor(deps.clock).guard, failures or {})


async def test_a_new_vessel_is_well(deps: Deps) -> None:
    checks = await _examined(deps)

    assert [c for c in checks if c.verdict is Verdict.BROKEN] == []
    assert len({c.name for c in checks}) == len(checks)
    assert all(bool(c.do) == (c.verdict is not Verdict.OK) for c in checks)


async def test_without_an_embedder_nothing_waits_for_vectors(deps: Deps) -> None:
    names = [check.name for check in await _examined(replace(deps, embedder=None))]

    assert "embedder" in names
    assert "vectors" not in names


async def test_failures_in_the_background_are_told(deps: Deps) -> None:
    assert "turns 2 times" in " ".join(check.found for check in await _examined(deps, {"turns": 2}))


class _Full:
    """A store on a disk that became full."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def health(self) -> StoreHealth:
        raise DiskFull("The disk is full.", do="Free some space.")

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


async def test_a_database_that_cannot_be_written_is_told_and_what_is_in_it_is_looked_at(deps: Deps) -> None:
    checks = await _examined(replace(deps, store=cast("Store", _Full(deps.store))))

    assert [check.name for check in checks if check.verdict is Verdict.BROKEN] == ["database"]
    assert {"clock", "you", "jobs"} <= {check.name for check in checks}


class _Unwritten(_Full):
    """A store whose last write failed; its disk is well again."""

    down = DiskFull("The disk was full.", do="Free some space.")

    async def health(self) -> StoreHealth:
        return await self._store.health()


async def test_why_the_last_write_failed_is_told(deps: Deps) -> None:
    checks = await _examined(replace(deps, store=cast("Store", _Unwritten(deps.store))))

    assert (checks[0].name, checks[0].verdict, checks[0].found) == ("database", Verdict.BROKEN, "The disk was full.")


class _HalfRead(_Full):
    """A store that was damaged in one table."""

    async def health(self) -> StoreHealth:
        return replace(await self._store.health(), integrity="row 3 missing from index")

    async def backlog(self) -> Backlog:
        raise StoreUnusable("The database is damaged.", do="Restore a backup.")


async def test_damage_in_one_table_leaves_the_rest_to_be_looked_at(deps: Deps) -> None:
    checks = await _examined(replace(deps, store=cast("Store", _HalfRead(deps.store))))

    assert [check.name for check in checks if check.verdict is Verdict.BROKEN] == ["database", "jobs"]
    assert "row 3 missing" in checks[0].found
    assert {"vectors", "clock", "you", "backup", "embedder", "model"} <= {check.name for check in checks}


class _Defective(_Full):
    """A store with a defect in one query."""

    async def health(self) -> StoreHealth:
        return await self._store.health()

    async def count_unembedded(self, embedder: str) -> int:
        raise ZeroDivisionError(embedder)


async def test_a_defect_in_one_look_is_told_and_the_others_are_taken(
    deps: Deps, caplog: pytest.LogCaptureFixture
) -> None:
    well = await _examined(deps)
    checks = await _examined(replace(deps, store=cast("Store", _Defective(deps.store))))

    assert [check.name for check in checks] == [check.name for check in well]
    [broken] = [check for check in checks if check.verdict is Verdict.BROKEN]
    assert (broken.name, "ZeroDivisionError" in broken.found) == ("vectors", True)
    assert "doctor: vectors" in broken.do
    assert "doctor: vectors failed" in caplog.text


class _Unreadable:
    """A store that was damaged while it was open."""

    async def health(self) -> StoreHealth:
        raise StoreUnusable("The database is damaged.", do="Restore a backup.")


async def test_a_database_that_cannot_be_read_hides_nothing_else(deps: Deps) -> None:
    checks = await _examined(replace(deps, store=cast("Store", _Unreadable())))

    assert (checks[0].name, checks[0].verdict, checks[0].do) == ("database", Verdict.BROKEN, "Restore a backup.")
    assert [check.name for check in checks[1:]] == ["embedder", "model", "loops", "restart"]
