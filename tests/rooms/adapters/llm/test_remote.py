"""What every model at an address shares, with a protocol of two lines."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from typing_extensions import override

from echovessel.adapters.llm import remote
from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.failures import refusal
from echovessel.adapters.llm.listed import Listed
from echovessel.adapters.llm.piece import Piece
from echovessel.adapters.llm.remote import RemoteModel
from echovessel.core.errors import ModelRejected, ModelUnreachable
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Delta, Role
from tests.support.settings import llm_settings

REQUEST = ChatRequest(role=Role.MAIN, messages=(ChatMessage(ChatRole.USER, "在吗？"),))


class _Echo(RemoteModel):
    def __init__(self, *lists: tuple[Listed, ...] | Exception, **settings: object) -> None:
        super().__init__(profile="echo", settings=llm_settings(**{"base_url": "http://127.0.0.1:9/v1"} | settings))
        self.prepared = 0
        self.lists = list(lists)

    @override
    def _parse_address(self) -> Address:
        return Address.parse(self.settings.base_url)

    @override
    async def prepare(self) -> None:
        self.prepared += 1

    @override
    async def _list(self) -> tuple[Listed, ...]:
        listed = self.lists.pop(0)
        if isinstance(listed, Exception):
            raise listed
        return listed

    @override
    async def _ask(self, request: ChatRequest, model: str) -> AsyncGenerator[Piece, None]:
        yield Piece(speech=f"{model}: {request.messages[-1].content}", finish="stop")


async def _said(model: RemoteModel, role: Role = Role.MAIN) -> str:
    request = ChatRequest(role=role, messages=REQUEST.messages)
    return "".join([event.text async for event in model.stream(request) if isinstance(event, Delta)])


async def test_each_role_is_asked_by_its_name() -> None:
    assert await _said(_Echo(small_model="tiny")) == "scripted: 在吗？"
    assert await _said(_Echo(small_model="tiny"), Role.SMALL) == "tiny: 在吗？"


async def test_what_is_wrong_with_the_settings_fails_the_request_and_not_the_start() -> None:
    with pytest.raises(ModelUnreachable):
        await _said(_Echo(base_url="no address"))
    nameless = _Echo(model="")
    with pytest.raises(ModelRejected):
        await _said(nameless)
    assert nameless.prepared == 0


async def test_how_much_it_holds_is_the_setting_or_what_the_list_says_asked_once() -> None:
    assert await _Echo(context_tokens=512).context_tokens() == 512
    model = _Echo((Listed(id="other"), Listed(id="scripted", context_length=8192)))
    assert [await model.context_tokens(), await model.context_tokens()] == [8192, 8192]


async def test_while_it_answers_nothing_of_use_it_is_asked_again_and_an_endpoint_without_a_list_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remote, "AGAIN_S", 0)
    model = _Echo(refusal(None, status=429), refusal(None, status=503), refusal(None, status=404))
    assert [await model.context_tokens() for _ in range(4)] == [None] * 4
    assert model.lists == []
    late = _Echo(refusal(None, status=503), (Listed(id="scripted", context_length=8192),))
    assert [await late.context_tokens(), await late.context_tokens()] == [None, 8192]


async def test_between_two_questions_it_waits_a_while() -> None:
    model = _Echo(refusal(None, status=503))
    assert [await model.context_tokens() for _ in range(3)] == [None] * 3


async def test_the_models_are_those_of_the_list_and_an_empty_list_is_a_failure() -> None:
    assert await _Echo((Listed(id="luna"), Listed(id="sol"))).models() == ("luna", "sol")
    with pytest.raises(ModelRejected):
        await _Echo(()).models()


class _Slow(_Echo):
    @override
    async def _list(self) -> tuple[Listed, ...]:
        await asyncio.sleep(60)
        return ()


async def test_no_reply_waits_long_to_learn_how_much_its_model_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "LONGEST_LISTING_S", 0.01)
    slow = _Slow()
    assert await slow.context_tokens() is None
    monkeypatch.setattr(remote, "LONGEST_LISTING_S", 60)
    assert await slow.context_tokens() is None, "it is not asked again at once"


async def test_google_lists_names_that_are_not_the_ones_it_takes() -> None:
    listed = (Listed(id="models/gemini-flash", owned_by="google", context_length=1_000_000),)
    assert await _Echo(listed).models() == ("gemini-flash",)
    assert await _Echo(listed, model="gemini-flash").context_tokens() == 1_000_000
