import pytest

from echovessel.core.text import normalise, tokens
from echovessel.memory.relations import Owner, all_relations, related, words_of_relations


def _found(text: str) -> list[tuple[str, str, Owner]]:
    plain = normalise(text)
    return [(plain[word.start : word.end], word.relations[0].zh[0], word.owner) for word in related(plain)]


@pytest.mark.parametrize(
    ("text", "word", "relation", "owner"),
    [
        ("我妈来了", "妈", "妈妈", Owner.SPEAKER),
        ("我的母亲", "母亲", "妈妈", Owner.SPEAKER),
        ("妈妈做的饭", "妈妈", "妈妈", Owner.UNSAID),
        ("俺娘说", "娘", "妈妈", Owner.SPEAKER),
        ("你爸怎么样", "爸", "爸爸", Owner.LISTENER),
        ("她妈很凶", "妈", "妈妈", Owner.ANOTHER),
        ("我家狗", "狗", "狗", Owner.SPEAKER),
        ("我小妹", "小妹", "妹妹", Owner.SPEAKER),
        ("我們老闆", "老板", "老板", Owner.SPEAKER),
        ("my mum called", "mum", "妈妈", Owner.SPEAKER),
        ("my little sister", "little sister", "妹妹", Owner.SPEAKER),
        ("your boss", "boss", "老板", Owner.LISTENER),
        ("her mother", "mother", "妈妈", Owner.ANOTHER),
        ("Tom's dog", "dog", "狗", Owner.ANOTHER),
        ("my mother-in-law", "mother-in-law", "婆婆", Owner.SPEAKER),
        ("the cats", "cats", "猫", Owner.UNSAID),
    ],
)
def test_a_word_for_a_relation_and_whose_it_is(text: str, word: str, relation: str, owner: Owner) -> None:
    assert _found(text) == [(word, relation, owner)]


@pytest.mark.parametrize(
    "text",
    [
        "服务员小姐",
        "熊猫",
        "朋友圈",
        "热狗",
        "老板娘",
        "妈呀",
        "他妈的",
        "姑娘",
        "Mother's Day",
        "a hot dog",
        "天猫",
        "猫腻",
        "sonic",
        "",
    ],
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert _found(text) == []


def test_an_english_word_may_mean_two_relations_and_a_chinese_one_means_one() -> None:
    (uncle,) = related("my uncle")
    (younger,) = related("我舅舅")

    assert {relation.zh[0] for relation in uncle.relations} >= {"叔叔", "舅舅"}
    assert len(younger.relations) == 1


def test_no_chinese_word_stands_for_two_relations() -> None:
    words = [word for relation in all_relations() for word in relation.zh]

    assert sorted(words) == sorted(set(words))
    assert all(relation.en for relation in all_relations())


@pytest.mark.parametrize(
    "text",
    ["我妈来了", "my mothers", "MY BEST FRIEND", "我們老闆", "the cats", "my mother-in-law", "他姥姥", "her fiancée"],
)
def test_whatever_names_a_relation_holds_one_of_its_first_tokens(text: str) -> None:
    assert _found(text)
    assert not words_of_relations().isdisjoint(tokens(text))
