"""The page's house rules: only `wire/` talks to the daemon, and rooms never meet."""

import re
from pathlib import Path

from tests.house.rules import ROOT, project_files

PAGE = ROOT / "web" / "src"
TALKS_TO_THE_DAEMON = re.compile(r"\b(fetch|EventSource|XMLHttpRequest|WebSocket|sendBeacon)\s*\(")
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']*)["']""")


def _sources() -> list[Path]:
    return [p for p in project_files() if p.suffix in {".ts", ".tsx"} and p.is_relative_to(PAGE)]


def _room(path: Path) -> str | None:
    """The room that a file lies in, if it lies in one: rooms are the entries of `rooms/`."""
    parts = path.relative_to(PAGE).parts
    return parts[1].partition(".")[0] if parts[0] == "rooms" and len(parts) > 1 else None


def test_only_wire_talks_to_the_daemon() -> None:
    found = [
        str(path.relative_to(ROOT))
        for path in _sources()
        if path.relative_to(PAGE).parts[0] != "wire" and TALKS_TO_THE_DAEMON.search(path.read_text(encoding="utf-8"))
    ]

    assert found == [], "\n".join(found)


def test_rooms_never_import_rooms() -> None:
    found: list[str] = []
    for path in _sources():
        room = _room(path)
        for target in IMPORT.findall(path.read_text(encoding="utf-8")) if room else []:
            other = (path.parent / target).resolve()
            if other.is_relative_to(PAGE) and _room(other) not in {None, room}:
                found.append(f"{path.relative_to(ROOT)} imports {target}")

    assert found == [], "\n".join(found)


def test_no_file_addresses_the_network() -> None:
    """The page works with the network unplugged: no font, script or picture from elsewhere."""
    remote = re.compile(r"""(?:src|href|url|import)\s*[=(]?\s*["'(]https?://""")
    found = [
        str(path.relative_to(ROOT))
        for path in project_files()
        if path.is_relative_to(ROOT / "web")
        if path.suffix in {".html", ".css", ".ts", ".tsx"} and remote.search(path.read_text(encoding="utf-8"))
    ]

    assert found == [], "\n".join(found)
