"""Users, their identities on channels, personas, and the core blocks that people write."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, assert_never

from sqlalchemy import Connection, Row, Select, Table, and_, bindparam, func, insert, or_, select, update

from echovessel.adapters.store import tables as t
from echovessel.adapters.store.prepared import Prepared
from echovessel.adapters.store.records import no_such
from echovessel.adapters.store.transaction import Transaction
from echovessel.core.errors import Conflict
from echovessel.core.ids import PersonaId, UserId
from echovessel.core.pair import Pair
from echovessel.ports.changes import Outcome, PeopleChange, PutCoreBlock, PutIdentity, PutPersona, PutUser
from echovessel.ports.records import OF_THE_PERSONA, BlockLabel, CoreBlock, Identity, Persona, PersonaKind, Trust, User

_PERSONA = select(*(column for column in t.persona.c if column.name not in {"card", "card_hash"}))

# Built once: every turn asks.
_ONE_PERSONA = Prepared(_PERSONA.where(t.persona.c.id == bindparam("persona")))
_ONE_USER = Prepared(select(t.user).where(t.user.c.id == bindparam("user")))


def _core_blocks() -> Select[*tuple[Any, ...]]:
    """The newest revision of each block that speaks to a pair."""
    block = t.core_block
    key = (block.c.user_id, block.c.label)
    of_persona = block.c.persona_id == bindparam("persona")
    newest = (
        select(*key, func.max(block.c.revision).label("revision"))
        .where(of_persona, or_(block.c.user_id == "", block.c.user_id == bindparam("user")))
        .group_by(*key)
        .subquery()
    )
    same = and_(*(block.c[name] == newest.c[name] for name in ("user_id", "label", "revision")))
    return select(block).join(newest, same).where(of_persona)


_CORE_BLOCKS = Prepared(_core_blocks())

# ---------------------------------------------------------------- changes


def do(tx: Transaction, change: PeopleChange) -> Outcome:
    """Do one change of this subject."""
    match change:
        case PutUser():
            return put_user(tx, change)
        case PutIdentity():
            return put_identity(tx, change)
        case PutPersona():
            return put_persona(tx, change)
        case PutCoreBlock():
            return put_core_block(tx, change)
        case _:
            assert_never(change)


def put_user(tx: Transaction, change: PutUser) -> Outcome:
    """Create or replace; a new user gets an empty feed first."""
    new = change.user
    old = user(tx.conn, new.id)
    if old == new:
        return Outcome(fresh=False)
    values = {"name": new.name, "zone": new.zone, "locale": new.locale, "created_at": new.created_at}
    if old is None:
        tx.conn.execute(insert(t.user).values(id=new.id, **values))
        tx.conn.execute(insert(t.change_head).values(user_id=new.id, seq=0))
    else:
        tx.conn.execute(update(t.user).where(t.user.c.id == new.id).values(values))
    tx.tell(new.id, "user.changed", new.id)
    return Outcome()


def put_identity(tx: Transaction, change: PutIdentity) -> Outcome:
    """Link an identity; one that is linked to someone else stays theirs."""
    new = change.identity
    old = identity(tx.conn, new.channel, new.external_id)
    if old == new:
        return Outcome(fresh=False)
    if old is not None and old.user_id != new.user_id:
        raise Conflict(
            f"This {new.channel} identity already belongs to another user.",
            do="Unlink it there first, or use another identity.",
        )
    if old is None:
        _require(tx.conn, t.user, new.user_id, "user")
        tx.conn.execute(
            insert(t.identity).values(
                user_id=new.user_id, channel=new.channel, external_id=new.external_id, trust=new.trust
            )
        )
    else:
        tx.conn.execute(
            update(t.identity)
            .where(
                t.identity.c.user_id == new.user_id,
                t.identity.c.channel == new.channel,
                t.identity.c.external_id == new.external_id,
            )
            .values(trust=new.trust)
        )
    tx.tell(new.user_id, "user.changed", new.user_id)
    return Outcome()


def put_persona(tx: Transaction, change: PutPersona) -> Outcome:
    """Create or replace; every user's page hears of it."""
    new = change.persona
    old = persona(tx.conn, new.id)
    made_from_it = persona_of_card(tx.conn, change.card)
    if made_from_it is not None and made_from_it.id != new.id:
        raise Conflict(
            f"{made_from_it.name} was already made from this card.", do="Talk with them, or change the card."
        )
    if old == new and (made_from_it is not None or not change.card):
        return Outcome(fresh=False)
    values = _persona_values(new) | _card_values(change.card)
    if old is None:
        tx.conn.execute(insert(t.persona).values(id=new.id, **values))
    else:
        tx.conn.execute(update(t.persona).where(t.persona.c.id == new.id).values(values))
    tx.tell_all("persona.changed", new.id)
    return Outcome()


