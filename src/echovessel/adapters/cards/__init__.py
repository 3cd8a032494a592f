"""Character cards as other programs write them: V1, V2, V3 and Pygmalion, as JSON or inside a PNG picture."""

from echovessel.adapters.cards.reader import Cards

__all__ = ["Cards"]
