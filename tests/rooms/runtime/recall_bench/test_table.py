"""What people read: the figures with their intervals, and what they are figures of."""

from echovessel.runtime.recall_bench.measure import OURS, Report
from echovessel.runtime.recall_bench.metrics import MEASURES, Summary
from echovessel.runtime.recall_bench.resampling import Figure
from echovessel.runtime.recall_bench.restraint import Restraint
from echovessel.runtime.recall_bench.table import table

HALF = Figure(0.5, 0.4, 0.61, 20)
RATIO = Figure(0.9, 0.7, 1.1, 8)


def report(*, languages: bool = True, old_to_new: Figure | None = RATIO) -> Report:
    summary = Summary(
        measures=dict.fromkeys(MEASURES, HALF),
        kinds={"cross": {"R@5": HALF, "R@10": Figure(0.75, 0.5, 1, 20)}},
        languages={"zh": HALF} if languages else {},
        ages={"8–30 d": HALF},
        old_to_new=old_to_new,
    )
    return Report(
        set="tune",
        embedder="hash-256@1",
        conversations=2,
        messages=440,
        headline=20,
        retrievers={"BM25": summary, OURS: summary},
        restraint=Restraint({"unrelated": Figure(0.02, 0, 0.05, 40)}, Figure(0.1, 0, 0.2, 20)),
        ms_median=1.25,
        ms_p95=3.5,
    )


def test_every_retriever_has_its_row_with_intervals() -> None:
    lines = list(table([report()]))

    assert (
        "| tune | EchoVessel | 20 | 50.0 | 50.0 (40.0–61.0) | 50.0 (40.0–61.0) | 50.0 | 50.0 | 50.0 | 50.0 | 0.90 (0.70–1.10) |"
        in lines
    )
    assert any(line.startswith("| tune | BM25 | 20 |") for line in lines)


def test_restraint_and_what_stands_behind_the_averages() -> None:
    text = "\n".join(table([report()]))

    assert "| tune | unrelated | 40 | 2.0 (0.0–5.0) |" in text
    assert "| tune | 20 | 10.0 (0.0–20.0) |" in text
    assert "## tune: 440 messages of 2 talks, embedder hash-256@1" in text
    assert "| R@10 by kind | cross (20) |\n|---|---|\n| BM25 | 75.0 |" in text
    assert "| R@10 by language | zh (20) |" in text
    assert "1.2 ms (median), 3.5 ms (p95)" in text


def test_what_cannot_be_told_is_left_out() -> None:
    text = "\n".join(table([report(languages=False, old_to_new=None)]))

    assert "by language" not in text
    assert "| 50.0 | – |" in text
