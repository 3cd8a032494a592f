"""The table of the Python packages that EchoVessel is installed with, and their licences.

Names come from `requirements.lock`, licences from the metadata of what is installed here. The table stands in
THIRD_PARTY.md, kept current by `scripts/generated.py`.
"""

import re
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Not installed everywhere (other systems only), so their metadata cannot be asked everywhere.
ELSEWHERE = {"colorama": "BSD-3-Clause", "httpx2-jsfetch": "BSD-3-Clause", "tzdata": "Apache-2.0"}

# Packages whose metadata holds the licence's text, or its name in words, instead of an SPDX expression.
SPDX = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
}


def table() -> str:
    """The Markdown table, one package a row, in alphabetic order."""
    rows = [f"| {name} | {_licence(name)} |" for name in _locked_names()]
    return "\n".join(["| package | licence |", "|---|---|", *rows])


def _locked_names() -> list[str]:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return sorted({match[1] for match in re.finditer(r"^([a-z0-9-]+)==", text, re.MULTILINE)})


def _licence(name: str) -> str:
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    found = metadata.metadata(name).json
    classifiers = [c.rpartition(" :: ")[2] for c in found.get("classifier", []) if c.startswith("License ::")]
    # In this order: an expression is exact, a classifier may be vague, the free field may hold a whole text.
    said = str(found.get("license_expression") or next(iter(classifiers), None) or found.get("license", ""))
    if not said or "\n" in said:
        message = f"{name} does not name its licence in its metadata: find out, and add it to SPDX or ELSEWHERE."
        raise LookupError(message)
    return SPDX.get(said, said)


if __name__ == "__main__":
    print(table())
