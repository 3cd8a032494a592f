"""`echovessel bench recall` prints what it measured, for people and for programs."""

import json
from pathlib import Path

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.bench_recall import bench_recall

DATA = Path(__file__).parents[2] / "data" / "recall"


@pytest.fixture(autouse=True)
def keywords_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECHOVESSEL_EMBEDDER__NAME", "none")


def test_a_program_gets_every_set_of_every_folder(capsys: pytest.CaptureFixture[str]) -> None:
    bench_recall([DATA], None, None, as_json=True)

    reports = json.loads(capsys.readouterr().out)
    assert [(report["set"], report["headline"]) for report in reports] == [("tune", 3), ("test", 1)]
    assert reports[0]["retrievers"]["BM25"]["measures"]["R@5"].keys() == {"value", "low", "high", "n"}


def test_a_person_gets_one_set_as_tables(capsys: pytest.CaptureFixture[str]) -> None:
    bench_recall([DATA], "test", None, as_json=False)

    out = capsys.readouterr().out
    assert "| test | EchoVessel | 1 |" in out
    assert "| tune |" not in out


def test_nothing_is_measured_when_a_later_folder_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no recall data"):
        bench_recall([DATA, tmp_path], None, None, as_json=False)
