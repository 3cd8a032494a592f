import zlib

import pytest

from echovessel.adapters.cards.notes import Notes
from echovessel.adapters.cards.png import MOST_INFLATED, card_texts
from echovessel.core.errors import BadInput
from tests.support.cards import END, HEAD, PIXELS, SIGNATURE, chunk, picture

KEYWORDS = ("ccv3", "chara")
TEXT = chunk(b"tEXt", b"chara\0hello")


def texts(data: bytes, notes: Notes | None = None) -> dict[str, list[bytes]]:
    found = card_texts(data, KEYWORDS, notes or Notes())
    return {keyword: [text.text() for text in each] for keyword, each in found.items()}


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"hello")),
        chunk(b"iTXt", b"chara\0\0\0en\0Figur\0hello"),
        chunk(b"iTXt", b"chara\0\1\0\0\0" + zlib.compress(b"hello")),
    ],
    ids=["tEXt", "zTXt", "iTXt", "iTXt-packed"],
)
def test_every_kind_of_text_is_read(text: bytes) -> None:
    assert texts(picture(text)) == {"chara": [b"hello"]}


def test_a_text_may_stand_behind_the_pixels_and_be_written_in_capitals() -> None:
    late = SIGNATURE + HEAD + PIXELS + chunk(b"tEXt", b"Chara\0late") + END
    assert texts(late) == {"chara": [b"late"]}


def test_all_texts_of_a_keyword_are_given_in_order_and_others_are_passed_over() -> None:
    data = picture(TEXT, chunk(b"tEXt", b"Comment\0no"), chunk(b"tEXt", b"chara\0again"), chunk(b"tEXt", b"ccv3\0new"))
    assert texts(data) == {"chara": [b"hello", b"again"], "ccv3": [b"new"]}


def test_a_packed_text_that_nobody_asked_for_is_never_unpacked() -> None:
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"A" * (MOST_INFLATED + 1)))
    assert texts(picture(bomb, TEXT)) == {"chara": [b"hello"]}


def test_a_wrong_checksum_is_noted_and_the_text_taken() -> None:
    notes = Notes()
    assert texts(picture(chunk(b"tEXt", b"chara\0hello", sound=False)), notes) == {"chara": [b"hello"]}
    assert len(notes.told("en")) == 1
    assert "checksum" in notes.told("en")[0]


def test_a_wrong_checksum_elsewhere_is_nobodys_business() -> None:
    notes = Notes()
    texts(picture(TEXT, chunk(b"gAMA", b"....", sound=False)), notes)
    assert notes.told("en") == ()


@pytest.mark.parametrize("cut", range(len(SIGNATURE), len(SIGNATURE + HEAD + TEXT)))
def test_a_picture_cut_before_its_text_is_over_is_refused(cut: int) -> None:
    with pytest.raises(BadInput, match="cut short"):
        texts(picture(TEXT)[:cut])


def test_a_picture_cut_behind_its_text_gives_it_with_a_note() -> None:
    notes = Notes()
    assert texts(picture(TEXT)[:-20], notes) == {"chara": [b"hello"]}
    assert "cut short" in notes.told("en")[0]


def test_a_picture_without_a_text_gives_none() -> None:
    assert texts(picture()) == {}


def test_a_length_beyond_the_file_ends_the_walk() -> None:
    with pytest.raises(BadInput, match="cut short"):
        texts(SIGNATURE + HEAD + b"\xff\xff\xff\xfftEXtchara\0hello" + b"\0" * 40)


def test_a_bomb_is_refused_at_the_cap() -> None:
    bomb = chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"A" * (MOST_INFLATED + 1)))
    with pytest.raises(BadInput, match="more than 16 MB"):
        texts(picture(bomb))


def test_damaged_packing_is_refused() -> None:
    with pytest.raises(BadInput, match="damaged"):
        texts(picture(chunk(b"zTXt", b"chara\0\0not packed")))
