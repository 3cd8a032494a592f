"""The file a new home begins with."""

from pathlib import Path

from echovessel.adapters.config import FileSettings, commented_settings
from echovessel.adapters.config.keys import sections
from echovessel.ports.settings import Settings


def test_it_names_every_setting_and_changes_none(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(commented_settings())

    assert FileSettings(path).current() == Settings()
    assert "[profiles.cloud]" in path.read_text()
    for name, section in sections().items():
        assert f"[{name}]" in path.read_text()
        for key in section.model_fields:
            assert f"\n# {key} = " in path.read_text()


def test_every_shown_default_is_valid_when_its_line_is_switched_on(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    lines = [line.removeprefix("# ") if " = " in line else line for line in commented_settings().splitlines()]
    path.write_text("\n".join(lines))

    assert FileSettings(path).current() == Settings()
