"""Files of one name are told apart by their sizes and ends."""

from pathlib import Path

from echovessel.adapters.embed.identity import identity


def test_another_beginning_end_or_length_is_another_file(tmp_path: Path) -> None:
    contents = [b"a" * 300_000, b"b" + b"a" * 299_999, b"a" * 299_999 + b"b", b"a" * 300_001]
    for number, content in enumerate(contents):
        (tmp_path / str(number)).write_bytes(content)

    told = [identity([tmp_path / str(number)]) for number in range(4)]

    assert len(set(told)) == 4
    assert told[0] == identity([tmp_path / "0"])
    assert all(len(each) == 8 for each in told)


def test_what_cannot_be_read_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"x")

    assert identity([tmp_path / "there", tmp_path / "missing"]) == ""
    assert identity([tmp_path]) == ""
