import asyncio
from collections.abc import AsyncGenerator

import pytest

from echovessel.adapters.llm import deadlines
from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.deadlines import Deadlines, in_time
from echovessel.adapters.llm.piece import Piece
from echovessel.core.errors import ModelTimeout
from tests.support.settings import llm_settings

ADDRESS = Address.parse("http://localhost:1234/v1")
SHORT = Deadlines(first_s=0.2, idle_s=0.2, whole_s=1)
QUIET = Piece(model="m")
WORD = Piece(speech="word ")


async def _heard(*script: Piece | float) -> list[Piece]:
    """Run the script (a float waits that many seconds) against short deadlines."""

    async def pieces() -> AsyncGenerator[Piece, None]:
        for step in script:
            if isinstance(step, Piece):
                yield step
            else:
                await asyncio.sleep(step)

    return [piece async for piece in in_time(pieces(), SHORT, ADDRESS)]


async def test_words_that_keep_coming_may_take_long_together() -> None:
    assert len(await _heard(*[WORD, 0.1] * 4)) == 4


async def test_silence_before_the_first_word_is_a_timeout_that_names_its_setting() -> None:
    with pytest.raises(ModelTimeout) as caught:
        await _heard(5.0, WORD)
    assert "first_token_timeout_s" in caught.value.do


async def test_pieces_without_words_do_not_extend_the_wait() -> None:
    with pytest.raises(ModelTimeout):
        await _heard(*[QUIET, 0.05] * 20)


async def test_reading_a_long_question_may_take_long_but_not_for_ever() -> None:
    read = Piece(reading=True)
    assert len(await _heard(*[read, 0.1] * 4, WORD)) == 5
    with pytest.raises(ModelTimeout) as caught:
        await _heard(read, 5.0)
    assert "first_token_timeout_s" in caught.value.do
    with pytest.raises(ModelTimeout) as caught:
        await _heard(*[read, 0.1] * 50)
    assert "reply_timeout_s" in caught.value.do


async def test_silence_in_the_middle_is_a_timeout_that_names_its_setting() -> None:
    with pytest.raises(ModelTimeout) as caught:
        await _heard(WORD, 5.0)
    assert "idle_timeout_s" in caught.value.do


@pytest.mark.parametrize("piece", [WORD, Piece(thought="hm")], ids=["words", "thoughts"])
async def test_an_answer_without_end_is_a_timeout_that_names_its_setting(piece: Piece) -> None:
    with pytest.raises(ModelTimeout) as caught:
        await _heard(*[piece, 0.1] * 50)
    assert "reply_timeout_s" in caught.value.do


async def test_thinking_aloud_is_no_silence() -> None:
    assert len(await _heard(*[Piece(thought="hm"), 0.1] * 4, WORD)) == 5


async def test_after_the_finish_reason_a_missing_end_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "AFTER_FINISH_S", 0.05)
    assert len(await _heard(WORD, Piece(finish="stop"), 5.0)) == 2


async def test_a_slow_listener_does_not_use_up_the_models_time() -> None:
    async def pieces() -> AsyncGenerator[Piece, None]:
        yield WORD
        yield WORD

    heard = 0
    async for _ in in_time(pieces(), SHORT, ADDRESS):
        heard += 1
        await asyncio.sleep(0.3)
    assert heard == 2


def test_the_settings_give_the_deadlines_and_connecting_is_bounded() -> None:
    patient = Deadlines.of(llm_settings(first_token_timeout_s=120, idle_timeout_s=30, reply_timeout_s=900))
    assert (patient.first_s, patient.idle_s, patient.whole_s) == (120, 30, 900)
    assert patient.connect_s == deadlines.LONGEST_CONNECT_S
    assert Deadlines.of(llm_settings(first_token_timeout_s=3)).connect_s == 3
