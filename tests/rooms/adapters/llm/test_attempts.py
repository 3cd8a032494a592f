"""The rules of trying; what a real server does to them is in the tests of each protocol's client."""

from collections.abc import AsyncGenerator

import pytest

from echovessel.adapters.llm import attempts as attempts_module
from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.attempts import Attempts
from echovessel.adapters.llm.failures import refusal
from echovessel.adapters.llm.piece import CutOff, NotTheProtocol, Piece
from echovessel.core.errors import ModelBusy, ModelCut, ModelDown, ModelGarbage, ModelRefusedKey
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Delta, Role
from tests.support.settings import llm_settings

ADDRESS = Address.parse("http://127.0.0.1:9/v1")
REQUEST = ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, "在吗？"),))
SAID = (Piece(speech="在。", finish="stop"),)

Try = tuple[Piece | Exception, ...]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts_module, "FIRST_PAUSE_S", 0.001)


class _Tries:
    """Each try brings its pieces, then fails if it ends in an error."""

    def __init__(self, *tries: Try) -> None:
        self.made = 0
        self._tries = tries

    async def __call__(self) -> AsyncGenerator[Piece, None]:
        self.made += 1
        for step in self._tries[self.made - 1]:
            if isinstance(step, Exception):
                raise step
            yield step


async def _stream(tries: _Tries, retries: int = 2) -> str:
    attempts = Attempts(address=ADDRESS, settings=llm_settings(retries=retries))
    events = [event async for event in attempts.stream(REQUEST, "luna", tries)]
    return "".join(event.text for event in events if isinstance(event, Delta))


@pytest.mark.parametrize(
    "failure", [CutOff(), refusal(None, status=429), refusal(None, status=500), refusal({"message": "no memory"})]
)
async def test_what_may_pass_is_tried_again(failure: Exception) -> None:
    tries = _Tries((failure,), (failure,), SAID)
    assert await _stream(tries) == "在。"
    assert tries.made == 3


async def test_trying_ends_with_the_last_failure() -> None:
    tries = _Tries((CutOff(),), (CutOff(),), SAID)
    with pytest.raises(ModelCut):
        await _stream(tries, retries=1)
    assert tries.made == 2


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (refusal(None, status=401), ModelRefusedKey),
        (refusal(None, status=429, retry_after=3600), ModelBusy),
        (NotTheProtocol("a web page"), ModelGarbage),
    ],
)
async def test_what_will_not_pass_is_not(failure: Exception, kind: type[ModelDown]) -> None:
    tries = _Tries((failure,), SAID)
    with pytest.raises(kind):
        await _stream(tries)
    assert tries.made == 1


@pytest.mark.parametrize("began", [Piece(speech="I was "), Piece(thought="hm")])
async def test_nothing_is_tried_again_once_it_began_even_to_think(began: Piece) -> None:
    tries = _Tries((began, refusal({"message": "out of memory"})), SAID)
    with pytest.raises(ModelCut, match="out of memory"):
        await _stream(tries)
    assert tries.made == 1


async def test_a_listing_fails_as_what_it_is() -> None:
    async def listing() -> object:
        raise refusal(None, status=403)

    with pytest.raises(ModelRefusedKey):
        await Attempts(address=ADDRESS, settings=llm_settings()).listed(listing())


@pytest.mark.parametrize("before", [(), (Piece(speech="嗯"),)])
async def test_a_refusal_that_repeats_what_was_said_tells_it_to_nobody(before: tuple[Piece, ...]) -> None:
    quoting = refusal({"error": {"message": "content must be plain: '在吗？'"}}, status=400)
    with pytest.raises(ModelDown, match="content must be plain:…") as failed:
        await _stream(_Tries((*before, quoting)))
    assert "在吗" not in f"{failed.value.message} {failed.value.do}"
