"""Renew everything here that is made from something else; `--check` fails where it is out of date, and changes nothing.

The parts of our Markdown between cog's marks, and the files that other scripts here make whole.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Each makes one file, and knows `--check`. (`han_variants.py` follows releases of OpenCC, and is run by hand.)
MAKERS = ("wire_types.py",)


def main(check: bool) -> int:
    """Run cog and every maker; 0 when all is well, else 1."""
    mode = ["--check"] if check else []
    commands = [[f"scripts/{name}", *mode] for name in MAKERS]
    if files := _files_with_cog():
        commands.append(["-m", "cogapp", *(["--check", "--diff"] if check else ["-r"]), *files])
    # Every command runs, so that one run tells everything that is out of date.
    done = [subprocess.run([sys.executable, *command], cwd=ROOT, check=False).returncode for command in commands]
    return int(any(done))


def _files_with_cog() -> list[str]:
    """Every Markdown file, tracked or new, that asks for cog."""
    listed = subprocess.run(
        ["git", "grep", "--files-with-matches", "--untracked", "--fixed-strings", "[[[cog", "--", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return listed.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
