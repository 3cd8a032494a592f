"""One template with the names of one pair in it: the words every section is written with."""

from dataclasses import dataclass

from echovessel.core.text import estimate_tokens
from echovessel.prompts.catalog import Catalog, Template, language
from echovessel.prompts.fence import label, neutral, shortened
from echovessel.prompts.macros import fill_macros
from echovessel.prompts.material import ReplyMaterial


@dataclass(frozen=True, slots=True)
class Wording:
    """The template, the two names as they may stand in a prompt, and the user's zone."""

    template: Template
    persona: str
    user: str
    zone: str

    @property
    def locale(self) -> str:
        """`zh` or `en`."""
        return self.template.locale

    def part(self, name: str, **values: str) -> str:
        """A part of the template with the names and `values` filled in."""
        return self.template.fill(name, persona=self.persona, user=self.user, **values)

    def quoted(self, text: str) -> str:
        """Text that others wrote, its macros filled, unable to leave its fence."""
        return neutral(fill_macros(text, self.user, self.persona)).strip()

    def shortened(self, text: str, tokens: int) -> str:
        """The text in at most so many tokens, with a visible mark where something was left out."""
        return shortened(text, tokens, self.template.parts["shortened"])


def wording(name: str, material: ReplyMaterial, catalog: Catalog, locale: str) -> Wording:
    """The words of a template for the pair of `material`, in the language of `locale`."""
    template = catalog.get(name, language(locale))
    return Wording(
        template=template,
        persona=label(material.persona.name, "EchoVessel"),
        user=label(material.user.name, template.parts["user_unnamed"]),
        zone=material.user.zone,
    )


def cost(text: str) -> int:
    """Estimated tokens of a piece of a prompt and of the break after it; 0 for none."""
    return estimate_tokens(text) + 1 if text else 0
