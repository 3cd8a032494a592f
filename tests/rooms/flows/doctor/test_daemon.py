"""Who owns the home, and what keeps a daemon from starting."""

import pytest

from echovessel.core.errors import ConfigError, StoreUnusable
from echovessel.flows.doctor.daemon import (
    OwnerFacts,
    from_error,
    look_at_address,
    look_at_owner,
    look_at_settings,
    what_keeps_it_from_starting,
)
from echovessel.ports.front import Verdict

WRONG = ConfigError("It is wrong.", do="Make it right.")


@pytest.mark.parametrize(
    ("owner", "verdict", "found", "remedy"),
    [
        (None, Verdict.OK, "Not running", ""),
        (OwnerFacts(pid=7, url="http://127.0.0.1:7777", answers=True), Verdict.OK, "Process 7 runs at http", ""),
        (OwnerFacts(pid=7, url="http://127.0.0.1:7777", answers=False), Verdict.BROKEN, "does not answer", "kill -9 7"),
        (OwnerFacts(pid=7, url="", answers=False), Verdict.BROKEN, "does not say how", "`kill 7`"),
        (OwnerFacts(pid=None, url="", answers=False), Verdict.BROKEN, "Another process", "End it, and"),
    ],
)
def test_the_owner_is_named(owner: OwnerFacts | None, verdict: Verdict, found: str, remedy: str) -> None:
    check = look_at_owner(owner)

    assert (check.name, check.verdict) == ("daemon", verdict)
    assert found in check.found
    assert remedy in check.do


def test_settings_and_address_are_in_order_or_told() -> None:
    assert look_at_settings("config.toml", None).verdict is Verdict.OK
    assert look_at_settings("config.toml", None, blank=True).verdict is Verdict.NOTE
    assert look_at_settings("config.toml", WRONG) == from_error("settings", WRONG)
    assert look_at_address("Port 7777", None).verdict is Verdict.OK
    assert look_at_address("Port 7777", WRONG) == from_error("address", WRONG)


def test_a_database_that_cannot_be_used_is_told_from_the_rest() -> None:
    assert what_keeps_it_from_starting(StoreUnusable("Damaged.", do="Restore.")).name == "database"
    assert what_keeps_it_from_starting(WRONG).name == "start"
    assert (from_error("x", WRONG).found, from_error("x", WRONG).do) == ("It is wrong.", "Make it right.")
