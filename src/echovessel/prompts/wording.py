"""One template with the names of one pair in it: the words every section is written with."""

import re
from dataclasses import dataclass

from echovessel.core.text import estimate_tokens
from echovessel.prompts.catalog import Catalog, Template, language
from echovessel.prompts.fence import label, neutral, shortened
from echovessel.prompts.macros import fill_macros
from echovessel.prompts.material import ReplyMaterial

_USER_SPEAKS = re.compile(r"^[ \t]*(?:\{\{\s*user\s*\}\}|<USER>)(?=[ \t]*[:\uff1a])", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Wording:
    """The template, the two names as they may stand in a prompt (`name` is empty when we do not know it), the user's zone."""

    template: Template
    persona: str
    name: str
    zone: str

    @property
    def locale(self) -> str:
        """`zh` or `en`."""
        return self.template.locale

    @property
    def user(self) -> str:
        """The user within a sentence."""
        return self.name or self.template.parts["user_unnamed"]

    @property
    def speaker(self) -> str:
        """The user before their words."""
        return self.name or self.template.parts["user_speaking"]

    def part(self, name: str, **values: str) -> str:
        """A part of the template with the names and `values` filled in."""
        return self.template.fill(name, persona=self.persona, user=self.user, **values)

    def quoted(self, text: str) -> str:
        """Text that others wrote, its macros filled, unable to leave its fence."""
        filled = fill_macros(text, self.user, self.persona)
        if not self.name:
            filled = _capital_where_a_sentence_begins(self.user, filled)
        return neutral(filled).strip()

    def example(self, text: str) -> str:
        """An example dialogue: whoever speaks with the persona there has a neutral name, because the user never said it."""
        return self.quoted(_USER_SPEAKS.sub(self.template.parts["someone"], text))

    def shortened(self, text: str, tokens: int) -> str:
        """The text in at most so many tokens, with a visible mark where something was left out."""
        return shortened(text, tokens, self.template.parts["shortened"])


def wording(name: str, material: ReplyMaterial, catalog: Catalog, locale: str) -> Wording:
    """The words of a template for the pair of `material`, in the language of `locale`."""
    template = catalog.get(name, language(locale))
    return Wording(
        template=template,
        persona=label(material.persona.name, "EchoVessel"),
        name=label(material.user.name, ""),
        zone=material.user.zone,
    )


def _capital_where_a_sentence_begins(words: str, text: str) -> str:
    return re.sub(rf"(?m)(^|[.!?]\s+){re.escape(words)}\b", lambda m: f"{m[1]}{words[0].upper()}{words[1:]}", text)


def cost(text: str) -> int:
    """Estimated tokens of a piece of a prompt and of the break after it; 0 for none."""
    return estimate_tokens(text) + 1 if text else 0
