import socket
import ssl

import pytest

from echovessel.adapters.llm import failures
from echovessel.adapters.llm.access import Address
from echovessel.core.errors import (
    ModelBusy,
    ModelDown,
    ModelRefusedKey,
    ModelRejected,
    ModelTimeout,
    ModelUnreachable,
)

ADDRESS = Address.parse("https://api.example.com/v1")


def _refused(status: int, error: object = None, retry_after: float | None = None) -> ModelDown:
    return failures.refused(ADDRESS, "luna-7b", failures.refusal(error, status=status, retry_after=retry_after))


@pytest.mark.parametrize(
    ("status", "error", "kind", "told"),
    [
        (401, None, ModelRefusedKey, "key"),
        (403, None, ModelRefusedKey, "key"),
        (404, {"error": {"message": "model 'luna-7b' not found"}}, ModelRejected, "luna-7b"),
        (404, {"error": {"code": "model_not_found", "message": "no"}}, ModelRejected, "luna-7b"),
        (404, None, ModelRejected, "/v1"),
        (405, {"detail": "Method Not Allowed"}, ModelRejected, "/v1"),
        (200, {"error": "Unexpected endpoint or method. (POST /chat/completions)"}, ModelRejected, "/v1"),
        (402, {"error": {"message": "Insufficient Balance"}}, ModelRejected, "credit"),
        (400, {"type": "error", "error": {"message": "Your credit balance is too low"}}, ModelRejected, "Top up"),
        (400, {"error": {"message": "You have reached your specified API usage limits."}}, ModelRejected, "Top up"),
        (403, {"error": {"type": "forbidden", "message": "Request not allowed"}}, ModelRefusedKey, "not allowed"),
        (429, {"error": {"code": "insufficient_quota", "message": "quota"}}, ModelRejected, "credit"),
        (429, None, ModelBusy, "busy"),
        (529, None, ModelBusy, "another model"),
        (413, None, ModelRejected, "prompt.token_budget"),
        (400, {"error": {"message": "prompt is too long: 9 tokens > 8 maximum"}}, ModelRejected, "token_budget"),
        (400, {"error": {"message": "input and `max_tokens` exceed context limit"}}, ModelRejected, "token_budget"),
        (400, {"error": {"code": "context_length_exceeded"}}, ModelRejected, "prompt.token_budget"),
        (400, {"error": {"message": "request exceeds the available context size"}}, ModelRejected, "token_budget"),
        (422, {"detail": [{"msg": "bad"}]}, ModelRejected, "422"),
        (408, None, ModelTimeout, "408"),
        (504, None, ModelTimeout, "504"),
        (307, None, ModelRejected, "base_url"),
        (500, {"error": {"message": "CUDA out of memory"}}, ModelDown, "CUDA out of memory"),
        (503, {"error": {"message": "Loading model", "code": 503}}, ModelDown, "Loading model"),
    ],
)
def test_every_status_is_told_with_its_host_and_a_remedy(
    status: int, error: object, kind: type[ModelDown], told: str
) -> None:
    down = _refused(status if status != 200 else 0, error)
    assert type(down) is kind
    assert "api.example.com" in down.message
    assert told in f"{down.message} {down.do}"
    assert down.do.endswith((".", "?"))


def test_busy_passes_on_how_long_to_wait() -> None:
    down = _refused(503, None, retry_after=40)
    assert isinstance(down, ModelBusy)
    assert down.retry_after == 40
    assert "40 seconds" in down.do


def test_an_error_object_may_carry_its_status_as_its_code() -> None:
    told = failures.refusal({"code": 429, "message": "slow down"})
    assert isinstance(failures.refused(ADDRESS, "m", told), ModelBusy)
    overloaded = failures.refusal({"type": "overloaded_error", "message": "Overloaded"})
    assert isinstance(failures.refused(ADDRESS, "m", overloaded), ModelBusy)


@pytest.mark.parametrize(
    "error",
    [
        {"error": {"message": "it broke"}},
        {"error": "it broke"},
        {"message": "it broke"},
        {"detail": "it \n\n broke"},
        "it broke",
    ],
)
def test_the_endpoints_words_are_found_in_all_usual_forms(error: object) -> None:
    assert failures.refusal(error, status=500).words == "it broke"


def test_words_are_short_without_pages_and_without_the_key() -> None:
    assert failures.refusal("<html>nginx</html>", status=502).words == ""
    assert len(failures.refusal("x" * 9000, status=500).words) < 250
    assert "sk-secret" not in failures.refusal({"error": "bad sk-secret"}, status=500, key="sk-secret").words


def test_the_beginning_of_a_key_is_not_quoted_either() -> None:
    words = "Your key sk-proj-abcd****wxyz is wrong, sk-proj-abcdefgh... too"
    told = failures.refusal(words, status=500, key="sk-proj-abcdefghijklmnopqrstuvwxyz")
    assert told.words == "Your key … is wrong, … too"


def test_an_endless_wait_is_not_counted_out() -> None:
    down = failures.refused(ADDRESS, "luna", failures.refusal(None, status=429, retry_after=1e20))
    assert "Try again later;" in down.do


def test_a_filter_that_quotes_what_was_said_is_not_quoted() -> None:
    told = failures.refusal({"code": "content_filter", "message": "you said: hi SECRETWORD"}, status=400)
    down = failures.refused(ADDRESS, "luna", told)
    assert "content filter" in down.message
    assert "SECRETWORD" not in down.message


def test_words_turn_no_line_around() -> None:
    assert failures.refusal("pwned \u202e evil\u200b!", status=500).words == "pwned evil !"


def test_a_login_in_the_address_is_not_told() -> None:
    address = Address.parse("http://me:hunter2@127.0.0.1:9/v1?key=hidden")
    down = failures.refused(address, "luna", failures.refusal(None, status=404))
    assert "http://127.0.0.1:9/v1" in down.message
    assert "hunter2" not in f"{down.message} {down.do}"
    assert "hidden" not in f"{down.message} {down.do}"


def test_words_and_code_are_text_that_can_be_shown_and_kept() -> None:
    told = failures.refusal({"error": {"code": "odd\ud83d", "message": "bad \ud83d\x00\x1b[2J\x9b thing"}}, status=400)
    assert told.words == "bad \ufffd [2J thing"
    assert told.code == "odd\ufffd"
    assert failures.refusal({"code": {"a": [1] * 9000}, "message": "m"}, status=400).code == ""


@pytest.mark.parametrize(
    ("cause", "told"),
    [
        (ConnectionRefusedError(), "Start the model's server"),
        (socket.gaierror(-2, "unknown"), "spelling"),
        (ssl.SSLCertVerificationError("self-signed"), "certificate"),
        (ssl.SSLError("WRONG_VERSION_NUMBER"), "http://"),
    ],
)
def test_what_kept_us_from_connecting_is_found_in_the_chain(cause: Exception, told: str) -> None:
    outer = OSError("Connection error.")
    outer.__cause__ = RuntimeError("wrapped")
    outer.__cause__.__context__ = cause
    down = failures.unreachable(ADDRESS, outer)
    assert type(down) is ModelUnreachable
    assert told in f"{down.message} {down.do}"


def test_empty_answers_say_why_they_are_empty() -> None:
    assert "max_reply_tokens" in failures.empty(ADDRESS, "length").do
    assert "filter" in failures.empty(ADDRESS, "content_filter").message
    assert "Try again" in failures.empty(ADDRESS, "stop").do
