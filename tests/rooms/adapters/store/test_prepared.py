from datetime import timedelta

import pytest
from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.core.talk import TurnState
from echovessel.testing.clock import START

ADD_USER = Prepared(insert(t.user))
RENAME = Prepared(
    update(t.user).where(t.user.c.id == bindparam("who")).values(name=bindparam("new")).returning(t.user.c.name)
)
ADA = {"id": "ada", "name": "Ada", "zone": "UTC", "locale": "en", "created_at": START}


def test_a_row_is_written_as_sqlalchemy_would_write_it(empty: Connection) -> None:
    ADD_USER.first(empty, ADA)
    empty.execute(insert(t.user).values(**{**ADA, "id": "bo"}))

    ours, theirs = empty.execute(select(t.user).order_by(t.user.c.id)).all()

    assert ours[1:] == theirs[1:] == ("Ada", "UTC", "en", START)


def test_it_is_run_again_with_other_values(empty: Connection) -> None:
    for number in range(3):
        later = START + timedelta(seconds=number)
        assert ADD_USER.first(empty, {**ADA, "id": f"u{number}", "created_at": later}) is None

    assert empty.scalars(select(t.user.c.created_at).order_by(t.user.c.id)).all()[2] == START + timedelta(seconds=2)


def test_it_gives_its_first_row_if_it_has_one(empty: Connection) -> None:
    ADD_USER.first(empty, ADA)

    assert RENAME.first(empty, {"who": "ada", "new": "Ada L."}) == ("Ada L.",)
    assert RENAME.first(empty, {"who": "nobody", "new": "x"}) is None


def test_its_rows_are_those_that_sqlalchemy_gives(empty: Connection) -> None:
    for name in ("ada", "bo"):
        ADD_USER.first(empty, {**ADA, "id": name})
    everyone = select(t.user, func.count(t.user.c.id).over().label("all")).order_by(t.user.c.id)
    prepared, theirs = Prepared(everyone), empty.execute(everyone).all()

    ours = prepared.all(empty, {})

    assert ours == theirs
    assert [(row.id, row.created_at, row.all) for row in ours] == [("ada", START, 2), ("bo", START, 2)]
    assert prepared.first(empty, {}) == theirs[0]
    assert prepared.scalar(empty, {}) == "ada"


def test_of_nothing_there_are_no_rows(empty: Connection) -> None:
    nobody = Prepared(select(t.user.c.id))

    assert (nobody.first(empty, {}), list(nobody.all(empty, {})), nobody.scalar(empty, {})) == (None, [], None)


def test_an_update_sets_the_columns_that_are_given(empty: Connection) -> None:
    change = Prepared(update(t.user).where(t.user.c.id == bindparam("who")))
    ADD_USER.first(empty, ADA)

    assert change.first(empty, {"who": "ada", "zone": "Asia/Shanghai"}) is None

    assert empty.execute(select(t.user.c.zone, t.user.c.name)).one() == ("Asia/Shanghai", "Ada")


def test_values_that_the_statement_names_itself_need_not_be_given(empty: Connection) -> None:
    of_ada = Prepared(select(t.user.c.name).where(t.user.c.locale == "en", t.user.c.id == bindparam("who")))
    ADD_USER.first(empty, ADA)

    assert of_ada.first(empty, {"who": "ada"}) == ("Ada",)
    with pytest.raises(KeyError):
        of_ada.first(empty, {})


def test_what_no_database_can_hold_is_taken_out_here_too(empty: Connection) -> None:
    ADD_USER.first(empty, {**ADA, "name": "A\x00da\ud800"})

    assert empty.scalar(select(t.user.c.name)) == "Ada\ufffd"


def test_a_refusal_is_told_as_sqlalchemy_tells_it_without_the_words(empty: Connection) -> None:
    ADD_USER.first(empty, ADA)

    with pytest.raises(IntegrityError) as refused:
        ADD_USER.first(empty, {**ADA, "name": "a secret"})

    assert "UNIQUE" in str(refused.value)
    assert "a secret" not in str(refused.value)


def test_states_and_truth_values_are_converted(empty: Connection) -> None:
    opened = {
        "user_id": "ada",
        "id": "t1",
        "persona_id": "p",
        "conversation_id": "c",
        "channel": "page",
        "state": TurnState.OPEN,
        "opened_at": START,
        "due_at": START,
        "attempts": 0,
        "asked_to_stop": False,
        "draft": "",
    }
    Prepared(insert(t.turn)).first(empty, opened)

    row = empty.execute(select(t.turn)).one()
    assert (row.state, row.asked_to_stop, row.due_at, row.lease_until) == ("open", False, START, None)
