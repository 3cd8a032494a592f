from hypothesis import given
from hypothesis import strategies as st

from echovessel.core.talk import Speaker
from echovessel.core.text import tokens
from echovessel.memory.names import NAME_OF_RELATION, RELATION_OF_NAME, SAME_RELATION, NameTable

SAID = {
    "1": "我妹妹小雨昨天来了",
    "2": "My sister Anna moved to Leeds.",
    "3": "我老板叫陈伟",
    "4": "那只猫叫年糕",
    "5": "小雨是我妹妹",
    "6": "今天下雨了",
    "7": "I named the cat Biscuit",
}


def _table(*ids: str) -> NameTable:
    table = NameTable()
    for message_id in ids or SAID:
        table.learn(message_id, SAID[message_id])
    return table


def test_a_relation_is_looked_for_by_its_other_words_in_both_languages() -> None:
    found = NameTable().expand("我妈喜欢什么花")

    assert {"妈妈", "母亲", "mom", "mum", "mother"} <= set(found)
    assert found["mom"] == SAME_RELATION
    assert set(NameTable().expand("what does my mom like")) >= {"妈妈", "母亲", "mother"}


def test_a_relation_leads_to_the_name_and_the_name_to_the_relation() -> None:
    table = _table()

    assert (
        table.expand("我妹妹在哪里工作")["小雨"] == NAME_OF_RELATION * 2 / 3
    )  # Anna may be she, but 小雨 was said twice
    assert table.expand("my boss again")["陈伟"] == NAME_OF_RELATION
    assert {"老板", "boss"} <= set(table.expand("陈伟又骂人了"))
    assert {"cat", "猫咪"} <= set(table.expand("年糕今天吐了"))
    assert table.expand("where is Biscuit?")["猫咪"] == RELATION_OF_NAME


def test_nothing_that_the_text_holds_is_added() -> None:
    text = "我妈妈, my mom"

    assert set(tokens(text)).isdisjoint(NameTable().expand(text))


def test_somebody_elses_mother_is_not_ours() -> None:
    assert NameTable().expand("her mother called") == {}


def test_both_of_two_conflicting_links_are_kept_by_how_often_they_were_said() -> None:
    table = NameTable()
    table.learn("1", "我老板叫陈伟")
    table.learn("2", "我老板叫李强")
    table.learn("3", "我老板李强又发火了")

    found = table.expand("我老板最近怎么样")

    assert found["李强"] > found["陈伟"] > 0


def test_tokens_that_are_known_pass_over_what_names_nobody_and_nothing_else() -> None:
    table, passed_over = NameTable(), NameTable()
    for message_id, text in SAID.items():
        table.learn(message_id, text, said=tokens(text))
    passed_over.learn("1", "我妹妹小雨", said=tokens("今天下雨了"))

    assert table.expand("我妹妹") == _table().expand("我妹妹")
    assert "小雨" not in passed_over.expand("我妹妹")


def test_what_is_forgotten_leaves_nothing_and_what_others_said_stays() -> None:
    table = _table()
    table.forget("1")

    assert "小雨" in table.expand("我妹妹")  # message 5 said it too
    table.forget("5")
    assert "小雨" not in table.expand("我妹妹")
    assert table.expand("小雨") == {}
    table.forget("never learnt")


def test_a_message_that_was_edited_says_only_what_it_says_now() -> None:
    table = _table("3")
    table.learn("3", "我老板叫李强")

    assert "陈伟" not in table.expand("我老板")
    assert "李强" in table.expand("我老板")


def test_the_two_who_talk_are_nobody_elses_relations() -> None:
    table = NameTable(["Anna"])
    table.learn("1", "Anna is my sister.")

    assert table.expand("Anna") == {}


def test_your_sister_said_by_the_persona_is_my_sister_said_by_the_user() -> None:
    table = NameTable()
    table.learn("1", "你妹妹小雨挺可爱的", Speaker.PERSONA)

    assert "小雨" in table.expand("我妹妹", Speaker.USER)
    assert "小雨" not in table.expand("我妹妹", Speaker.PERSONA)


@given(st.permutations(sorted(SAID)))
def test_the_order_in_which_things_are_learnt_changes_nothing(order: list[str]) -> None:
    questions = ("我妹妹", "my boss", "小雨", "Biscuit")

    assert [_table(*order).expand(q) for q in questions] == [_table().expand(q) for q in questions]


@given(st.text(max_size=60))
def test_any_text_can_be_learnt_and_asked(text: str) -> None:
    table = NameTable()
    table.learn("1", text)

    assert all(0 < weight <= 1 for weight in table.expand(text).values())