def put_core_block(tx: Transaction, change: PutCoreBlock) -> Outcome:
    """Add the next revision; the ones before it stay."""
    block = change.block
    if (block.user_id is None) != (block.label in OF_THE_PERSONA):
        raise Conflict(
            f"The block {block.label} belongs to {'a persona' if block.label in OF_THE_PERSONA else 'one pair'}.",
            do="Name the user for the blocks of a pair, and none for those of a persona.",
        )
    history = block_history(tx.conn, block.persona_id, block.user_id, block.label)
    if history and history[0] == block:
        return Outcome(fresh=False)
    current = history[0].revision if history else 0
    if block.revision != current + 1:
        raise Conflict(
            f"The block {block.label} is at revision {current}; someone else has changed it.",
            do="Read it again and repeat your change on the newest revision.",
        )
    _require(tx.conn, t.persona, block.persona_id, "persona")
    if block.user_id is not None:
        _require(tx.conn, t.user, block.user_id, "user")
    tx.conn.execute(
        insert(t.core_block).values(
            user_id=block.user_id or "",
            persona_id=block.persona_id,
            label=block.label,
            revision=block.revision,
            text=block.text,
            by=block.by,
            at=block.at,
        )
    )
    if block.user_id is None:
        tx.tell_all("core.changed", block.persona_id)
    else:
        tx.tell(block.user_id, "core.changed", block.persona_id)
    return Outcome()


def _require(conn: Connection, table: Table, row_id: str, what: str) -> None:
    if conn.scalar(select(table.c.id).where(table.c.id == row_id)) is None:
        raise no_such(what)


def _persona_values(new: Persona) -> dict[str, Any]:
    return {
        "name": new.name,
        "kind": new.kind,
        "locale": new.locale,
        "zone": new.zone,
        "basis": new.basis,
        "tagline": new.tagline,
        "examples": new.examples,
        "greetings": list(new.greetings),
        "card_format": new.card_format,
        "created_at": new.created_at,
    }


def _card_values(card: bytes) -> dict[str, Any]:
    return {"card": card, "card_hash": _hash(card)} if card else {}


def _hash(card: bytes) -> str:
    return sha256(card).hexdigest()


# ---------------------------------------------------------------- reads


def user(conn: Connection, user_id: UserId) -> User | None:
    """One user."""
    row = _ONE_USER.first(conn, {"user": user_id})
    return _user(row) if row else None


def users(conn: Connection) -> Sequence[User]:
    """All users, the oldest first."""
    return [_user(row) for row in conn.execute(select(t.user).order_by(t.user.c.created_at, t.user.c.id))]


def _user(row: Row[Any]) -> User:
    return User(id=row.id, name=row.name, zone=row.zone, locale=row.locale, created_at=row.created_at)


def identity(conn: Connection, channel: str, external_id: str) -> Identity | None:
    """Whose identity this is."""
    row = conn.execute(
        select(t.identity).where(t.identity.c.channel == channel, t.identity.c.external_id == external_id)
    ).first()
    if row is None:
        return None
    return Identity(user_id=row.user_id, channel=row.channel, external_id=row.external_id, trust=Trust(row.trust))


def persona(conn: Connection, persona_id: PersonaId) -> Persona | None:
    """One persona."""
    row = _ONE_PERSONA.first(conn, {"persona": persona_id})
    return _persona(row) if row else None


def persona_of_card(conn: Connection, card: bytes) -> Persona | None:
    """The persona that was made from exactly this file."""
    row = conn.execute(_PERSONA.where(t.persona.c.card_hash == _hash(card))).first()
    return _persona(row) if row else None


def card(conn: Connection, persona_id: PersonaId) -> bytes:
    """The file that a persona was made from; empty without one."""
    return conn.scalar(select(t.persona.c.card).where(t.persona.c.id == persona_id)) or b""


def personas(conn: Connection) -> Sequence[Persona]:
    """All personas, the oldest first."""
    return [_persona(row) for row in conn.execute(_PERSONA.order_by(t.persona.c.created_at, t.persona.c.id))]


def _persona(row: Row[Any]) -> Persona:
    return Persona(
        id=row.id,
        name=row.name,
        kind=PersonaKind(row.kind),
        locale=row.locale,
        zone=row.zone,
        basis=row.basis,
        tagline=row.tagline,
        examples=row.examples,
        greetings=tuple(row.greetings),
        card_format=row.card_format,
        created_at=row.created_at,
    )


def core_blocks(conn: Connection, pair: Pair) -> Sequence[CoreBlock]:
    """The newest revision of every block that speaks to this pair, in the order of `BlockLabel`."""
    rows = _CORE_BLOCKS.all(conn, {"user": pair.user_id, "persona": pair.persona_id})
    order = list(BlockLabel)
    return sorted((_block(row) for row in rows), key=lambda found: order.index(found.label))


def block_history(
    conn: Connection, persona_id: PersonaId, user_id: UserId | None, label: BlockLabel
) -> Sequence[CoreBlock]:
    """All revisions, newest first."""
    block = t.core_block
    rows = conn.execute(
        select(block)
        .where(block.c.user_id == (user_id or ""), block.c.persona_id == persona_id, block.c.label == label)
        .order_by(block.c.revision.desc())
    )
    return [_block(row) for row in rows]


def _block(row: Row[Any]) -> CoreBlock:
    return CoreBlock(
        persona_id=row.persona_id,
        user_id=UserId(row.user_id) if row.user_id else None,
        label=BlockLabel(row.label),
        text=row.text,
        revision=row.revision,
        by=row.by,
        at=row.at,
    )
