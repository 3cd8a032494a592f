"""The home as its folder shows it."""

from dataclasses import replace

import pytest

from echovessel.flows.doctor.home import LITTLE_SPACE, HomeFacts, Token, look_at_home
from echovessel.ports.front import Verdict

HOME = HomeFacts(path="~/.echovessel", exists=True, open_to_others=[], free_bytes=10**10, page_built=True)


@pytest.mark.parametrize(
    ("facts", "name", "verdict", "remedy"),
    [
        (HOME, "home", Verdict.OK, ""),
        (replace(HOME, exists=False), "home", Verdict.BROKEN, "echovessel init"),
        (replace(HOME, open_to_others=["token"]), "home", Verdict.BROKEN, "new token"),
        (replace(HOME, free_bytes=LITTLE_SPACE), "disk", Verdict.OK, ""),
        (replace(HOME, free_bytes=LITTLE_SPACE - 1), "disk", Verdict.BROKEN, "Free some space"),
        (replace(HOME, page_built=False), "page", Verdict.NOTE, "make setup"),
        (replace(HOME, token=Token.MISSING), "token", Verdict.BROKEN, "another one"),
        (replace(HOME, token=Token.SPOILT), "token", Verdict.BROKEN, "Remove the file"),
        (replace(HOME, unwritable="Read-only file system"), "writing", Verdict.BROKEN, "not read-only"),
        (replace(HOME, unlogged="logs: Not a directory"), "log", Verdict.BROKEN, "logs/echovessel.log"),
    ],
)
def test_each_fault_is_named_with_its_remedy(facts: HomeFacts, name: str, verdict: Verdict, remedy: str) -> None:
    (check,) = (check for check in look_at_home(facts) if check.name == name)

    assert check.verdict is verdict
    assert remedy in check.do
    assert bool(check.do) == (verdict is not Verdict.OK)


def test_in_a_home_that_is_not_there_nothing_is_looked_for() -> None:
    assert {check.name for check in look_at_home(replace(HOME, exists=False))} == {"home", "disk", "page"}
