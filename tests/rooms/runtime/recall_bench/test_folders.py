"""A folder says by what lies in it which sets it holds."""

import json
import shutil
from pathlib import Path

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.recall_bench import folders
from echovessel.runtime.recall_bench.folders import own_folder, sets

DATA = Path(__file__).parents[3] / "data" / "recall"


def common(folder: Path, name: str) -> None:
    turn = {"turn_id": "t1", "speaker": "Ada", "at": "2024-01-01T10:00:00", "text": "It rains."}
    conversation = {"conv_id": "c", "sessions": [{"session_id": "s", "turns": [turn]}]}
    (folder / f"{name}.conversations.jsonl").write_text(json.dumps(conversation), encoding="utf-8")
    (folder / f"{name}.questions.jsonl").write_text("", encoding="utf-8")


def test_our_own_talks_are_two_sets_and_others_have_names(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "both")
    common(tmp_path / "both", "small")

    assert [data.name for data in sets(DATA)] == ["tune", "test"]
    assert [data.name for data in sets(tmp_path / "both")] == ["tune", "test", "small"]
    assert [data.name for data in sets(tmp_path / "both", "test")] == ["test"]


def test_a_half_without_a_talk_is_left_out(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    (tmp_path / "talks" / "kitten.txt").unlink()

    assert [data.name for data in sets(tmp_path)] == ["tune"]


def test_a_folder_without_sets_and_a_set_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no recall data"):
        list(sets(tmp_path))
    with pytest.raises(BadInput, match="holds no recall data"):
        list(sets(tmp_path / "nowhere"))

    common(tmp_path, "small")
    with pytest.raises(BadInput, match="no set called big") as refused:
        list(sets(tmp_path, "big"))
    assert "small" in refused.value.do


def test_a_clone_has_our_own_and_a_package_says_that_it_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folders.OWN.parts[-2:] == ("bench", "data")

    monkeypatch.setattr(folders, "OWN", DATA)
    assert own_folder() == DATA

    monkeypatch.setattr(folders, "OWN", tmp_path)
    with pytest.raises(BadInput, match="not in the installed package"):
        own_folder()
