import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, insert, text

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.search import forget_removed, kept_tokens, remove, search_tokens
from echovessel.core.ids import MessageId, UserId
from echovessel.core.text import tokens
from echovessel.testing.contracts.store_house import StoreHouse

SYNTAX = re.compile(r"[\s\"'()*:^+\-!&|<>\\{}%~/\x00-\x1f]")


@given(st.text())
def test_no_token_holds_a_sign_of_any_query_language(said: str) -> None:
    assert not [token for token in search_tokens(said) if not token or SYNTAX.search(token)]


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_part_of_a_text_has_no_token_that_the_text_lacks(one: str, other: str) -> None:
    whole = set(search_tokens(f"{one}\n{other}"))

    assert set(search_tokens(one)) <= whole
    assert set(search_tokens(other)) <= whole


def test_tokens_are_distinct_and_in_order() -> None:
    assert search_tokens("tea, Tea; 茶tea") == ["tea", "茶"]


@given(st.text(max_size=60))
def test_what_is_kept_is_every_token_as_often_as_it_is_said(said: str) -> None:
    assert Counter(kept_tokens(said)) == Counter(tokens(said))
    assert kept_tokens(said)[: len(set(tokens(said)))] == search_tokens(said)


def test_when_there_is_no_room_repetitions_go_first() -> None:
    words = " ".join(f"word{number}" for number in range(60_000))

    found = kept_tokens(f"{words} {words}")

    assert found[:60_000] == search_tokens(words)
    assert 60_000 < len(found) < 120_000


def test_a_long_text_stays_within_what_a_tsvector_holds() -> None:
    every_han = "".join(chr(0x4E00 + number % 20_000) + chr(0x4E00 + number % 19_997) for number in range(200_000))
    found = search_tokens(every_han)

    assert 800_000 < sum(len(token.encode()) for token in found) <= 900_000


async def test_each_message_is_found_by_its_own_words_and_no_others(house: StoreHouse) -> None:
    said = ["龟背竹 lives", "I don't know", "C++ and 3.5", "👍🏽 ok", "naïve café", "臺灣", "ﬁne Ａｂｃ", "ça va ?"]
    for line in said:
        await house.do(house.hearing(line))

    assert {line: list(await house.texts(q=line)) for line in said} == {line: [line] for line in said}
    assert await house.texts(q="台湾") == ["臺灣"]
    assert list(await house.texts(q="茶")) == []


def test_the_index_outlives_thousands_of_deletions() -> None:
    with create_engine("sqlite://").connect() as conn:
        t.message_search.create(conn)
        conn.exec_driver_sql(
            "CREATE VIRTUAL TABLE message_fts USING fts5(tokens, content='message_search', content_rowid='id',"
            " tokenize='ascii', detail='none', columnsize=0)"
        )
        for number in range(2300):
            row = {"user_id": UserId("u"), "message_id": MessageId(f"m{number}"), "tokens": f"tea w{number}"}
            conn.execute(insert(t.message_search), row)
            conn.execute(
                text(
                    "INSERT INTO message_fts(rowid, tokens) SELECT id, tokens FROM message_search WHERE message_id = :id"
                ),
                {"id": row["message_id"]},
            )
            if number % 2:
                remove(conn, row["user_id"], row["message_id"])
            forget_removed(conn)

        found = conn.execute(text("SELECT count(*) FROM message_fts WHERE message_fts MATCH 'tea'")).scalar_one()

    assert found == 1150
