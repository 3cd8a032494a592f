"""Templates by name and version: sealed files, read in wiring, handed around as one value.

A template file is called `<name>/v<version>.<locale>.md` and holds parts, each under a line `=== part ===`. A released file is
never edited: the next version is written beside it, and every text made from a template is stored with its stamp, `reply@1`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from echovessel.core.text import Script, script

LOCALES = ("zh", "en")

_FILE = re.compile(r"(?P<name>[a-z_]+)/v(?P<version>[1-9]\d*)\.(?P<locale>[a-z]{2})\.md")
_PART = re.compile(r"^=== (\w+) ===\n", re.MULTILINE)
_SLOT = re.compile(r"\{(\w+)\}")


def language(locale: str) -> str:
    """Which of our languages speaks to a locale such as `zh-Hant-TW`; English to those we do not have."""
    return "zh" if locale.lower().startswith("zh") else "en"


def language_of(text: str, locale: str) -> str:
    """Which of our languages answers a text: its own where its script tells it, else that of `locale`."""
    by_script = {Script.HAN: "zh", Script.LATIN: "en"}
    return by_script.get(script(text), language(locale))


@dataclass(frozen=True, slots=True)
class Template:
    """One template in one language."""

    name: str
    version: int
    locale: str
    parts: Mapping[str, str] = field(repr=False)

    @property
    def stamp(self) -> str:
        """`name@version`, stored beside whatever is made from it."""
        return f"{self.name}@{self.version}"

    def fill(self, part: str, **values: str) -> str:
        """The part with its `{slots}` filled in one pass: a value that looks like a slot stays as it is."""
        return _SLOT.sub(lambda slot: values[slot[1]], self.parts[part])


@dataclass(frozen=True, slots=True)
class Catalog:
    """The newest version of every template in every language."""

    templates: Mapping[tuple[str, str], Template] = field(repr=False)

    def get(self, name: str, locale: str) -> Template:
        """The template in the language of this locale."""
        return self.templates[name, language(locale)]


def read_catalog(files: Mapping[str, str]) -> Catalog:
    """A catalog of files by their path below the templates' folder; ValueError when they do not fit together."""
    newest: dict[tuple[str, str], Template] = {}
    for path, text in files.items():
        template = _read_template(path, text)
        key = (template.name, template.locale)
        if key not in newest or newest[key].version < template.version:
            newest[key] = template
    for name in {name for name, _ in newest}:
        _require_equals(name, newest)
    return Catalog(newest)


def _read_template(path: str, text: str) -> Template:
    match = _FILE.fullmatch(path)
    if match is None:
        raise ValueError(f"a template is called <name>/v<version>.<locale>.md, not {path}")
    _, *pieces = _PART.split(text)
    parts = {name: body.strip("\n") for name, body in zip(pieces[::2], pieces[1::2], strict=True)}
    return Template(match["name"], int(match["version"]), match["locale"], parts)


def _require_equals(name: str, newest: Mapping[tuple[str, str], Template]) -> None:
    """Every language has the same version, the same parts, and the same slots in each."""
    shapes = {
        locale: (template.version, {part: sorted(set(_SLOT.findall(body))) for part, body in template.parts.items()})
        for locale in LOCALES
        if (template := newest.get((name, locale)))
    }
    first = shapes.get(LOCALES[0])
    if len(shapes) < len(LOCALES) or any(shape != first for shape in shapes.values()):
        raise ValueError(f"the template {name} differs between its languages: {shapes}")
