"""BM25 over our own tokens."""

import numpy as np
import pytest

from echovessel.adapters.index.postings import K1, MOST_TERMS, B, Postings
from echovessel.core.text import tokens
from echovessel.memory.question import terms


def postings(*texts: str) -> Postings:
    held = Postings()
    held.extend([tokens(text) for text in texts])
    return held


def test_bm25_is_what_its_formula_says_against_the_best() -> None:
    held = postings("cat cat dog", "cat", "bird fish")

    scores, _ = held.score({"cat": 9.0})

    twice = 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 3 / 2))
    once = (K1 + 1) / (1 + K1 * (1 - B + B * 1 / 2))
    assert scores.tolist() == pytest.approx([1, once / twice, 0])


def test_where_nobody_used_the_telling_words_the_best_of_the_rest_is_not_good() -> None:
    held = postings(*(["the shop was closed"] * 9 + ["violin lesson at the shop"]))

    told, weak = held.score(terms("violin lesson"))[0], held.score(terms("which shop sold my trombone"))[0]

    assert told[9] > 0.8
    assert weak.max() < 0.2


def test_which_rows_hold_every_word() -> None:
    held = postings("my violin lesson", "violin", "the lesson of the violin", "rain")

    assert held.holding(["violin", "lesson"], np.array([3, 2, 1, 0])).tolist() == [False, True, False, True]
    assert held.holding(["trombone"], np.array([0])).tolist() == [False]


def test_of_an_endless_question_the_rarest_words_count() -> None:
    held = postings(*["common words here"] * 50, "violin")
    endless = dict.fromkeys([*(f"nobody{number}" for number in range(MOST_TERMS - 1)), "common", "violin"], 1.0)

    scores, _ = held.score(endless)

    assert scores.argmax() == 50
    assert scores[0] == 0


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    held = postings("tea today", "tea again", "tea and violin", "tea", "coffee")

    scores, _ = held.score(terms("tea violin"))

    assert scores.argmax() == 2
    assert scores[4] == 0


def test_a_two_character_word_finds_its_sentence_and_not_its_characters_apart() -> None:
    held = postings("审批流程要走三天", "审美和流行", "今天吃面")

    scores, coverage = held.score(terms("审批"))

    assert scores[0] > scores[1] > scores[2] == 0
    assert coverage[0] > 0.5


def test_coverage_is_a_share_and_unknown_words_lower_it() -> None:
    held = postings(*(["violin lesson"] + ["something else"] * 20))

    known = held.score(terms("violin lesson"))[1]
    partly = held.score(terms("violin lesson trombone astronaut"))[1]

    assert known[0] == 1
    assert 0.3 < partly[0] < 0.7
    assert not known[1:].any()


def test_nothing_held_and_nothing_asked() -> None:
    assert postings().score(terms("violin"))[0].shape == (0,)
    assert postings("violin").score({})[0].tolist() == [0]
    assert postings("", "…").score(terms("violin"))[0].tolist() == [0, 0]


def test_a_word_said_a_thousand_times_is_still_one_row() -> None:
    held = postings("na " * 1000, "batman")

    assert held.score(terms("batman"))[0].tolist()[0] == 0
    assert held.score(terms("na"))[0].tolist()[1] == 0


def test_what_is_also_looked_for_counts_where_it_is_and_is_not_missed_elsewhere() -> None:
    postings = Postings()
    postings.extend([["mum", "garden"], ["妈妈", "garden"], ["rain"]])

    alone, covered = postings.score({"mum": 1.0, "garden": 1.0})
    both, still_covered = postings.score({"mum": 1.0, "garden": 1.0}, {"妈妈": 0.3, "unheard": 0.3})

    assert both[1] > alone[1]
    assert both[0] > both[1]
    assert still_covered[1] > covered[1]
    assert still_covered[0] == covered[0]
