"""Every way an endpoint can fail, as the error the rest of the house knows: what happened, and what a person can do.

Sentences name the endpoint's host, never the key. The endpoint's own words are quoted shortened, on one line.
"""

import re
import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.quoting import before_the_quote
from echovessel.core.errors import (
    ModelBusy,
    ModelCut,
    ModelDown,
    ModelEmpty,
    ModelGarbage,
    ModelRefusedKey,
    ModelRejected,
    ModelTimeout,
    ModelUnreachable,
)
from echovessel.core.text import keepable

_LONGEST_QUOTE = 200
_LONGEST_WAIT_TOLD_S = 600
_LONG_KEY = 16
_TELLING = 8
"""Characters at the beginning of a long key that tell it from other words."""
_CONTROL = re.compile(r"[\x01-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_AGAIN = "Try again; if it keeps happening, look at what the model's server logs."
_SETTINGS = "in Settings → Model"
_NO_CREDIT = ("insufficient_quota", "credit balance", "api usage limits", "spend limit")
_TOO_LONG = re.compile(r"context.(length|size|window|limit)|maximum context|prompt is too long")
_BAD_KEY = ("api key not valid", "api_key_invalid")
"""Google says 400 to a wrong key."""
_FILTERED = (
    "content_filter",
    "content management policy",
    "data_inspection_failed",
    "datainspectionfailed",
    "high risk",
)
"""OpenAI and Azure, Alibaba Cloud, Moonshot: the filter refuses the prompt itself."""
_STATUS_OF_TYPE: Mapping[str, int] = {
    "invalid_request_error": 400,
    "invalid_api_key": 401,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Source: https://platform.claude.com/docs/en/api/errors; `invalid_api_key` is OpenAI's code."""


class Refusal(Exception):
    """The endpoint answered with an error: its HTTP status (0: none), its words and code, seconds it asked us to wait."""

    def __init__(self, *, status: int, words: str, code: str, retry_after: float | None) -> None:
        super().__init__(f"{status} {code} {words}")
        self.status = status
        self.words = words
        self.code = code
        self.retry_after = retry_after


def refusal(error: object, *, status: int = 0, retry_after: float | None = None, key: str = "") -> Refusal:
    """Read an error body or error object in any of the usual forms; `key` is blotted out should it be quoted."""
    code, words = "", error
    while isinstance(words, Mapping | list):
        if isinstance(
            words, list
        ):  # Google puts its error objects into one; so do the servers that are made with FastAPI
            words = next(iter(cast("list[object]", words)), "")
            continue
        fields = cast("Mapping[str, object]", words)
        code = _code(fields.get("code") or fields.get("type"), key) or code
        words = fields.get("error") or fields.get("message") or fields.get("detail") or _field_named(fields)
    return Refusal(status=status or _status_of(code), words=_quotable(words, key), code=code, retry_after=retry_after)


def _field_named(fields: Mapping[str, object]) -> object:
    """What FastAPI says of one wrong field, such as `body.stream_options: Extra inputs are not permitted` (Mistral, vLLM)."""
    place, words = fields.get("loc"), fields.get("msg") or ""
    return f"{'.'.join(map(str, cast('list[object]', place)))}: {words}" if isinstance(place, list) else words


def _status_of(code: str) -> int:
    """The HTTP status that an error object inside an answer stands for: some put it into `code`, Anthropic names its types."""
    return int(code) if re.fullmatch(r"[45]\d\d", code) else _STATUS_OF_TYPE.get(code, 0)


def _code(value: object, key: str) -> str:
    return _quotable(str(value), key) if isinstance(value, str | int) and value else ""


def _quotable(words: object, key: str) -> str:
    """The endpoint's words on one short line that a page, a terminal and a database can hold."""
    text = " ".join(_CONTROL.sub(" ", keepable(words)).split()) if isinstance(words, str) else ""
    if text.startswith("<"):
        return ""
    text = _blotted(text, key) if key else text
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"


def _blotted(text: str, key: str) -> str:
    """`text` without the key, also where only its beginning is quoted."""
    if len(key) < _LONG_KEY:
        return text.replace(key, "…")
    return re.sub(rf"{re.escape(key[:_TELLING])}[\w.*-]*", "…", text)


def refused(address: Address, model: str, it: Refusal, prompt: Iterable[str] = ()) -> ModelDown:
    """The error for a refusal that came before the first token. What its words repeat of the prompt's texts is not told."""
    words = before_the_quote(it.words, prompt)
    said = f": {words}" if words else "."
    match it.status:
        case 0 if "unexpected endpoint" in it.words.lower():  # how LM Studio says 404, with status 200
            return _not_there(address, model, it)
        case 0:
            return ModelDown(f"{address.host} reported an error{said}", do=_AGAIN)
        case status if status < 400:
            return ModelRejected(
                f"{address.host} sends us on to another address ({status}), and we only go where you said.",
                do=f"Put the final address into llm.base_url {_SETTINGS}; often it begins with https://.",
            )
        case status if status < 500:
            return _refused_4xx(address, model, it, said)
        case 529:
            return _busy(address, it)
        case 503 if it.retry_after is not None:
            return _busy(address, it)
        case 504:
            return _gave_up(address, it, said)
        case status:
            return ModelDown(f"{address.host} has a problem of its own ({status}){said}", do=_AGAIN)


def _refused_4xx(address: Address, model: str, it: Refusal, said: str) -> ModelDown:
    match it.status:
        case 400 if _names(it, _BAD_KEY):
            return ModelRefusedKey(
                f"{address.host} refused the key ({it.status}).",
                do=f"Check the key {_SETTINGS} (llm.api_key or llm.api_key_file): is it whole, valid and of this provider?",
            )
        case 401 | 403:
            why = said if it.status == 403 else "."  # on 401 many quote half the key
            return ModelRefusedKey(
                f"{address.host} refused the key ({it.status}){why}",
                do=f"Check the key {_SETTINGS} (llm.api_key or llm.api_key_file): is it whole, valid and of this provider?",
            )
        case 404 | 405:
            return _not_there(address, model, it)
        case 407:
            return not_let_through(address, "407 Proxy Authentication Required")
        case 408:
            return _gave_up(address, it, said)
        case 400 if _names(it, _FILTERED):
            return _filtered(address)
        case 402:
            return _no_credit(address, said)
        case 400 | 429 if _names(it, _NO_CREDIT):
            return _no_credit(address, said)
        case 429:
            return _busy(address, it)
        case _:
            return _rejected(address, it, said)


def _filtered(address: Address) -> ModelRejected:
    """Without its words: such filters quote what they found, which may be deleted some day."""
    return ModelRejected(
        f"The content filter of {address.host} refused the conversation.",
        do="Say it in other words, or choose another model.",
    )


def _gave_up(address: Address, it: Refusal, said: str) -> ModelTimeout:
    return ModelTimeout(f"{address.host} gave up waiting for its model ({it.status}){said}", do=_AGAIN)


def _not_there(address: Address, model: str, it: Refusal) -> ModelRejected:
    if "model" in f"{it.code} {it.words}".lower():
        return ModelRejected(
            f"{address.host} has no model called {model!r}.",
            do=f"Choose one of the models it lists {_SETTINGS} (press Test), or load the model there first.",
        )
    return ModelRejected(
        f"{address.host} answers, but there is no chat at {address.shown}.",
        do=f"Check llm.base_url: does it lead to {address.endpoint}? {address.usual}",
    )


def _no_credit(address: Address, said: str) -> ModelRejected:
    return ModelRejected(
        f"The account at {address.host} has no credit left{said}",
        do="Top up the account with this provider, or choose another model.",
    )


def _busy(address: Address, it: Refusal) -> ModelBusy:
    when = f"in {it.retry_after:.0f} seconds" if it.retry_after else "in a minute"
    if it.retry_after and it.retry_after > _LONGEST_WAIT_TOLD_S:
        when = "later"
    why = "your plan with this provider allows too few requests" if it.status == 429 else "choose another model"
    return ModelBusy(
        f"{address.host} is too busy for us now ({it.status}).",
        do=f"Try again {when}; if it keeps happening, {why}.",
        retry_after=it.retry_after,
    )


def _rejected(address: Address, it: Refusal, said: str) -> ModelRejected:
    if it.status == 413 or says_too_long(f"{it.code} {it.words}"):
        return ModelRejected(
            f"The conversation is too long for the model at {address.host}{said}",
            do="Lower prompt.token_budget, or give the model a larger context window where it runs.",
        )
    return ModelRejected(
        f"{address.host} did not accept the request ({it.status}){said}",
        do=f"Check the model's name and the settings of the model {_SETTINGS}.",
    )


def says_too_long(words: str) -> bool:
    """Whether these words of an endpoint say that the prompt does not fit into the model."""
    return _TOO_LONG.search(words.lower()) is not None


def _names(it: Refusal, words: Iterable[str]) -> bool:
    """Whether the endpoint's code or words hold one of these."""
    told = f"{it.code} {it.words}".lower()
    return any(word in told for word in words)


def no_model_named(address: Address) -> ModelRejected:
    """`base_url` is set, `model` is not."""
    return ModelRejected(
        f"No model is chosen at {address.host}.",
        do=f"Choose one {_SETTINGS} (press Test to see which there are), or set llm.model.",
    )


def unreachable(address: Address, cause: BaseException) -> ModelUnreachable:
    """No connection could be made; `cause` is what the client library raised."""
    chain = list(_chain(cause))
    if any(isinstance(e, ssl.SSLCertVerificationError) for e in chain):
        return ModelUnreachable(
            f"{address.host} shows a certificate that this computer does not trust.",
            do="Check the address; for a server of your own, add its certificate to the system's trusted ones or use http://.",
        )
    if any(isinstance(e, ssl.SSLError) for e in chain):
        return ModelUnreachable(
            f"{address.host} does not speak https there.",
            do="Check llm.base_url: a server on your own computer usually wants http://, not https://.",
        )
    if address.proxy:
        return ModelUnreachable(
            f"The proxy {address.proxy} on the way to {address.host} does not answer.",
            do="Start the proxy, or check llm.proxy; leave it empty to go without one.",
        )
    if any(isinstance(e, socket.gaierror) for e in chain):
        return ModelUnreachable(
            f"There is no computer called {address.host}, or the network is down.",
            do="Check the spelling of llm.base_url and your internet connection.",
        )
    return ModelUnreachable(
        f"Nothing answers at {address.host}.",
        do="Start the model's server, or check llm.base_url, its port too, and your network.",
    )


def not_let_through(address: Address, why: str) -> ModelUnreachable:
    """The proxy answered and opened no way; `why` is what it said, such as `407 Proxy Authentication Required`."""
    login = " The proxy wants a login: write it as http://user:password@host:port." if why.startswith("407") else ""
    return ModelUnreachable(
        f"The proxy {address.proxy} did not let us through to {address.host}: {_quotable(why, '')}.",
        do=f"Check llm.proxy and what that proxy allows; leave it empty to go without one.{login}",
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    step: BaseException | None = error
    while step is not None:
        yield step
        step = step.__cause__ or step.__context__


def silent(address: Address, seconds: float) -> ModelTimeout:
    """No token came in time."""
    return ModelTimeout(
        f"{address.host} took our question and said nothing for {seconds:g} seconds.",
        do="The model may still be loading, or be too large for that computer: try again, or raise llm.first_token_timeout_s.",
    )


def stalled(address: Address, seconds: float) -> ModelTimeout:
    """The answer began and stopped coming."""
    return ModelTimeout(
        f"{address.host} fell silent in the middle of the answer for {seconds:g} seconds.",
        do="Try again; if the model is slow, raise llm.idle_timeout_s.",
    )


def endless(address: Address, seconds: float) -> ModelTimeout:
    """The answer went on and on."""
    return ModelTimeout(
        f"{address.host} was not done with its answer after {seconds:g} seconds.",
        do="Lower llm.max_reply_tokens; if the model needs that long, raise llm.reply_timeout_s.",
    )


def cut(address: Address, words: str = "") -> ModelCut:
    """The connection closed, or an error came, before the answer was over."""
    said = f" and said: {words}" if words else "."
    return ModelCut(f"{address.host} broke off before the answer was over{said}", do=_AGAIN)


def empty(address: Address, finish: str) -> ModelEmpty:
    """The answer was over and held no word; `finish` is the finish reason."""
    match finish:
        case "length":
            return ModelEmpty(
                f"The model at {address.host} used up its length limit before it said a word.",
                do="Raise llm.max_reply_tokens, or choose a model that thinks less.",
            )
        case _ if finish.startswith(("content_filter", "sensitive")):  # Google adds a reason; Zhipu says sensitive
            return ModelEmpty(
                f"The content filter of {address.host} held the answer back.",
                do="Say it in other words, or choose another model.",
            )
        case _:
            return ModelEmpty(
                f"{address.host} answered without a single word.",
                do="Try again; if it keeps happening, choose another model.",
            )


def garbage(address: Address, what: str) -> ModelGarbage:
    """What came is no chat completion; `what` says in half a sentence what it is."""
    return ModelGarbage(
        f"{address.host} answered with {what}, not with a model's answer.",
        do=f"Check llm.base_url: does it lead to {address.endpoint}? {address.usual}",
    )
