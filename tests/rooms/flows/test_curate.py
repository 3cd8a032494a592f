import pytest

from echovessel.core.errors import BadInput, NotFound
from echovessel.core.ids import TextId, UserId
from echovessel.testing.world import World


def test_an_edit_keeps_the_words_before_it(vessel: World) -> None:
    receipt = vessel.sends("周五见")
    edited = vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, receipt.message_id, "周六见"))
    assert (edited.text, edited.made_by) == ("周六见", "edit")
    assert [v.text for v in edited.variants] == ["周五见", "周六见"]


def test_the_same_words_again_are_no_edit(vessel: World) -> None:
    receipt = vessel.sends("周五见")
    same = vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, receipt.message_id, "周五见"))
    assert len(same.variants) == 1


def test_only_a_messages_own_wordings_can_be_chosen(vessel: World) -> None:
    receipt = vessel.sends("你好")
    with pytest.raises(NotFound, match="no such wording"):
        vessel.run(vessel.vessel.curation.choose_variant(vessel.pair.user_id, receipt.message_id, TextId("x")))


def test_deleting_twice_changes_nothing_and_a_deleted_message_cannot_be_edited(vessel: World) -> None:
    curation, user = vessel.vessel.curation, vessel.pair.user_id
    receipt = vessel.sends("秘密")
    first = vessel.run(curation.delete(user, receipt.message_id))
    assert vessel.run(curation.delete(user, receipt.message_id)) == first
    assert (first.text, first.variants) == ("", ())
    with pytest.raises(NotFound, match="was deleted"):
        vessel.run(curation.edit(user, receipt.message_id, "别的"))


def test_nobody_changes_what_another_user_said(vessel: World) -> None:
    receipt = vessel.sends("我的话")
    stranger = UserId("stranger")
    for change in (
        vessel.vessel.curation.edit(stranger, receipt.message_id, "别的"),
        vessel.vessel.curation.delete(stranger, receipt.message_id),
    ):
        with pytest.raises(NotFound, match="no such message"):
            vessel.run(change)
    assert vessel.said == ["我的话"]


def test_help_that_was_shown_is_not_worded_again(vessel: World) -> None:
    vessel.without_model()
    vessel.hears("我不想活了")
    care = next(m for m in vessel.timeline if m.made_by == "care@1")
    with pytest.raises(BadInput):
        vessel.run(vessel.vessel.curation.regenerate(vessel.pair.user_id, care.id))


def test_the_programs_own_words_never_become_the_personas(vessel: World) -> None:
    vessel.without_model()
    vessel.hears("我不想活了")
    of_the_program = [m for m in vessel.timeline if m.made_by in {"care@1", "keeper@1"}]
    assert len(of_the_program) == 2

    for message in of_the_program:
        with pytest.raises(BadInput, match="The program said this"):
            vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, message.id, "我会一直陪着你"))

    after = [m for m in vessel.timeline if m.id in {said.id for said in of_the_program}]
    assert after == of_the_program
