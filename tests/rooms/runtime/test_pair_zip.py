"""A zip that came from somewhere is data: another one, a damaged one and nonsense in it are told."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.pair_zip import LONGEST_MESSAGES, PairZip, is_zip


def _zip(path: Path, **files: str) -> Path:
    with ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_", "."), text)
    return path


def test_it_names_its_persona_and_gives_the_messages(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", messages_jsonl="{}\n", persona_json=json.dumps({"name": "Mira"}))

    with PairZip.opened(path) as archive:
        assert (archive.persona, archive.is_silent) == ({"name": "Mira"}, False)
        assert archive.messages().read() == b"{}\n"


@pytest.mark.parametrize("persona", ["", "[]", "{", "[" * 100_000, r'{"name": "\ud800"}', '{"zone": NaN}'])
def test_nonsense_about_the_persona_is_told(tmp_path: Path, persona: str) -> None:
    path = _zip(tmp_path / "a.zip", messages_jsonl="", persona_json=persona)

    with PairZip.opened(path) as archive, pytest.raises(BadInput, match="damaged"):
        _ = archive.persona


def test_without_a_name_it_is_nobodys(tmp_path: Path) -> None:
    for files in ({}, {"persona_json": '{"name": 3}'}):
        with PairZip.opened(_zip(tmp_path / "a.zip", messages_jsonl="", **files)) as archive:
            assert (archive.persona, archive.is_silent) == (None, True)


def test_another_zip_and_a_cut_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no messages\.jsonl"), PairZip.opened(_zip(tmp_path / "a.zip", x="y")):
        pass
    cut = tmp_path / "cut.zip"
    cut.write_bytes(_zip(tmp_path / "b.zip", messages_jsonl="x").read_bytes()[:20])
    with pytest.raises(BadInput, match="damaged"), PairZip.opened(cut):
        pass


def _flipped(content: bytes) -> bytes:
    """One byte of the packed messages is another: it stands behind 30 bytes of header and the name."""
    return content[:60] + bytes([content[60] ^ 0xFF]) + content[61:]


def _in_directory(content: bytes, offset: int, value: bytes) -> bytes:
    at = content.index(b"PK\x01\x02") + offset
    return content[:at] + value + content[at + len(value) :]


@pytest.mark.parametrize(
    "spoil",
    [
        _flipped,
        lambda content: content[: len(content) // 2],
        lambda content: _in_directory(content, 16, b"\0\0\0\0"),  # the checksum
        lambda content: _in_directory(content, 42, struct.pack("<I", 7)),  # where it begins
        lambda content: _in_directory(content, 6, b"\xff\0"),  # the version that can unpack it
        lambda content: _in_directory(content, 8, b"\x20\0"),  # a patch
        lambda content: _in_directory(content, 46, b"other.text.jso"),
    ],
)
def test_a_damaged_zip_is_told_before_anything_is_done_with_it(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("messages.jsonl", "".join(f'{{"text": "{n * n}"}}\n' for n in range(500)))
    path.write_bytes(spoil(path.read_bytes()))

    assert is_zip(path)
    with pytest.raises(BadInput, match=r"damaged|no messages\.jsonl"), PairZip.opened(path):
        pass


def test_one_that_is_encrypted_or_packed_otherwise_is_told(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", messages_jsonl="x")
    path.write_bytes(_in_directory(path.read_bytes(), 8, b"\x01\0"))
    with pytest.raises(BadInput, match="encrypted"), PairZip.opened(path):
        pass
    with ZipFile(path, "w", ZIP_BZIP2) as archive:
        archive.writestr("messages.jsonl", "x")
    with pytest.raises(BadInput, match="packed in a way"), PairZip.opened(path):
        pass


def test_another_version_is_refused_and_the_present_one_is_not(tmp_path: Path) -> None:
    newer = _zip(tmp_path / "a.zip", messages_jsonl="", manifest_json='{"format": "echovessel-pair/99"}')
    with pytest.raises(BadInput, match="version") as refused, PairZip.opened(newer):
        pass
    assert "Update" in refused.value.do
    present = _zip(tmp_path / "b.zip", messages_jsonl="", manifest_json='{"format": "echovessel-pair/1"}')
    with PairZip.opened(present) as archive:
        assert archive.is_silent


def test_what_unpacks_to_too_much_is_not_unpacked(tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", messages_jsonl="x")
    path.write_bytes(_in_directory(path.read_bytes(), 24, struct.pack("<I", LONGEST_MESSAGES + 1)))

    with pytest.raises(BadInput, match="larger than 200 MB"), PairZip.opened(path):
        pass


def test_lines_are_no_zip(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n")

    assert not is_zip(tmp_path / "a.jsonl")
