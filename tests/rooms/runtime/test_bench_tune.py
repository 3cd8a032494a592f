"""`echovessel bench tune` prints what it learned, and writes it only where it is told to."""

import json
from pathlib import Path

import pytest

from echovessel.adapters.index.weights import FILE, load_weights
from echovessel.memory.scoring import Factor
from echovessel.runtime import bench_tune as module
from echovessel.runtime.bench_tune import bench_tune, written
from echovessel.runtime.recall_bench import folders

DATA = Path(__file__).parents[2] / "data" / "recall"


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Our own talks are those of the tests, keywords alone find, and the weights' file is a copy."""
    monkeypatch.setenv("ECHOVESSEL_EMBEDDER__NAME", "none")
    monkeypatch.setattr(folders, "OWN", DATA)
    copy = tmp_path / "weights.toml"
    copy.write_bytes(FILE.read_bytes())
    monkeypatch.setattr(module, "FILE", copy)
    return copy


def test_weights_and_figures_are_printed_and_nothing_is_written(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench_tune([], None, write=False, as_json=False)

    out = capsys.readouterr().out
    assert f"| keyword | {load_weights()[Factor.KEYWORD]:g} |" in out
    assert "| tune | learned elsewhere | 3 |" in out
    assert "| test |" not in out
    assert small.read_bytes() == FILE.read_bytes()


def test_the_same_talks_give_the_same_weights_which_are_written_when_wanted(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench_tune([], None, write=True, as_json=True)
    first = json.loads(capsys.readouterr().out)
    bench_tune([], None, write=False, as_json=True)

    assert json.loads(capsys.readouterr().out)["weights"] == first["weights"]
    assert load_weights(small) == first["weights"]


def test_comments_of_the_file_stay() -> None:
    text = "# About.\n[weights]\nkeyword = 2.1  # its words\nquestion = -1.0\n"

    assert written(text, {Factor.KEYWORD: 3.25, Factor.QUESTION: -0.5}) == (
        "# About.\n[weights]\nkeyword = 3.25  # its words\nquestion = -0.5\n"
    )
