"""What a connected model promises (`ports.llm.LLM`): run on the adapter against a real server, and on the scripted model."""

from collections.abc import Sequence
from contextlib import aclosing
from typing import Protocol

import pytest

from echovessel.core.errors import ModelCut, ModelEmpty, ModelRefusedKey
from echovessel.core.talk import ChatMessage, ChatRole, Usage
from echovessel.ports.llm import LLM, ChatRequest, Delta, Finished, Role, Thought

REQUEST = ChatRequest(
    role=Role.MAIN,
    messages=(
        ChatMessage(ChatRole.SYSTEM, "You are 小满."),
        ChatMessage(ChatRole.USER, "晚上好"),
        ChatMessage(ChatRole.ASSISTANT, "你来啦。"),
        ChatMessage(ChatRole.USER, "What's on your mind? 🌙"),
    ),
    max_tokens=120,
)
ANSWER = "桂花开了，I can smell it from here. 🌼"


class Stage(Protocol):
    """An implementation together with the means to direct it."""

    @property
    def llm(self) -> LLM: ...

    def will_say(self, text: str, *, usage: Usage | None = None, cut_short: bool = False) -> None:
        """Next: a good answer; without `usage` the other side counts nothing."""
        ...

    def will_break_off_after(self, text: str) -> None:
        """Next: the connection breaks after this much."""
        ...

    def will_refuse_the_key(self) -> None: ...

    def asked(self) -> Sequence[Sequence[tuple[str, str]]]:
        """Role and content of the messages of each request so far."""
        ...


async def hear(llm: LLM, request: ChatRequest = REQUEST) -> tuple[list[str], Finished]:
    """The texts of the deltas and the event that ended the answer."""
    said: list[str] = []
    finished: list[Finished] = []
    async with aclosing(llm.stream(request)) as answer:
        async for event in answer:
            assert not finished, "something came after Finished"
            match event:
                case Delta(text=text):
                    said.append(text)
                case Finished():
                    finished.append(event)
                case Thought():
                    pass
    assert len(finished) == 1
    return said, finished[0]


class LlmContract:
    """Subclass it and give a `stage` fixture."""

    async def test_the_deltas_joined_are_the_answer_and_none_is_empty(self, stage: Stage) -> None:
        stage.will_say(ANSWER)
        said, finished = await hear(stage.llm)
        assert "".join(said) == ANSWER
        assert len(said) > 1
        assert all(said)
        assert finished.model
        assert not finished.cut_short

    async def test_messages_arrive_in_their_order_with_their_roles(self, stage: Stage) -> None:
        stage.will_say(ANSWER)
        await hear(stage.llm)
        assert list(stage.asked()[-1]) == [(str(m.role), m.content) for m in REQUEST.messages]

    async def test_the_providers_count_is_passed_on(self, stage: Stage) -> None:
        stage.will_say(ANSWER, usage=Usage(tokens_in=31, tokens_out=11))
        _, finished = await hear(stage.llm)
        assert finished.usage == Usage(tokens_in=31, tokens_out=11)

    async def test_a_missing_count_is_estimated_and_says_so(self, stage: Stage) -> None:
        stage.will_say(ANSWER)
        _, finished = await hear(stage.llm)
        assert finished.usage.estimated
        assert finished.usage.tokens_in > 10
        assert finished.usage.tokens_out > 5

    async def test_the_length_limit_is_told(self, stage: Stage) -> None:
        stage.will_say(ANSWER, cut_short=True)
        _, finished = await hear(stage.llm)
        assert finished.cut_short

    async def test_an_answer_without_a_word_is_a_failure(self, stage: Stage) -> None:
        stage.will_say("", usage=Usage(tokens_in=31, tokens_out=9000))
        events: list[object] = []

        async def listen() -> None:
            async with aclosing(stage.llm.stream(REQUEST)) as answer:
                async for event in answer:
                    events.append(event)  # noqa: PERF401 - what came before the failure is to be seen

        with pytest.raises(ModelEmpty):
            await listen()
        (finished,) = events
        assert isinstance(finished, Finished)
        assert finished.usage == Usage(tokens_in=31, tokens_out=9000), "it is paid for all the same"

    async def test_what_was_said_before_a_break_is_kept_and_the_break_is_told(self, stage: Stage) -> None:
        stage.will_break_off_after("I was just ")
        said: list[str] = []

        async def listen() -> None:
            async for event in stage.llm.stream(REQUEST):
                assert isinstance(event, Delta)
                said.append(event.text)

        with pytest.raises(ModelCut) as caught:
            await listen()
        assert "".join(said) == "I was just "
        assert caught.value.do

    async def test_a_refused_key_is_told_and_nothing_is_said(self, stage: Stage) -> None:
        stage.will_refuse_the_key()
        with pytest.raises(ModelRefusedKey):
            await hear(stage.llm)
        assert len(stage.asked()) == 1

    async def test_the_next_request_works_after_a_failure(self, stage: Stage) -> None:
        stage.will_refuse_the_key()
        stage.will_say(ANSWER)
        with pytest.raises(ModelRefusedKey):
            await hear(stage.llm)
        said, _ = await hear(stage.llm)
        assert "".join(said) == ANSWER

    async def test_an_answer_can_be_left_in_the_middle(self, stage: Stage) -> None:
        stage.will_say(ANSWER)
        stage.will_say("And again.")
        async with aclosing(stage.llm.stream(REQUEST)) as answer:
            assert isinstance(await anext(answer), Delta)
        said, _ = await hear(stage.llm)
        assert "".join(said) == "And again."

    async def test_each_role_has_a_name(self, stage: Stage) -> None:
        assert all(stage.llm.name(role) for role in Role)
