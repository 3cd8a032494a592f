"""The documents: links lead somewhere, pages are found, what they name exists, and both languages are equals."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house import names
from tests.house.rules import ROOT, SOURCE, project_files

DOCS = ROOT / "docs"

FENCE = re.compile(r"^```(?P<kind>\w*)[^\n]*\n(?P<inside>.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[[^\]\[]*\]\((?P<to>[^)\s]+)\)|\b(?:src|srcset)=\"(?P<picture>[^\"]+)\"")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)

HAN = r"[\u3400-\u9fff]"
ASCII_BESIDE_HAN = re.compile(rf"(?<={HAN}) ?[,:;!?()]|[,:;!?()] ?(?={HAN})")

# Pages for those who use it, below docs/ and again below docs/zh/. What is left is for those who work on it, or generated.
FOR_USERS = (
    "start.md",
    "words.md",
    "map.md",
    "howto/connect-a-model.md",
    "howto/make-a-persona.md",
    "howto/back-up.md",
    "howto/operate.md",
    "howto/run-a-model-file.md",
    "howto/doctor.md",
    "reference/times.md",
)
TWINS = [(ROOT / "README.md", ROOT / "README.zh.md"), *((DOCS / page, DOCS / "zh" / page) for page in FOR_USERS)]

twins = pytest.mark.parametrize(("english", "chinese"), TWINS, ids=[pair[0].stem for pair in TWINS])


@cache
def _pages() -> tuple[Path, ...]:
    return tuple(
        path for path in project_files() if path.suffix == ".md" and not path.is_relative_to(SOURCE / "prompts")
    )


def _prose(page: Path) -> str:
    """The page without code and comments; what is left out leaves its lines."""
    text = page.read_text(encoding="utf-8")
    for code in (FENCE, COMMENT):
        text = code.sub(lambda found: "\n" * found[0].count("\n"), text)
    return text


# ---------------------------------------------------------------- links


def _links(page: Path) -> Iterator[tuple[str, Path, str]]:
    """Each link to a place of ours: as written, its file, its heading."""
    # A changelog fragment is read where it will be joined into: at the root.
    base = ROOT if page.is_relative_to(ROOT / "changes") else page.parent
    for found in LINK.finditer(SPAN.sub("", _prose(page))):
        written = found["to"] or found["picture"]
        if not re.match(r"[a-z]+:", written):
            file, _, heading = written.partition("#")
            yield written, (base / file).resolve() if file else page, heading


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_leads_to_a_file_or_heading_of_the_project() -> None:
    known = set(project_files())
    dead = [
        f"{page.relative_to(ROOT)}: {written}"
        for page in _pages()
        for written, file, heading in _links(page)
        if file not in known or (heading and heading not in _anchors(file))
    ]

    assert dead == []


def test_every_document_and_picture_is_found_from_the_readme() -> None:
    found: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in found:
            found.add(page)
            waiting += [file for _, file, _ in _links(page)] if page.suffix == ".md" else []
    documents = {path for path in project_files() if path.is_relative_to(DOCS)}

    assert sorted(str(path.relative_to(ROOT)) for path in documents - found) == []


# ---------------------------------------------------------------- what is named


def _shown(page: Path) -> Iterator[str]:
    """Each command line of ours that a page shows, in a block for the shell or among its words."""
    text = page.read_text(encoding="utf-8")
    lines = [line for block in FENCE.finditer(text) if block["kind"] == "sh" for line in block["inside"].splitlines()]
    lines += [span.strip("`") for span in SPAN.findall(_prose(page))]
    for line in lines:
        command = re.search(r"(?:^|&& |\| )(?:[A-Z_]+=\S+ )*((?:echovessel|make) .*)", line)
        if command:
            yield command[1]


def _is_known(line: str) -> bool:
    program, *rest = shlex.split(line, comments=True)
    if program == "make":
        return all(word in names.targets() or "=" in word for word in rest)
    known = names.commands()
    path = max((path for n in range(len(rest) + 1) if (path := " ".join(rest[:n])) in known), key=len)
    arguments = rest[len(path.split()) :]
    options = [word.partition("=")[0] for word in arguments if word.startswith("-") and word != "-"]
    is_group = any(other.startswith(f"{path} ".lstrip()) for other in known if other)
    return all(option in known[path] for option in options) and not (
        is_group and arguments and arguments[:1] != options[:1]
    )


def test_every_command_that_is_shown_exists() -> None:
    shown = [(page, line) for page in _pages() for line in _shown(page)]

    assert len(shown) > 50
    assert [f"{page.relative_to(ROOT)}: {line}" for page, line in shown if not _is_known(line)] == []


@pytest.mark.parametrize(
    "line", ["echovessel sing", "echovessel chat --loudly", "make believe", "echovessel persona sell x"]
)
def test_a_command_that_does_not_exist_is_found_out(line: str) -> None:
    assert not _is_known(line)


def test_every_variable_that_is_named_exists() -> None:
    named = {
        (str(page.relative_to(ROOT)), variable)
        for page in _pages()
        for variable in re.findall(r"ECHOVESSEL_[A-Z_]+\b(?!<)", page.read_text(encoding="utf-8"))
    }

    assert sorted((page, variable) for page, variable in named if variable not in names.variables()) == []


# ---------------------------------------------------------------- two languages


@twins
def test_twins_lead_to_each_other(english: Path, chinese: Path) -> None:
    assert chinese in [file for _, file, _ in _links(english)]
    assert english in [file for _, file, _ in _links(chinese)]


@twins
def test_twins_are_built_alike(english: Path, chinese: Path) -> None:
    """The same headings, tables, lists and blocks in the same order; what stands in them is up to their writers."""
    assert _shape(english) == _shape(chinese)


def _shape(page: Path) -> list[str]:
    parts = re.compile(r"^(#+ |```\w+|\|(?=.*\|$)|\d+\. |- )", re.MULTILINE)
    return [part.strip() for part in parts.findall(page.read_text(encoding="utf-8"))]


def test_a_chinese_page_leads_to_chinese_pages() -> None:
    chinese_of = dict(TWINS)
    missed = [
        f"{page.relative_to(ROOT)}: {written}"
        for english, page in TWINS
        for written, file, _ in _links(page)
        if file in chinese_of and file != english
    ]

    assert missed == []


def _chinese() -> list[Path]:
    return [path for path in project_files() if _is_chinese(path.relative_to(ROOT).as_posix())]


def _is_chinese(path: str) -> bool:
    in_docs = path.startswith("docs/zh/") or path == "README.zh.md"
    template = path.startswith("src/echovessel/prompts/templates/") and path.endswith(".zh.md")
    card = path.startswith("src/echovessel/adapters/shelf/cards/") and path.endswith(".zh.json")
    return in_docs or template or card or re.fullmatch(r"web/src/words/zh[\w-]*\.ts", path) is not None


def test_chinese_has_chinese_punctuation() -> None:
    files = _chinese()
    wrong = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()[:80]}"
        for path in files
        for number, line in enumerate(_words(path).splitlines(), 1)
        if ASCII_BESIDE_HAN.search(line)
    ]

    assert len(files) > 12
    assert wrong == []


def _words(path: Path) -> str:
    """A Chinese file without code spans and the targets of links."""
    if path.suffix != ".md":
        return path.read_text(encoding="utf-8")
    return re.sub(r"\]\([^)\s]+\)", "]", SPAN.sub("x", _prose(path)))


def test_punctuation_in_the_wrong_width_is_found_out() -> None:
    wrong = ["你好,世界", "你好, world", "name:你好", "真的?", "页面(网页)"]
    right = ["你好，世界", "Python, Node", "（GET /me）和 a:b", "默认 6,000 个"]

    assert [text for text in wrong if not ASCII_BESIDE_HAN.search(text)] == []
    assert [text for text in right if ASCII_BESIDE_HAN.search(text)] == []
