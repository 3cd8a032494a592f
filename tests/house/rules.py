"""What the house rules look at: our files, parsed once."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "echovessel"

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def project_files() -> tuple[Path, ...]:
    """Every file that is, or is about to be, part of the project."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(path for path in paths if path.is_file())


def source_modules() -> list[Path]:
    """Every Python file of the program, relative to its package folder."""
    return sorted(path.relative_to(SOURCE) for path in project_files() if _is_source(path))


def _is_source(path: Path) -> bool:
    return path.suffix == ".py" and path.is_relative_to(SOURCE)


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(tree: ast.Module) -> Iterator[FunctionNode]:
    """Every function and method of a file."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def wide_handlers(tree: ast.Module) -> list[int]:
    """Lines of the handlers that keep everything from going on: bare, Exception or BaseException, alone or in a tuple.

    One that tidies up and ends in a bare `raise` keeps nothing.
    """
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and (node.type is None or _names_everything(node.type))
        if not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)
    ]


def _names_everything(caught: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id in {"Exception", "BaseException"} for n in ast.walk(caught))
