"""A zip that came from somewhere is data: another one, a damaged one and nonsense in it are told."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from echovessel.core.errors import BadInput
from echovessel.runtime.pair_zip import PairZip


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


@pytest.mark.parametrize("persona", ["", "[]", "{", "[" * 100_000])
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
