"""What ships in the package beside its code."""

from pathlib import Path

import pytest

from echovessel.runtime import package


def test_a_page_that_was_not_built_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package.resources, "files", lambda _: tmp_path)
    assert package.page_folder() is None

    folder = tmp_path / "api" / "page"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    assert package.page_folder() == folder
