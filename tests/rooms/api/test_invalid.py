"""What pydantic says becomes a sentence with the field and the remedy; what was sent is never repeated."""

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from echovessel.api.dto.people import CoreBlockWrite, LibraryTake, MeChange, PersonaMake
from echovessel.api.dto.settings import LlmTest, SettingsChange
from echovessel.api.dto.system import UsageQuery
from echovessel.api.dto.talk import MessagesQuery, RecallAsk, Say
from echovessel.api.invalid import FIELD_LENGTH, Wrong, explain

JSON = "application/json"


def wrong(kind: type[BaseModel], sent: Any) -> Wrong:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(sent)
    errors = [{**error, "loc": ("body", *error["loc"])} for error in caught.value.errors()]
    return explain(errors, JSON)


@pytest.mark.parametrize(
    ("kind", "sent", "field", "says", "do"),
    [
        (Say, {}, "text", "is missing", "Send it."),
        (Say, {"text": 3}, "text", "is not text", "JSON string"),
        (Say, {"text": None}, "text", "is not text", "JSON string"),
        (Say, {"text": ["a"]}, "text", "is not text", "JSON string"),
        (Say, {"text": "a\0b"}, "text", "NUL", "U+0000"),
        (Say, {"text": "a\ud800b"}, "text", "surrogate", "whole characters"),
        (Say, {"text": ""}, "text", "is empty", "at least one"),
        (Say, {"text": "x" * 100_001}, "text", "longer than 100000", "Shorten it to 100000"),
        (Say, {"text": "a", "txet": "b"}, "txet", "is not a field", "spelling"),
        (Say, {"text": "a", "client_id": "a b"}, "client_id", "form", "matches"),
        (Say, {"text": "a", "client_id": "x" * 65}, "client_id", "form", "matches"),
        (Say, {"text": "a", "channel": "discord"}, "channel", "is not 'page'", "'page' or 'terminal'"),
        (Say, [], "body", "is not an object", "braces"),
        (PersonaMake, {"name": " \t"}, "name", "control character", "one line"),
        (PersonaMake, {"name": "   "}, "name", "is empty", "at least one"),
        (PersonaMake, {"name": "a\nb"}, "name", "line break", "one line"),
        (PersonaMake, {"name": "x" * 101}, "name", "longer than 100", "Shorten"),
        (PersonaMake, {"name": "a", "greetings": "hi"}, "greetings", "is not a list", "array"),
        (PersonaMake, {"name": "a", "greetings": ["ok", 3]}, "greetings.1", "is not text", "JSON string"),
        (PersonaMake, {"name": "a", "greetings": ["hi"] * 51}, "greetings", "more than 50", "at most 50"),
        (PersonaMake, {"name": "a", "kind": "real"}, "kind", "is not 'fictional'", "'fictional'"),
        (MeChange, {"locale": "fr"}, "locale", "is not 'zh'", "'zh' or 'en'"),
        (LibraryTake, {"locale": 1}, "locale", "is not 'zh'", "'zh' or 'en'"),
        (CoreBlockWrite, {"text": "a", "base_revision": "1"}, "base_revision", "whole number", "JSON number"),
        (CoreBlockWrite, {"text": "a", "base_revision": True}, "base_revision", "whole number", "JSON number"),
        (CoreBlockWrite, {"text": "a", "base_revision": 1.5}, "base_revision", "whole number", "fraction"),
        (CoreBlockWrite, {"text": "a", "base_revision": -1}, "base_revision", "too small", "0 or more"),
        (CoreBlockWrite, {"text": "a", "base_revision": 10**30}, "base_revision", "too large", "less"),
        (RecallAsk, {"query": "a", "k": 0}, "k", "too small", "1 or more"),
        (RecallAsk, {"query": "a", "k": 101}, "k", "too large", "100 or less"),
        (MessagesQuery, {"limit": "many"}, "limit", "whole number", "digits"),
        (MessagesQuery, {"limit": "9" * 5000}, "limit", "", ""),
        (MessagesQuery, {"sort": "up"}, "sort", "is not a field", "spelling"),
        (UsageQuery, {"since": "yesterday"}, "since", "date and time", "RFC 3339"),
        (UsageQuery, {"since": "2026-11-30T10:00:00"}, "since", "no time zone", "RFC 3339"),
        (SettingsChange, {"llm": {"retries": 9}}, "llm.retries", "too large", "5 or less"),
        (SettingsChange, {"llm": {"temperature": "hot"}}, "llm.temperature", "is not a number", "JSON number"),
        (SettingsChange, {"llm": {"temperature": float("nan")}}, "llm.temperature", "", ""),
        (SettingsChange, {"llm": {"price_in": float("inf")}}, "llm.price_in", "too large", "less"),
        (SettingsChange, {"server": {"host": "0.0.0.0"}}, "server", "is not a field", "spelling"),
        (SettingsChange, {"llm": {"api_key_file": "/etc/passwd"}}, "llm.api_key_file", "is not a field", "spelling"),
        (LlmTest, {"base_url": "ftp://x", "model": "m"}, "base_url", "not an address", "http://"),
        (LlmTest, {"base_url": "http://u:p@x/v1", "model": "m"}, "base_url", "not an address", "password"),
    ],
)
def test_the_field_and_the_remedy_are_named(kind: type[BaseModel], sent: Any, field: str, says: str, do: str) -> None:
    found = wrong(kind, sent)

    assert (found.status, found.code, found.field) == (422, "bad-input", field)
    assert found.detail.startswith(f"`{field}` ")
    assert says in found.detail
    assert do in found.do
    assert "cannot be taken" not in found.detail
    assert "…" not in found.detail + found.do.replace("\\ud800 … \\udfff", "")


