"""Rows of talk read back as the words of `core.talk`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row

from echovessel.core.errors import NotFound
from echovessel.core.pair import Pair
from echovessel.core.talk import Trouble, Turn, TurnState


def trouble_values(trouble: Trouble | None) -> Mapping[str, str] | None:
    """As kept in a JSON column."""
    return None if trouble is None else asdict(trouble)


def trouble_of(kept: Mapping[str, str] | None) -> Trouble | None:
    """Back from a JSON column."""
    return None if kept is None else Trouble(**kept)


def turn_of(row: Row[Any]) -> Turn:
    """A row of the turn table."""
    return Turn(
        id=row.id,
        pair=Pair(row.user_id, row.persona_id),
        conversation_id=row.conversation_id,
        channel=row.channel,
        state=TurnState(row.state),
        opened_at=row.opened_at,
        due_at=row.due_at,
        attempts=row.attempts,
        regenerates=row.regenerates,
        draft=row.draft,
        asked_to_stop=row.asked_to_stop,
        trouble=trouble_of(row.trouble),
    )


def no_such(what: str) -> NotFound:
    """The error for what is not there or belongs to someone else; it does not say which."""
    return NotFound(f"There is no such {what}.", do=f"Look the {what} up in the list and use its id.")
