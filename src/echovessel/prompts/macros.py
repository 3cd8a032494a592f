"""The macros of character cards: `{{user}}`, `{{char}}` and their kin, and the `<START>` blocks of example dialogue.

Formats: Character Card V2 (github.com/malfoyslastname/character-card-spec-v2) and
V3 (github.com/kwaroran/character-card-spec-v3).
"""

import re

from echovessel.core.text import Script, script

_MACRO = re.compile(
    r"\{\{\s*(?P<word>user|char|bot|original)\s*\}\}"
    r"|<(?P<old>USER|BOT|CHAR)>"
    r"|\{\{\s*(?://|comment:|hidden_key:)[^{}]*\}\}"
    r"|\{\{\s*(?:random|pick)\s*::?(?P<first>[^{},:]*)(?:[,:][^{}]*)?\}\}",
    re.IGNORECASE,
)
_START = re.compile(r"^[ \t]*<START>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_YOU = {Script.HAN: "你"}


def fill_macros(text: str, user_name: str, persona_name: str) -> str:
    """The text with its macros replaced in one pass; names are never read as macros.

    Without a user's name `{{user}}` becomes "you" in the script of the text. Comments vanish. A choice is always its first
    option, so that the same card gives the same prompt.
    """

    def replaced(macro: re.Match[str]) -> str:
        word = (macro["word"] or macro["old"] or "").lower()
        if word == "user":
            return user_name.strip() or _YOU.get(script(text), "you")
        if word in {"char", "bot"}:
            return persona_name
        return (macro["first"] or "").strip()

    return _MACRO.sub(replaced, text)


def fill_persona_macros(text: str, persona_name: str) -> str:
    """The text with the persona's name alone filled in; every other macro stays for later."""

    def replaced(macro: re.Match[str]) -> str:
        word = (macro["word"] or macro["old"] or "").lower()
        return persona_name if word in {"char", "bot"} else macro[0]

    return _MACRO.sub(replaced, text)


def example_blocks(examples: str) -> list[str]:
    """The example dialogues of a card, one for each `<START>`; empty ones are left out."""
    return [block for piece in _START.split(examples) if (block := piece.strip())]
