"""Where the owner's first zone and language come from."""

from pathlib import Path

import pytest

from echovessel.runtime.machine import locale_of, zone_of


def test_the_variable_wins_over_the_link_and_the_link_over_the_file(tmp_path: Path) -> None:
    link, file = tmp_path / "localtime", tmp_path / "timezone"
    file.write_text("Europe/Berlin\n")
    assert zone_of({}, link, file) == "Europe/Berlin"

    link.symlink_to("/var/db/timezone/zoneinfo/Asia/Shanghai")
    assert zone_of({}, link, file) == "Asia/Shanghai"
    assert zone_of({"TZ": ":America/New_York"}, link, file) == "America/New_York"


def test_nonsense_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "timezone"
    file.write_text("Nowhere/Land")

    assert zone_of({"TZ": "CST6CDT,M3.2.0"}, tmp_path / "none", file) == "UTC"


@pytest.mark.parametrize(
    ("environ", "locale"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "zh_CN"}, "zh"),
    ],
)
def test_the_language(environ: dict[str, str], locale: str) -> None:
    assert locale_of(environ) == locale
