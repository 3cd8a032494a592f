"""Tables of phrases: one regular expression a line, with named words in braces, read as one pattern.

Patterns read text as `core.text.normalise` leaves it: lower case, simplified, half-width signs. Every repetition in a table is
bounded, so that no text makes it slow. Letters are ASCII letters, so that an English word ends where Chinese begins.
"""

import re
from collections.abc import Mapping

_WORD = re.compile(r"\{([a-z_]+)\}")


def phrases(table: str, words: Mapping[str, str]) -> re.Pattern[str]:
    """The table as one pattern. Empty lines and lines that begin with `#` are left out; `{word}` stands for `words["word"]`."""
    lines = [line.strip() for line in table.splitlines()]
    patterns = [line for line in lines if line and not line.startswith("#")]
    return re.compile("|".join(f"(?:{_filled(pattern, words)})" for pattern in patterns), re.MULTILINE | re.ASCII)


def _filled(pattern: str, words: Mapping[str, str]) -> str:
    """The pattern with its words in place, and theirs."""
    return _WORD.sub(lambda word: f"(?:{_filled(words[word[1]], words)})", pattern)
