"""The system's Chromium: where it is, and how to start it quietly."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")

# Nothing of the browser's own may look for the network. `--no-sandbox`: it refuses to start as root without.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

HOW_TO_GET_IT = "Chromium is not installed: the browser tests need it (on Debian: apt-get install chromium)."


def find_chromium() -> str | None:
    """Path of the browser's program, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)
