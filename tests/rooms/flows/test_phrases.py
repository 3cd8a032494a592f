import re

import pytest

from echovessel.flows.phrases import phrases


def test_a_line_is_a_phrase_and_a_word_stands_for_its_alternatives() -> None:
    table = phrases("# a comment\n\n{who} hits me\nhelp{1,2}$", {"who": "he|{kin}", "kin": "dad|mum"})

    assert table.search("my mum hits me")
    assert table.search("helpp")
    assert not table.search("a comment")
    assert not table.search("who hits me")


def test_an_unknown_word_and_a_broken_pattern_are_noticed() -> None:
    with pytest.raises(KeyError):
        phrases("{nobody} hits me", {})
    with pytest.raises(re.error):
        phrases("(", {})
