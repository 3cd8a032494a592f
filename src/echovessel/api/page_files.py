"""The built page, read once: only what was found then can be asked for, so that no path leads anywhere else."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}

KEPT_FOR_EVER = "public, max-age=31536000, immutable"
ASK_EACH_TIME = "no-cache"

NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>EchoVessel</title></head>
<body>
<h1>EchoVessel</h1>
<p>The vessel is running, but its page is not built. Run <code>make page</code> and start it again.</p>
<p lang="zh">程序已经在运行，但网页还没有构建。请执行 <code>make page</code>，然后重新启动。</p>
</body>
</html>
"""


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file as it is sent."""

    body: bytes
    media_type: str
    cache: str
    etag: str


def load(folder: Path | None) -> dict[str, PageFile]:
    """URL path → file. Without a built page, `/` says how to build it. What the builder named after its content (`/assets/`)
    may be kept for ever."""
    if folder is None or not (folder / "index.html").is_file():
        return {"/": _file(NOT_BUILT.encode(), ".html", ASK_EACH_TIME)}
    files: dict[str, PageFile] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        url = "/" + path.relative_to(folder).as_posix()
        files[url] = _file(
            path.read_bytes(), path.suffix, KEPT_FOR_EVER if url.startswith("/assets/") else ASK_EACH_TIME
        )
    files["/"] = files["/index.html"]
    return files


def _file(body: bytes, suffix: str, cache: str) -> PageFile:
    media_type = TYPES.get(suffix.lower(), "application/octet-stream")
    return PageFile(body, media_type, cache, f'"{hashlib.sha256(body).hexdigest()[:32]}"')
