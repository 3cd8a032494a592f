"""The pair: every remembered row belongs to one user and one persona."""

from dataclasses import dataclass

from echovessel.core.ids import PersonaId, UserId


@dataclass(frozen=True, slots=True)
class Pair:
    """One user and one persona: the owner of a timeline and a memory."""

    user_id: UserId
    persona_id: PersonaId
