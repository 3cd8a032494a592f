"""The parts of docs/reference that are made from the program itself: its commands and its settings."""

from collections.abc import Iterator
from typing import Any


def commands() -> str:
    """Every command with its `--help`, in the order in which `echovessel --help` names them."""
    from typer.main import get_command

    from echovessel.runtime.cli import cli

    return "\n\n".join(_command(get_command(cli), "echovessel", None))


def settings() -> str:
    """A table of settings for each section of config.toml."""
    from echovessel.adapters.config.keys import sections, variable_of
    from echovessel.adapters.config.template import default_of, note_of, toml_value

    parts: list[str] = []
    for name, section in sections().items():
        rows = [
            f"| `{key}` | `{toml_value(default_of(field))}` | {note_of(field)} | `{variable_of(f'{name}.{key}')}` |"
            for key, field in section.model_fields.items()
        ]
        about = (section.__doc__ or "").strip()
        table = ["| setting | default | meaning | variable |", "|---|---|---|---|", *rows]
        parts.append("\n".join([f"## [{name}]", "", about, "", *table]))
    return "\n\n".join([*parts, _PROFILES])


_PROFILES = """\
## [profiles.NAME]

More connections, each with a name of its own, for `llm.profile` and `llm.fallback`. They have the settings of `[llm]` from
`kind` to `price_cache_written_in`, and their variables are called `ECHOVESSEL_PROFILES__<NAME>__<KEY>`. A name is made of small
letters, digits, `-` and single `_`, at most 40 of them; there may be 20 profiles."""


def _command(command: Any, path: str, parent: Any) -> Iterator[str]:
    context = command.make_context(path.rpartition(" ")[2], [], parent=parent, resilient_parsing=True)
    context.max_content_width = 100
    context.terminal_width = 100
    yield f"## {path}\n\n```text\n{command.get_help(context).rstrip()}\n```"
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from _command(command.get_command(context, name), f"{path} {name}", context)
