"""The page's types of what goes over the wire are those of our OpenAPI document, and its Chinese knows every error."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_FOR_THE_PAGE = {
    "error": "the base of all errors",
    "fence-lost": "given up quietly",
    "daemon-down": "told by the command line",
    "home-in-use": "told by the command line",
    "output-lost": "told by the command line",
    "no-home": "told by the command line",
    "backup-unusable": "told by the command line",
    "store-unusable": "told before there is a page",
    "no-such-route": "a fault of the page itself",
    "method-not-allowed": "a fault of the page itself",
    "not-json": "a fault of the page itself",
    "stopped": "nothing is wrong: the page has its own words for it",
}


def test_the_types_are_up_to_date() -> None:
    checked = subprocess.run(
        [sys.executable, "scripts/wire_types.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )

    assert checked.returncode == 0, checked.stderr


def test_every_error_is_explained_in_chinese() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "echovessel").rglob("*.py"))
    codes = set(re.findall(r'\bcode(?:: ClassVar\[str\])? ?= ?"([a-z-]+)"', sources))
    explained = (ROOT / "web" / "src" / "words" / "zh-problems.ts").read_text(encoding="utf-8")

    missing = {code for code in codes if not re.search(rf'^  "?{code}"?: ', explained, re.MULTILINE)}

    assert "model-unreachable" in codes
    assert missing - NOT_FOR_THE_PAGE.keys() == set()


def test_every_sentence_that_the_chinese_page_looks_for_is_one_we_say() -> None:
    """`words/problems.ts` matches by a part of the sentence: a reworded one must be reworded there too."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "echovessel").rglob("*.py"))
    chinese = (ROOT / "web" / "src" / "words" / "zh-problems.ts").read_text(encoding="utf-8")
    looked_for = re.findall(r'^  \["([^"]+)", \{', chinese, re.MULTILINE)

    assert len(looked_for) > 15
    assert [part for part in looked_for if part not in sources] == []
