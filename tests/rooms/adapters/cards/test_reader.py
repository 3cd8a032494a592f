"""Cards of every form, and cards that are damaged in every usual way; whatever the bytes are, only BadInput is raised."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echovessel.adapters.cards import Cards
from echovessel.core.errors import BadInput
from echovessel.ports.cards import ParsedCard
from tests.support.cards import CARDS, END, HEAD, SIGNATURE, card, chunk, packed, picture


def read(name: str) -> ParsedCard:
    return Cards().read((CARDS / name).read_bytes(), name)


@pytest.mark.parametrize(
    ("name", "form", "persona"),
    [
        ("v1.json", "v1-json", "Mira Vale"),
        ("v2.json", "v2-json", "Mira Vale"),
        ("v3.json", "v3-json", "Mira Vale"),
        ("v3_ms_dates.json", "v3-json", "Mira Vale"),
        ("v2_missing_keys.json", "v2-json", "Bare"),
        ("v2_name_empty.json", "v2-json", "v2_name_empty"),
        ("v2_lore_quirks.json", "v2-json", "Mira Vale"),
        ("v2_hostile_html.json", "v2-json", "Mira Vale"),
        ("pygmalion.json", "pygmalion-json", "Mira Vale"),
        ("png_chara_v2.png", "v2-png", "Mira Vale"),
        ("png_chara_after_idat.png", "v2-png", "Mira Vale"),
        ("png_ccv3_only.png", "v3-png", "Mira Vale"),
        ("png_both_stale_chara.png", "v3-png", "Mira Vale"),
        ("png_ztxt.png", "v2-png", "Mira Vale"),
        ("png_bad_crc.png", "v2-png", "Mira Vale"),
    ],
)
def test_a_card_is_read(name: str, form: str, persona: str) -> None:
    found = read(name)
    assert (found.format, found.name) == (form, persona)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("png_bad_base64.png", "card data is damaged"),
        ("png_truncated.png", "cut short"),
        ("png_ztxt_bomb.png", "more than 16 MB"),
        ("png_no_card.png", "picture without a character card"),
        ("ok.charx", "CHARX archive, which cannot be read yet"),
        ("slip.charx", "CHARX archive, which cannot be read yet"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_reason(name: str, why: str) -> None:
    with pytest.raises(BadInput, match=why) as refused:
        read(name)
    assert (refused.value.field, bool(refused.value.do)) == ("file", True)


@pytest.mark.parametrize("data", [b"\xff\xd8\xff\xe0JFIF", b"GIF89a", b"RIFF....WEBP"])
def test_another_picture_is_refused_as_what_it_is(data: bytes) -> None:
    with pytest.raises(BadInput, match="not a PNG"):
        Cards().read(data, "mira.jpg")


def test_the_same_card_says_the_same_in_every_container() -> None:
    told = [(c.about, c.examples, c.greetings) for c in map(read, ("v2.json", "png_chara_v2.png", "png_ztxt.png"))]
    assert told[0] == told[1] == told[2]


def test_a_stale_older_card_beside_the_new_one_is_ignored() -> None:
    assert "Stale" not in repr(read("png_both_stale_chara.png"))


def test_an_older_card_stands_in_for_a_damaged_new_one() -> None:
    data = picture(chunk(b"tEXt", b"ccv3\0!!!"), chunk(b"tEXt", b"chara\0" + packed(card(description="x"))))
    found = Cards().read(data, "mira.png")
    assert (found.format, found.about) == ("v2-png", "x")
    assert "The newest card in the picture is damaged; an older one (chara) was taken." in found.left_out


def test_hostile_html_stays_text() -> None:
    found = read("v2_hostile_html.json")
    assert "<script>alert(3)</script>" in found.greetings[0]
    assert not any("tracker.invalid" in text for text in (found.about, found.style, found.examples, *found.greetings))


def test_what_was_left_out_is_told() -> None:
    assert any("checksum" in note for note in read("png_bad_crc.png").left_out)
    assert read("v2_missing_keys.json").left_out == (
        "The card does not say: description, personality, scenario, mes_example.",
    )
    assert read("v1.json").left_out == read("pygmalion.json").left_out == ()


# ---------------------------------------------------------------- nothing but BadInput

TEXT = st.lists(st.sampled_from("a小\ud800\x00\u200b{}\n") | st.characters(), max_size=20).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
OWN = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("style", "locale", "zone", "kind", "basis", "tagline"), TEXT | JSON)
)
NAMES = (
    *("name", "nickname", "description", "personality", "scenario", "first_mes", "mes_example"),
    *("alternate_greetings", "system_prompt", "character_book"),
)
FIELDS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(NAMES, TEXT | JSON),
        "extensions": JSON | st.fixed_dictionaries({"echovessel": JSON | OWN}),
    },
)
DOCUMENTS = (
    st.fixed_dictionaries(
        {},
        optional={
            "spec": JSON | st.sampled_from(["chara_card_v2", "chara_card_v3"]),
            "spec_version": JSON,
            "data": JSON | FIELDS,
        },
    )
    | FIELDS
)


def never_but_bad_input(data: bytes, filename: str = "x.png") -> None:
    try:
        found = Cards().read(data, filename)
    except BadInput:
        return
    assert found.name.strip()
    assert len(found.name) <= 200
    assert found.locale in {"zh", "en"}
    for text in (
        found.name,
        found.about,
        found.style,
        found.examples,
        found.tagline,
        *found.greetings,
        *found.left_out,
    ):
        assert "\x00" not in text
        text.encode()  # no lone surrogate


@settings(max_examples=300, deadline=None)
@given(DOCUMENTS, TEXT)
def test_any_document_is_a_card_or_bad_input(document: object, filename: str) -> None:
    never_but_bad_input(json.dumps(document).encode(), filename)
    never_but_bad_input(picture(chunk(b"tEXt", b"chara\0" + packed(document))), filename)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_card_or_bad_input(data: bytes) -> None:
    never_but_bad_input(data)
    never_but_bad_input(SIGNATURE + data)
    never_but_bad_input(SIGNATURE + HEAD + data + END)


CHUNK_BODIES = st.binary(max_size=60) | st.builds(
    lambda keyword, rest: keyword + b"\0" + rest, st.sampled_from([b"chara", b"ccv3", b"CHARA"]), st.binary(max_size=60)
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.builds(
            lambda kind, body, sound: chunk(kind, body, sound=sound),
            st.sampled_from([b"tEXt", b"zTXt", b"iTXt", b"IEND", b"IDAT"]),
            CHUNK_BODIES,
            st.booleans(),
        ),
        max_size=5,
    )
)
def test_any_chunks_are_a_card_or_bad_input(chunks: list[bytes]) -> None:
    never_but_bad_input(picture(*chunks))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_card_with_any_bytes_changed_or_cut_is_a_card_or_bad_input(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["png_both_stale_chara.png", "png_ztxt.png", "v3.json"]))
    changed = bytearray((CARDS / name).read_bytes())
    for at in data.draw(st.lists(st.integers(0, len(changed) - 1), max_size=5)):
        changed[at] = data.draw(st.integers(0, 255))
    never_but_bad_input(bytes(changed[: data.draw(st.integers(0, len(changed)))]))


def test_base64_of_anything_is_a_card_or_bad_input() -> None:
    for inner in (b"", b"null", b"[]", b"{}", b'{"name": 1}', b"\xff", b'{"data": {"data": {}}}'):
        never_but_bad_input(picture(chunk(b"tEXt", b"ccv3\0" + base64.b64encode(inner))))
