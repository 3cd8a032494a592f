import base64
import codecs
import json

import pytest

from echovessel.adapters.cards.document import MOST_BYTES, document_of_chunk, document_of_json
from echovessel.core.errors import BadInput

CARD = {"name": "小满", "description": "🌙"}
TEXT = json.dumps(CARD, ensure_ascii=False)


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
    ],
    ids=["utf-8", "bom", "utf-16", "utf-16-be", "utf-32"],
)
def test_every_unicode_encoding_is_read(data: bytes) -> None:
    assert document_of_json(data) == CARD


@pytest.mark.parametrize(
    "payload",
    [
        base64.b64encode(TEXT.encode()),
        base64.b64encode(TEXT.encode()).rstrip(b"="),
        base64.encodebytes(TEXT.encode()),
        TEXT.encode(),
    ],
    ids=["base64", "unpadded", "broken into lines", "plain"],
)
def test_a_chunk_is_base64_or_plain(payload: bytes) -> None:
    assert document_of_chunk(payload) == CARD


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"[]", "no object"),
        (b'"card"', "no object"),
        (b'{"name": "Mi', "line 1, column 10"),
        (b"not json", "line 1, column 1"),
        ('{"name": "小满"}'.encode("gb18030"), "UTF-8"),
        (b"\xff\xd8\xff\xe0 jpeg", "UTF-8"),
        (b'{"user_name": "you"}\n{"name": "Mira", "mes": "hi"}\n', "as chats do"),
        (b"[" * 100_000, "damaged"),
        (b'{"n": ' + b"9" * 5000 + b"}", "damaged"),
        (b" " * (MOST_BYTES + 1), "longer than 16 MB"),
    ],
)
def test_what_is_no_card_document_is_refused_with_its_reason(data: bytes, why: str) -> None:
    with pytest.raises(BadInput, match=why) as refused:
        document_of_json(data)
    assert refused.value.do


@pytest.mark.parametrize(
    "payload", [b"", b"!!!not base64!", b"!!!!" + base64.b64encode(TEXT.encode()), b"YWJj", "卡".encode()]
)
def test_a_damaged_chunk_is_refused(payload: bytes) -> None:
    with pytest.raises(BadInput):
        document_of_chunk(payload)
