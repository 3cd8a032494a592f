"""What is said of a profile names its own settings, not those of the section `llm`, so that its remedy can be followed."""

import re

from echovessel.ports.settings import ModelSettings

_SETTING = re.compile(rf"\bllm\.(?=({'|'.join(ModelSettings.model_fields)})\b)")


def own_names(text: str, profile: str) -> str:
    """The text with `profiles.NAME.key` for each `llm.key` of a connection; as it is for the section's own (an empty name)."""
    return _SETTING.sub(f"profiles.{profile}.", text) if profile else text
