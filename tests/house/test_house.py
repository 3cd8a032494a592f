"""The house rules that no tool knows: sizes, twins, cards, one wide handler, nothing of any one machine."""

import re
from pathlib import Path

import pytest

from tests.house.rules import ROOT, SOURCE, functions, parsed, project_files, source_modules, wide_handlers

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60

# Where the one handler for everything may stand: it logs, counts, and lets the rest go on.
SUPERVISOR = "runtime/supervisor.py"

# Folders and files without a twin in tests/rooms, each with the reason. A module without a single function needs none either.
NO_TWIN = {
    "__init__.py": "names only what its package offers",
    "__main__.py": "two lines that call the command line",
    "ports/": "protocols and plain data: the contract suites run against every adapter",
    "testing/": "what tests are made of: every contract and story runs it",
    "adapters/store/migrations/": "run by every store test, and by tests/houses on old databases",
}

CARD_HEADINGS = ("Holds:", "Written:", "Read:", "May use:")

# In two halves, so that this file does not hold what it forbids.
FORBIDDEN_TEXT = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        "pypi" + r"\.org",
        "python" + r"hosted\.org",
        "registry" + r"\.(npmjs|yarnpkg)",
        "npm" + "mirror",
        "deb" + r"\.debian\.org",
        "/ro" + "ot/",
        "/wo" + "rk/",
        "/tmp" + "/ev",
        "/home" + "/[a-z]",
        r"C:\\" + "Users",
    )
]
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b|console\.(log|debug)\(|\bdebug" + r"ger\b")

HAND_WRITTEN = {".py", ".ts", ".tsx", ".css", ".sh", ".toml"}


def _is_excused(module: Path) -> bool:
    by_name = any(module.name == rule or (rule.endswith("/") and str(module).startswith(rule)) for rule in NO_TWIN)
    return by_name or not any(functions(parsed(SOURCE / module)))


def test_no_file_is_longer_than_400_lines() -> None:
    sizes = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in project_files()
        if path.suffix in HAND_WRITTEN
    }
    generated = {name for name in sizes if name.startswith("web/src/wire/") and "generated" in name}

    assert {n: size for n, size in sizes.items() if size > MAX_FILE_LINES and n not in generated} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name} has {length} lines"
        for path in project_files()
        if path.suffix == ".py"
        for node in functions(parsed(path))
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > MAX_FUNCTION_LINES
    ]

    assert long == [], "\n".join(long)


def test_only_the_supervisor_catches_everything_and_once() -> None:
    found = {str(m): lines for m in source_modules() if (lines := wide_handlers(parsed(SOURCE / m)))}

    assert set(found) <= {SUPERVISOR}, found
    assert len(found.get(SUPERVISOR, [])) <= 1, found


def test_every_module_has_a_twin_test_at_the_mirrored_path() -> None:
    rooms = ROOT / "tests" / "rooms"
    missing = [
        f"{module} → tests/rooms/{module.with_name(f'test_{module.name}')}"
        for module in source_modules()
        if not _is_excused(module) and not (rooms / module.with_name(f"test_{module.name}")).is_file()
    ]

    assert missing == [], "\n".join(missing)


def test_every_test_in_rooms_has_a_module_that_it_is_about() -> None:
    rooms = ROOT / "tests" / "rooms"
    tests = [path.relative_to(rooms) for path in project_files() if path.is_relative_to(rooms)]
    orphans = [
        str(test)
        for test in tests
        if test.name.startswith("test_") and not (SOURCE / test.with_name(test.name.removeprefix("test_"))).is_file()
    ]

    assert orphans == [], "\n".join(orphans)


def test_every_memory_layer_has_its_card() -> None:
    for module in source_modules():
        if re.fullmatch(r"memory/l\d_\w+\.py", str(module)):
            card = parsed(SOURCE / module).body[0]
            text = getattr(getattr(card, "value", None), "value", "")
            absent = [heading for heading in CARD_HEADINGS if heading not in str(text)]
            assert not absent, f"{module}: its docstring has no {absent}"


def test_nothing_names_a_registry_or_a_place_on_one_machine() -> None:
    found: list[str] = []
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a database
        found += [
            f"{path.relative_to(ROOT)}: {match[0]}"
            for pattern in FORBIDDEN_TEXT
            for match in [pattern.search(text)]
            if match
        ]

    assert found == [], "\n".join(found)


def test_nothing_is_left_unfinished() -> None:
    left = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()}"
        for path in project_files()
        if path.suffix in HAND_WRITTEN and path.is_relative_to(ROOT / "src") | path.is_relative_to(ROOT / "web")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if UNFINISHED.search(line)
    ]

    assert left == [], "\n".join(left)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-build.lock"])
def test_every_locked_package_has_a_hash(name: str) -> None:
    pinned = re.findall(
        r"^\S+==\S+.*?(?=^\S+==|\Z)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )

    assert pinned
    assert [entry.splitlines()[0] for entry in pinned if "--hash=sha256:" not in entry] == []
