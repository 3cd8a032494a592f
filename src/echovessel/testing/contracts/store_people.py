"""The store's promises about users, identities, personas and core blocks."""

from dataclasses import replace

import pytest

from echovessel.core.errors import Conflict, NotFound
from echovessel.core.ids import PersonaId, UserId
from echovessel.core.pair import Pair
from echovessel.ports.changes import PutCoreBlock, PutIdentity, PutPersona, PutUser
from echovessel.ports.records import BlockLabel, CoreBlock, Identity, Persona, PersonaKind, Trust
from echovessel.testing.contracts.store_house import StoreHouse


def _block(
    house: StoreHouse, label: BlockLabel, text: str, revision: int = 1, user_id: UserId | None = None
) -> CoreBlock:
    return CoreBlock(
        persona_id=house.home.pair.persona_id,
        user_id=user_id,
        label=label,
        text=text,
        revision=revision,
        by="Ada",
        at=house.clock.now(),
    )


class PeopleContract:
    """Mixed into `StoreContract`."""

    async def test_a_user_is_kept_and_replaced(self, house: StoreHouse) -> None:
        old = await house.store.user(house.user_id)
        assert old is not None
        new = replace(old, name="Ада", zone="Asia/Tokyo", locale="zh")

        assert (await house.do(PutUser(user=new))).fresh
        again = await house.do(PutUser(user=new))

        assert not again.fresh
        assert await house.store.user(house.user_id) == new
        assert await house.store.users() == [new]
        assert (await house.kinds()).count("user.changed") == 2

    async def test_an_unknown_user_is_none(self, house: StoreHouse) -> None:
        assert await house.store.user(UserId(house.ids.ulid())) is None

    async def test_an_identity_is_linked_and_its_trust_changes(self, house: StoreHouse) -> None:
        stranger = Identity(user_id=house.user_id, channel="discord", external_id="7", trust=Trust.BLOCKED)
        await house.do(PutIdentity(identity=stranger))
        friend = replace(stranger, trust=Trust.ALLOWED)

        assert (await house.do(PutIdentity(identity=friend))).fresh
        assert not (await house.do(PutIdentity(identity=friend))).fresh
        assert await house.store.identity("discord", "7") == friend
        assert await house.store.identity("page", "7") is None

    async def test_an_identity_stays_with_its_user(self, house: StoreHouse) -> None:
        mine = Identity(user_id=house.user_id, channel="page", external_id="owner", trust=Trust.OWNER)
        await house.do(PutIdentity(identity=mine))
        other = await house.meets("Bo")

        with pytest.raises(Conflict):
            await house.do(PutIdentity(identity=replace(mine, user_id=other)))

        assert await house.store.identity("page", "owner") == mine

    async def test_an_identity_needs_its_user(self, house: StoreHouse) -> None:
        nobody = Identity(user_id=UserId(house.ids.ulid()), channel="page", external_id="x", trust=Trust.OWNER)

        with pytest.raises(NotFound):
            await house.do(PutIdentity(identity=nobody))

    async def test_a_persona_comes_back_whole(self, house: StoreHouse) -> None:
        persona = Persona(
            id=PersonaId(house.ids.ulid()),
            name="Ōe 大江 🌊",
            kind=PersonaKind.MEMORIAL,
            locale="en",
            zone="Asia/Tokyo",
            basis="Her children asked for it.",
            tagline="…",
            examples="a\n\nb",
            greetings=("hello", "", "你好\n"),
            card_format="v3-png",
            created_at=house.clock.now(),
        )
        card = bytes(range(256))
        await house.do(PutPersona(persona=persona, card=card))

        assert not (await house.do(PutPersona(persona=persona, card=card))).fresh
        assert not (await house.do(PutPersona(persona=persona))).fresh
        assert await house.store.persona(persona.id) == persona
        assert [p.name for p in await house.store.personas()] == ["林晚", "Ōe 大江 🌊"]

        renamed = replace(persona, name="Oe", greetings=())
        await house.do(PutPersona(persona=renamed))
        assert await house.store.persona(persona.id) == renamed
        assert await house.store.persona_of_card(card) == renamed
        assert await house.store.persona_of_card(card[1:]) is None
        assert await house.store.persona_of_card(b"") is None
        assert await house.store.card(persona.id) == card
        assert await house.store.card(house.home.pair.persona_id) == b""

    async def test_one_card_is_one_persona(self, house: StoreHouse) -> None:
        first = await house.store.persona(house.home.pair.persona_id)
        assert first is not None
        await house.do(PutPersona(persona=first, card=b"card"))

        with pytest.raises(Conflict):
            await house.do(PutPersona(persona=replace(first, id=PersonaId(house.ids.ulid())), card=b"card"))

        assert await house.store.personas() == [first]

    async def test_every_user_hears_of_a_persona(self, house: StoreHouse) -> None:
        other = await house.meets("Bo")
        await house.shelves("新人")

        for user_id in (house.user_id, other):
            assert (await house.store.changes(user_id, 0))[-1].kind == "persona.changed"

    async def test_a_block_is_replaced_and_every_revision_kept(self, house: StoreHouse) -> None:
        first, second = _block(house, BlockLabel.STYLE, "短句"), _block(house, BlockLabel.STYLE, "更短", 2)
        await house.do(PutCoreBlock(block=first))
        await house.do(PutCoreBlock(block=second))

        assert not (await house.do(PutCoreBlock(block=second))).fresh
        assert await house.store.core_blocks(house.home.pair) == [second]
        history = await house.store.block_history(house.home.pair.persona_id, None, BlockLabel.STYLE)
        assert history == [second, first]

    async def test_a_block_is_never_written_over_a_newer_one(self, house: StoreHouse) -> None:
        await house.do(PutCoreBlock(block=_block(house, BlockLabel.STYLE, "mine")))

        for revision in (1, 3):
            with pytest.raises(Conflict):
                await house.do(PutCoreBlock(block=_block(house, BlockLabel.STYLE, "yours", revision)))

    async def test_blocks_come_in_their_order_and_only_to_their_pair(self, house: StoreHouse) -> None:
        other = await house.meets("Bo")
        for label in (BlockLabel.RELATIONSHIP, BlockLabel.USER, BlockLabel.SELF):
            await house.do(PutCoreBlock(block=_block(house, label, label, user_id=house.user_id)))
        for label in (BlockLabel.STYLE, BlockLabel.PERSONA):
            await house.do(PutCoreBlock(block=_block(house, label, label)))

        mine = await house.store.core_blocks(house.home.pair)
        theirs = await house.store.core_blocks(Pair(other, house.home.pair.persona_id))

        assert [block.label for block in mine] == list(BlockLabel)
        assert [block.label for block in theirs] == [BlockLabel.PERSONA, BlockLabel.STYLE]

    async def test_a_block_belongs_where_its_label_says(self, house: StoreHouse) -> None:
        for block in (
            _block(house, BlockLabel.PERSONA, "x", user_id=house.user_id),
            _block(house, BlockLabel.USER, "x"),
        ):
            with pytest.raises(Conflict):
                await house.do(PutCoreBlock(block=block))

    async def test_a_block_needs_its_persona_and_user(self, house: StoreHouse) -> None:
        lost = replace(_block(house, BlockLabel.PERSONA, "x"), persona_id=PersonaId(house.ids.ulid()))
        for block in (lost, _block(house, BlockLabel.USER, "x", user_id=UserId(house.ids.ulid()))):
            with pytest.raises(NotFound):
                await house.do(PutCoreBlock(block=block))
