"""What ships in the package beside its code."""

from importlib import resources
from pathlib import Path


def page_folder() -> Path | None:
    """The folder of the built page, None when it was not built."""
    folder = Path(str(resources.files("echovessel"))) / "api" / "page"
    return folder if (folder / "index.html").is_file() else None
