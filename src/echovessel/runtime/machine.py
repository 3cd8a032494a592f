"""What the machine says about the person in front of it: time zone and language, for the first start only."""

from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LOCALTIME = Path("/etc/localtime")
TIMEZONE = Path("/etc/timezone")


def zone_of(environ: Mapping[str, str], localtime: Path = LOCALTIME, timezone: Path = TIMEZONE) -> str:
    """The IANA zone of this machine: `TZ`, the system's link or file, else `UTC`."""
    linked = str(localtime.resolve()).partition("zoneinfo/")[2] if localtime.is_symlink() else ""
    written = timezone.read_text(encoding="ascii", errors="ignore").strip() if timezone.is_file() else ""
    for name in (environ.get("TZ", "").lstrip(":"), linked, written):
        if name and _exists(name):
            return name
    return "UTC"


def locale_of(environ: Mapping[str, str]) -> str:
    """`zh` or `en`, from the first of LC_ALL, LC_MESSAGES, LANG that is set."""
    named = next((environ[v] for v in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(v)), "")
    return "zh" if named.lower().startswith("zh") else "en"


def _exists(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
