"""The bench runs the whole way: import, embed, index, rank, score."""

import json
from pathlib import Path

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.bench_recall import OURS, measure, table
from echovessel.runtime.recall_data import RecallSet, load
from echovessel.testing.hash_embedder import HashEmbedder

SAID = {
    "S1": ["Ada: My violin lesson is on Friday.", "Bo: Which teacher?", "Ada: Mrs Lindqvist, in the old mill."],
    "S2": ["Ada: 我领养了一只小猫。", "Bo: 叫什么名字？", "Ada: 叫芝麻，因为它身上有小黑点。"],
    "S3": ["Ada: It rains again.", "Bo: Take an umbrella.", "Ada: I lost mine on the bus."],
}
ASKED = [("When is Ada's violin lesson?", ["t0"]), ("Ada 的小猫叫什么", ["t3", "t5"]), ("lost umbrella", ["t8", "t7"])]


@pytest.fixture
def data(tmp_path: Path) -> RecallSet:
    sessions, number = [], 0
    for day, (session, lines) in enumerate(SAID.items(), start=1):
        turns = []
        for line in lines:
            speaker, text = line.split(": ", 1)
            turns.append(
                {"turn_id": f"t{number}", "speaker": speaker, "at": f"2024-0{day}-05T10:{number:02}:00", "text": text}
            )
            number += 1
        sessions.append({"session_id": session, "turns": turns})
    questions = [
        {
            "conv_id": "c:1",
            "question": question,
            "category": "fact",
            "asked_at": "2024-08-01T00:00:00",
            "headline": True,
            "evidence": [evidence],
        }
        for question, evidence in ASKED
    ]
    (tmp_path / "x.conversations.jsonl").write_text(json.dumps({"conv_id": "c:1", "sessions": sessions}))
    (tmp_path / "x.questions.jsonl").write_text("\n".join(map(json.dumps, questions)))
    return load(tmp_path, "x")


async def test_the_report_compares_ours_with_plain_retrievers(data: RecallSet) -> None:
    report = await measure(data, "x", HashEmbedder())

    assert list(report.retrievers) == ["BM25", "cosine", "min-max sum", OURS]
    assert report.messages == 9
    assert report.retrievers[OURS].measures["R@5"] == 1
    assert report.retrievers["BM25"].measures["R@5"] == 1
    text = "\n".join(table(report))
    assert "| EchoVessel | 3 |" in text
    assert "hash-256@1" in text


async def test_it_leaves_nothing_behind_and_touches_no_configured_database(
    data: RecallSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECHOVESSEL_DATABASE__URL", "postgresql://nobody@localhost:1/never")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()

    await measure(data, "x", HashEmbedder())

    assert list((tmp_path / "scratch").iterdir()) == []


async def test_a_set_in_which_nothing_counts_is_refused(data: RecallSet) -> None:
    with pytest.raises(BadInput, match="headline"):
        await measure(RecallSet(data.conversations, ()), "x", HashEmbedder())
