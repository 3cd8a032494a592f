"""The map of one message names only what there is, in both languages, and tells truly which room imports which."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import names
from tests.house.rules import ROOT, SOURCE, parsed, source_modules

MAPS = [ROOT / "docs" / "map.md", ROOT / "docs" / "zh" / "map.md"]
SPAN = re.compile(r"`([^`\n]+)`")
ROOM_ROW = re.compile(r"^\| `(\w+)/` \| .* \| ([\w, –]+) \|$", re.MULTILINE)

maps = pytest.mark.parametrize("page", MAPS, ids=["en", "zh"])


def _spans(page: Path) -> list[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return SPAN.findall(text)


# ---------------------------------------------------------------- names


@maps
def test_every_name_on_the_map_is_there(page: Path) -> None:
    missing = [span for span in _spans(page) if not _is_there(span)]

    assert missing == []


def test_a_name_that_is_not_there_is_found_out() -> None:
    wrong = [
        "flows/front.py:FlowFront.listen",
        "flows/nowhere.py",
        "web/src/wire/outbox.ts:Inbox",
        "web/src/wire/outbox.ts:Outbox.burn",
        "GET /api/v1/nothing",
        "turn.patience_s",
        "message.lost",
        "echovessel sing",
        "make believe",
    ]

    assert [span for span in wrong if _is_there(span)] == []


def test_both_languages_name_the_same_things_in_the_same_order() -> None:
    english, chinese = ([span for span in _spans(page) if span != "file.py:name"] for page in MAPS)

    assert english == chinese
    assert len(english) > 100


def _is_there(span: str) -> bool:
    """Whether it is a file or folder, a name in one, a route, a setting, an event or a command."""
    if span == "file.py:name":
        return True
    if re.match(r"[A-Z]+ /", span):
        return span in names.routes()
    if command := re.match(r"(make|echovessel) ([a-z]+(?: [a-z]+)?)$", span):
        return command[2] in (names.targets() if command[1] == "make" else names.commands())
    file, _, name = span.partition(":")
    in_a_file = any(_holds(path, name) for base in (SOURCE, ROOT) if (path := base / file).exists())
    return in_a_file or span in names.settings() or span in names.events()


def _holds(path: Path, name: str) -> bool:
    if not name:
        return True
    if path.suffix == ".py":
        return name in set(_names(parsed(path).body))
    thing, _, member = name.partition(".")
    source = path.read_text(encoding="utf-8")
    exported = re.search(rf"^export (?:const|class|function|interface) {thing}\b", source, re.MULTILINE)
    return bool(exported) and (not member or bool(re.search(rf"^  (?:async )?{member}\(", source, re.MULTILINE)))


def _names(body: list[ast.stmt], owner: str = "") -> Iterator[str]:
    """Everything defined at the top of a file, and `Class.member`."""
    for node in body:
        match node:
            case ast.ClassDef():
                yield owner + node.name
                yield from _names(node.body, f"{owner}{node.name}.")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield owner + node.name
            case ast.Assign():
                yield from (owner + target.id for target in node.targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield owner + name
            case _:
                pass


# ---------------------------------------------------------------- rooms


@maps
def test_the_rooms_stand_in_the_order_of_their_layers(page: Path) -> None:
    told = [room for room, _ in ROOM_ROW.findall(page.read_text(encoding="utf-8"))]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    house = next(contract for contract in contracts if contract["id"] == "house")
    level = {room: i for i, layer in enumerate(house["layers"]) for room in re.findall(r"\w+", layer)}

    assert set(told) == {module.parts[0] for module in source_modules() if len(module.parts) > 1}
    assert [level[room] for room in told] == sorted(level[room] for room in told)


@maps
def test_each_room_imports_what_the_map_says(page: Path) -> None:
    told = {
        room: set(re.findall(r"\w+", imports)) for room, imports in ROOM_ROW.findall(page.read_text(encoding="utf-8"))
    }
    done: dict[str, set[str]] = {room: set() for room in told}
    for module in source_modules():
        if len(module.parts) > 1:
            done[module.parts[0]] |= set(_rooms_imported(parsed(SOURCE / module))) - {module.parts[0]}

    assert told == done


def _rooms_imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("echovessel."):
            yield str(node.module).split(".")[1]


# ---------------------------------------------------------------- hops


def test_every_hop_says_what_a_crash_leaves() -> None:
    for page, crash in zip(MAPS, ("*Dies here:*", "*此时中断：*"), strict=True):
        hops = re.split(r"^\d+\. \*\*", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        assert len(hops) == 17
        assert [hop.splitlines()[0] for hop in hops if hop.count(crash) != 1] == []
