"""Something where nothing should come up, and nothing where something should."""

from echovessel.runtime.recall_bench.restraint import Met, restraint


def test_each_kind_of_line_is_counted_apart() -> None:
    met = [
        Met("a", "unrelated", expected=False, came=True),
        Met("a", "unrelated", expected=False, came=False),
        Met("b", "unanswerable", expected=False, came=False),
        Met("b", "fact", expected=True, came=True),
        Met("b", "fact", expected=True, came=False),
        Met("b", "alias", expected=True, came=True),
        Met("b", "alias", expected=True, came=True),
    ]

    found = restraint(met)

    assert {kind: (figure.value, figure.n) for kind, figure in found.false.items()} == {
        "unanswerable": (0, 1),
        "unrelated": (0.5, 2),
    }
    assert found.missed is not None
    assert (found.missed.value, found.missed.n) == (0.25, 4)


def test_where_something_always_should_there_is_nothing_false() -> None:
    found = restraint([Met("a", "fact", expected=True, came=True)])

    assert found.false == {}
    assert found.missed is not None
    assert found.missed.value == 0