def test_what_was_sent_is_not_repeated() -> None:
    secret = "sk-very-secret-key"

    for found in (
        wrong(LlmTest, {"base_url": "http://x/v1", "model": "m", "api_key": {"deep": secret}}),
        wrong(LlmTest, {"base_url": f"ftp://{secret}", "model": "m"}),
        wrong(Say, {"text": secret * 10_000}),
    ):
        assert secret not in found.detail + found.do + str(found.field)


def test_a_field_of_absurd_length_is_cut() -> None:
    assert len(wrong(Say, {"text": "a", "x" * 1000: 1}).field or "") == FIELD_LENGTH


@pytest.mark.parametrize(
    ("error", "content_type", "status", "code", "says"),
    [
        ({"type": "json_invalid", "loc": ("body", 17)}, JSON, 400, "not-json", "character 17"),
        ({"type": "missing", "loc": ("body",)}, JSON, 422, "bad-input", "missing"),
        ({"type": "missing", "loc": ("body",)}, "", 422, "bad-input", "missing"),
        ({"type": "model_attributes_type", "loc": ("body",)}, "text/plain", 415, "not-json", "not said to be JSON"),
        ({"type": "model_attributes_type", "loc": ("body",)}, "", 415, "not-json", "not said to be JSON"),
        ({"type": "model_attributes_type", "loc": ("body",)}, "application/json", 422, "bad-input", "object"),
        (
            {"type": "model_attributes_type", "loc": ("body",)},
            "application/a+json; charset=utf-8",
            422,
            "bad-input",
            "",
        ),
    ],
)
def test_bodies_that_are_no_json(error: dict[str, Any], content_type: str, status: int, code: str, says: str) -> None:
    found = explain([error], content_type)

    assert (found.status, found.code, found.field) == (status, code, "body")
    assert says in found.detail
    assert found.do


def test_an_error_type_that_we_have_no_words_for_still_names_the_field() -> None:
    found = explain([{"type": "brand_new", "loc": ("body", "text")}], JSON)

    assert found.detail == "`text` cannot be taken."
    assert "/api/openapi.json" in found.do
