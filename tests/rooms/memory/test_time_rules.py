from echovessel.memory.time_rules import Rule, RuleBook
from echovessel.memory.time_span import Rank, days

TODAY = Rule("today", Rank.DAY, lambda _, scope: days(scope.today), frozenset({"today"}))
NOW = Rule("now", Rank.DAY, lambda _, scope: days(scope.today), frozenset({"now", "today"}))


def test_only_rules_that_may_find_something_are_likely() -> None:
    book = RuleBook([TODAY, NOW])

    assert book.likely({"a", "word"}) == []
    assert book.likely({"now"}) == [NOW]
    assert book.likely({"today", "now"}) == [TODAY, NOW]


def test_a_rule_finds_each_place() -> None:
    assert [found.start() for found in TODAY.matches("today, today")] == [0, 7]
