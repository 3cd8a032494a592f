"""How much disk the wheel takes in an empty environment, its dependencies included (limit: 420 MB).

`make wheel` first. Node and the development tools are not part of it: they build the page and run the tests.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Install the newest wheel of dist/ into a new environment, as the lock says, and print what it takes."""
    wheels = sorted((ROOT / "dist").glob("echovessel-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        message = "There is no wheel in dist/: run `make wheel` first."
        raise SystemExit(message)
    with tempfile.TemporaryDirectory() as temporary:
        environment = Path(temporary) / "env"
        uv("venv", environment)
        python = environment / "bin" / "python"
        install = ("pip", "install", "--link-mode", "copy", "--python", python)
        uv(*install, "--constraint", ROOT / "requirements.lock", wheels[-1])
        packages = next((environment / "lib").glob("python*/site-packages"))
        total = size(packages)
        parts = sorted(((size(part), part.name) for part in packages.iterdir()), reverse=True)
        subprocess.run([environment / "bin" / "echovessel", "--version"], check=True)
    print("| part | MB |\n|---|---|")
    print(f"| everything (limit 420) | {total / 1e6:.0f} |")
    for taken, name in parts[:8]:
        print(f"| {name} | {taken / 1e6:.1f} |")


def uv(*arguments: str | Path) -> None:
    """Run uv quietly."""
    subprocess.run([Path(sys.executable).with_name("uv"), "--quiet", *arguments], check=True)


def size(path: Path) -> int:
    """Bytes of a file or of all files below a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


if __name__ == "__main__":
    main()
