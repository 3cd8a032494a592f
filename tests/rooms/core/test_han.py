"""The table of traditional characters is OpenCC's, one character to one."""

import importlib.util
from pathlib import Path

from echovessel.core.han import SIMPLIFIED, TRADITIONAL

ROOT = Path(__file__).parents[3]


def test_the_table_is_what_opencc_gives_today() -> None:
    spec = importlib.util.spec_from_file_location("han_variants", ROOT / "scripts/han_variants.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    assert script.variants() == (TRADITIONAL, SIMPLIFIED)


def test_reading_simplified_twice_changes_nothing() -> None:
    assert len(TRADITIONAL) == len(SIMPLIFIED) == len(set(TRADITIONAL))
    assert not set(TRADITIONAL) & set(SIMPLIFIED)
