"""Nothing in the program is there that the program itself never names: tests alone keep nothing alive."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.rules import ROOT, SOURCE, FunctionNode, parsed, project_files, source_modules

# Called by name from outside our own code; each with the caller.
CALLED_FROM_OUTSIDE = {
    "main": "the console script in pyproject.toml",
    "upgrade": "Alembic runs it in a migration",
    "downgrade": "Alembic runs it in a migration",
    "do_GET": "http.server calls it for the request's method",
    "do_POST": "http.server calls it for the request's method",
}


def test_every_function_class_and_method_is_named_somewhere_in_the_program() -> None:
    program = [SOURCE / m for m in source_modules() if m.parts[0] != "testing"]
    toolkit = [SOURCE / m for m in source_modules() if m.parts[0] == "testing"]
    tests = [p for p in project_files() if p.suffix == ".py" and p.is_relative_to(ROOT / "tests")]

    dead = _unnamed(program, users=program) + _unnamed(toolkit, users=[*program, *toolkit, *tests])

    assert dead == [], "\n".join(dead)


def _unnamed(definers: list[Path], users: list[Path]) -> list[str]:
    named = {name for path in users for name in _names_used(parsed(path))}
    return [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in definers
        for node in _definitions(parsed(path).body)
        if node.name not in named and node.name not in CALLED_FROM_OUTSIDE
    ]


def _definitions(body: list[ast.stmt]) -> Iterator[FunctionNode | ast.ClassDef]:
    """Classes, functions and methods that someone must name: not dunders, not what a decorator registers or `@override`s."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node
            yield from _definitions(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_called_by_others(node):
            yield node


def _is_called_by_others(node: FunctionNode) -> bool:
    registered = any(not _is_plain_decorator(d) for d in node.decorator_list)
    return registered or node.name.startswith("test_") or (node.name.startswith("__") and node.name.endswith("__"))


def _is_plain_decorator(decorator: ast.expr) -> bool:
    """One that only changes what a function is, and registers it nowhere."""
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return name in {"property", "cached_property", "classmethod", "staticmethod", "cache", "contextmanager"}


def _names_used(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value  # an annotation in quotes, or a name for getattr
