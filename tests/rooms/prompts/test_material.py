from echovessel.prompts.material import AddressedUser, PinnedBlock, SpeakingPersona
from tests.support.prompting import block, persona, user


def test_the_records_of_the_store_are_material_as_they_are() -> None:
    speaking: SpeakingPersona = persona(name="Mira")
    addressed: AddressedUser = user(name="Lin")
    pinned: PinnedBlock = block("persona", "A clockmaker.")

    assert (speaking.name, addressed.name, pinned.label) == ("Mira", "Lin", "persona")
