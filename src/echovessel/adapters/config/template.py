"""The settings file a new home begins with: every setting, its meaning and its default, all commented out."""

import json
from typing import get_args

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from echovessel.adapters.config.keys import sections

_INTRO = """\
# EchoVessel settings. Everything here may be left out; the values shown are the defaults.
# Each can also be given as an environment variable ECHOVESSEL_<SECTION>__<KEY>, which wins over this file.
"""


_PROFILES = """\
# More connections, for `llm.profile` and `llm.fallback`: each below a line such as [profiles.cloud], with the settings of [llm]
# up to its prices. A name is made of small letters, digits, - and single _.
"""


def commented_settings() -> str:
    """The file's text, made from the settings themselves."""
    parts = [_INTRO]
    for name, section in sections().items():
        lines = [f"# {(section.__doc__ or '').strip()}", f"[{name}]"]
        for key, field in section.model_fields.items():
            note = note_of(field)
            lines.append(f"# {key} = {toml_value(default_of(field))}" + (f"  # {note}" if note else ""))
        parts.append("\n".join(lines) + "\n")
    parts.append(_PROFILES)
    return "\n".join(parts)


def default_of(field: FieldInfo) -> object:
    """A setting's default as a plain value; a secret's is empty."""
    default = field.get_default(call_default_factory=True)
    return default.get_secret_value() if isinstance(default, SecretStr) else default


def note_of(field: FieldInfo) -> str:
    """What a setting means, with its choices and limits."""
    choices = [str(c) for c in get_args(field.annotation) if isinstance(c, str)]
    limits = [
        f"{sign} {limit:,.15g}"
        for rule in field.metadata
        for attribute, sign in (("gt", ">"), ("ge", "≥"), ("lt", "<"), ("le", "≤"))
        if (limit := getattr(rule, attribute, None)) is not None
    ]
    notes = [field.description or "", "One of " + ", ".join(choices) + "." if choices else "", ", ".join(limits)]
    return " ".join(n for n in notes if n)


def toml_value(value: object) -> str:
    """A default as TOML; None, which TOML has not, is shown as an empty text."""
    return json.dumps("" if value is None else value)
