"""Renew the generated parts of our texts with cog; `--check` fails where one is out of date, and changes nothing."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(check: bool) -> int:
    """Run cog over every tracked or new Markdown file that asks for it; its exit status is ours."""
    listed = subprocess.run(
        ["git", "grep", "--files-with-matches", "--untracked", "--fixed-strings", "[[[cog", "--", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    files = listed.stdout.split("\n")[:-1]
    if not files:
        return 0
    mode = ["--check", "--diff"] if check else ["-r"]
    return subprocess.run([sys.executable, "-m", "cogapp", *mode, *files], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
