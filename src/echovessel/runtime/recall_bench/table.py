"""The reports as Markdown: one table over all sets, then what stands behind it, set by set."""

from collections.abc import Iterable, Mapping, Sequence

from echovessel.runtime.recall_bench.measure import OURS, Report
from echovessel.runtime.recall_bench.metrics import BY_KIND, MEASURES
from echovessel.runtime.recall_bench.resampling import Figure

_WITH_INTERVAL = frozenset({"R@5", "R@10"})


def table(reports: Sequence[Report]) -> Iterable[str]:
    """All of it."""
    yield from _overview(reports)
    yield from _restraint(reports)
    for report in reports:
        yield from _set(report)


def _overview(reports: Sequence[Report]) -> Iterable[str]:
    yield "In per cent; in brackets the interval that 95 % of 1,000 resamplings of the questions fall into."
    yield f"{OURS} is what comes to mind: what does not fit is not counted as found."
    yield ""
    yield f"| set | retriever | questions | {' | '.join(MEASURES)} | old/new |"
    yield f"|---|---|---|{'---|' * len(MEASURES)}---|"
    for report in reports:
        for name, summary in report.retrievers.items():
            cells = [_cell(summary.measures[each], interval=each in _WITH_INTERVAL) for each in MEASURES]
            ratio = _ratio(summary.old_to_new)
            yield f"| {report.set} | {name} | {report.headline} | {' | '.join(cells)} | {ratio} |"
    yield ""


def _restraint(reports: Sequence[Report]) -> Iterable[str]:
    yield "| set | where nothing should come to mind | lines | something did, per 100 |"
    yield "|---|---|---|---|"
    for report in reports:
        for kind, figure in report.restraint.false.items():
            yield f"| {report.set} | {kind} | {figure.n} | {_cell(figure, interval=True)} |"
    yield ""
    yield "| set | questions with evidence | met with nothing, per 100 |"
    yield "|---|---|---|"
    for report in reports:
        if missed := report.restraint.missed:
            yield f"| {report.set} | {missed.n} | {_cell(missed, interval=True)} |"
    yield ""


def _set(report: Report) -> Iterable[str]:
    yield f"## {report.set}: {report.messages} messages of {report.conversations} talks, embedder {report.embedder}"
    yield ""
    summaries = report.retrievers
    for measure in BY_KIND:
        by_kind = {
            name: {kind: each[measure] for kind, each in summary.kinds.items()} for name, summary in summaries.items()
        }
        yield from _breakdown(f"{measure} by kind", by_kind)
    yield from _breakdown("R@10 by language", {name: summary.languages for name, summary in summaries.items()})
    yield from _breakdown("R@10 by age of the evidence", {name: summary.ages for name, summary in summaries.items()})
    yield f"A recall took {report.ms_median:.1f} ms (median), {report.ms_p95:.1f} ms (p95), without embedding the question."
    yield ""


def _breakdown(title: str, values: Mapping[str, Mapping[str, Figure]]) -> Iterable[str]:
    """A table of retrievers by columns, each with how many there are; none when there is nothing to part."""
    columns = next(iter(values.values()))
    if not columns:
        return
    yield f"| {title} | {' | '.join(f'{column} ({figure.n})' for column, figure in columns.items())} |"
    yield f"|---|{'---|' * len(columns)}"
    for name, row in values.items():
        yield f"| {name} | {' | '.join(_cell(row[column]) for column in columns)} |"
    yield ""


def _cell(figure: Figure, *, interval: bool = False) -> str:
    spread = f" ({100 * figure.low:.1f}–{100 * figure.high:.1f})" if interval else ""
    return f"{100 * figure.value:.1f}{spread}"


def _ratio(figure: Figure | None) -> str:
    return "–" if figure is None else f"{figure.value:.2f} ({figure.low:.2f}–{figure.high:.2f})"
