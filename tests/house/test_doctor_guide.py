"""The guide to the doctor has a row for every check that the code can make, in both languages, and names no other."""

import re
from pathlib import Path

import pytest

from tests.house.rules import ROOT, SOURCE, source_modules

GUIDES = [ROOT / "docs" / folder / "howto" / "doctor.md" for folder in ("", "zh")]
NAMED = re.compile(r'Check\(\s*name="(\w+)"|from_error\(\s*"(\w+)"|name = f"(\w+) \{profile\}"')


def _checks() -> set[str]:
    """The names that stand in the source where a check is made."""
    texts = [(SOURCE / module).read_text(encoding="utf-8") for module in source_modules() if module.parts[0] == "flows"]
    named = {name for text in texts for names in NAMED.findall(text) for name in names if name}
    start = {"database", "start"}  # one call names either
    return named | start


@pytest.mark.parametrize("guide", GUIDES, ids=["en", "zh"])
def test_every_check_has_its_row(guide: Path) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", guide.read_text(encoding="utf-8"), re.MULTILINE)

    assert len(rows) == len(set(rows))
    assert set(rows) == _checks()
    assert len(rows) > 15
