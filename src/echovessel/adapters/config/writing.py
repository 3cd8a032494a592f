"""Changing one setting in a TOML document, with everything around it left as the owner wrote it."""

from typing import TYPE_CHECKING, Any

from echovessel.adapters.config.keys import split

if TYPE_CHECKING:
    from tomlkit import TOMLDocument


def put(document: "TOMLDocument", key: str, value: object) -> None:
    """Set a key in its table, which is made when it is missing; None takes the key, or a whole table, away."""
    import tomlkit

    table, name = split(key)
    *outer, last = table.split(".")
    holder: Any = document
    for step in outer:
        holder = holder.setdefault(step, tomlkit.table(is_super_table=True))
    if not name:
        holder.pop(last, None)
        return
    inner: Any = holder.setdefault(last, tomlkit.table())
    if value is None:
        inner.pop(name, None)
    else:
        inner[name] = value
