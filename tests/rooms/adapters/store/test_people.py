from dataclasses import replace

from sqlalchemy import Connection, select

from echovessel.adapters.store import people
from echovessel.adapters.store import tables as t
from echovessel.core.pair import Pair
from echovessel.ports.changes import PutCoreBlock, PutPersona
from echovessel.ports.records import BlockLabel, CoreBlock
from echovessel.testing.contracts.store_house import StoreHouse


async def test_the_blocks_of_one_persona_never_speak_to_another(house: StoreHouse, conn: Connection) -> None:
    """Both have a newer revision of the same block; each pair gets the newest of its own."""
    other = await house.shelves("other")
    for persona_id, revisions in ((house.home.pair.persona_id, 3), (other, 1)):
        for revision in range(1, revisions + 1):
            block = CoreBlock(
                persona_id=persona_id,
                user_id=None,
                label=BlockLabel.STYLE,
                text=f"{persona_id} {revision}",
                revision=revision,
                by="Ada",
                at=house.clock.now(),
            )
            await house.do(PutCoreBlock(block=block))
            await house.do(PutCoreBlock(block=replace(block, label=BlockLabel.USER, user_id=house.user_id)))

    for persona_id, revision in ((house.home.pair.persona_id, 3), (other, 1)):
        blocks = people.core_blocks(conn, Pair(house.user_id, persona_id))
        assert [block.text for block in blocks] == [f"{persona_id} {revision}"] * 2


async def test_people_and_personas_come_in_the_order_they_came(house: StoreHouse, conn: Connection) -> None:
    for name in ("Zoe", "Bo"):
        house.clock.advance(1)
        await house.meets(name)
        await house.shelves(name)

    assert [user.name for user in people.users(conn)] == ["Ada", "Zoe", "Bo"]
    assert [persona.name for persona in people.personas(conn)] == ["林晚", "Zoe", "Bo"]


async def test_the_bytes_of_a_card_stay_as_they_are_when_the_persona_is_edited(
    house: StoreHouse, conn: Connection
) -> None:
    persona = await house.store.persona(house.home.pair.persona_id)
    assert persona is not None
    card = bytes(range(256))
    await house.do(PutPersona(persona=persona, card=card))
    await house.do(PutPersona(persona=replace(persona, name="Renamed")))

    kept = conn.execute(select(t.persona.c.name, t.persona.c.card)).one()
    assert tuple(kept) == ("Renamed", card)
