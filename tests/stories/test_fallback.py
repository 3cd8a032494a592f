"""The model is down, and another one speaks: real endpoints on this machine, in Chinese and in English."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from echovessel.testing.model_scripts import cuts_after, fails, hangs, says
from echovessel.testing.model_server import ModelServer, refused_address
from echovessel.testing.world import World

TALK = {"zh": ("晚上好，在吗？", "我在呢。"), "en": ("Good evening, are you there?", "I am here.")}


@dataclass(frozen=True)
class House:
    """A vessel whose first model is at `first`; `spare` is the one to fall back to."""

    vessel: World
    first: ModelServer
    spare: ModelServer


def settings_for(first: str, spare: str, **more: object) -> str:
    lines = [f"{key} = {json.dumps(value)}" for key, value in more.items()]
    return "\n".join(
        [
            "[llm]",
            f'base_url = "{first}"',
            'model = "first-70b"',
            "retries = 0",
            "first_token_timeout_s = 0.4",
            'fallback = ["spare"]',
            *lines,
            "[profiles.spare]",
            f'base_url = "{spare}"',
            'model = "spare-1b"',
            "retries = 0",
        ]
    )


@contextmanager
def living(folder: Path, locale: str, **more: object) -> Iterator[House]:
    with ModelServer() as first, ModelServer() as spare:
        text = settings_for(first.base_url, spare.base_url, **more)
        with World(folder, locale=locale, settings=text) as vessel:
            yield House(vessel, first, spare)


def tried(vessel: World) -> list[tuple[str, str]]:
    turn_id = vessel.last.turn_id
    assert turn_id is not None
    trace: dict[str, Any] = json.loads(vessel.run(vessel.vessel.deps.store.trace(vessel.pair.user_id, turn_id)) or "{}")
    return [(one["profile"], one["outcome"]) for one in trace["tried"]]


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize(
    ("failing", "code"),
    [
        (fails(401, "Incorrect API key provided"), "model-refused-key"),
        (fails(500, "out of memory"), "model-failed"),
        (fails(404, "no such model"), "model-rejected"),
        (says("", usage=None), "model-empty"),
        (hangs(), "model-timeout"),
    ],
    ids=["key", "server error", "unknown model", "no word", "silence"],
)
def test_another_model_answers_in_its_place(tmp_path: Path, locale: str, failing: Any, code: str) -> None:
    asked, answer = TALK[locale]
    with living(tmp_path, locale) as house:
        house.first.will(failing)
        house.spare.will(says(answer))
        house.vessel.hears(asked)

        assert house.vessel.said == [asked, answer]
        assert house.vessel.last.made_by == "reply@1 spare-1b"
        assert tried(house.vessel) == [("", code), ("spare", "ok")]


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_nobody_listens_at_the_first_address(tmp_path: Path, locale: str) -> None:
    asked, answer = TALK[locale]
    held, nowhere = refused_address()
    with (
        held,
        ModelServer() as spare,
        World(tmp_path, locale=locale, settings=settings_for(nowhere, spare.base_url)) as vessel,
    ):
        spare.will(says(answer), says(answer))
        vessel.hears(asked)
        vessel.hears(asked)
        assert vessel.reply == answer
        assert tried(vessel) == [("spare", "ok")], "who was not there is asked last for a while"


def test_what_died_after_its_first_word_is_not_answered_by_another(tmp_path: Path) -> None:
    with living(tmp_path, "zh") as house:
        house.first.will(cuts_after("从前有座山"))
        house.vessel.hears("讲个故事")

        assert house.vessel.reply == "从前有座山"
        assert house.vessel.last.trouble is not None
        assert house.vessel.last.trouble.code == "model-cut"
        assert not house.spare.chats


def test_a_silent_model_costs_its_wait_once_and_not_with_every_message(tmp_path: Path) -> None:
    with living(tmp_path, "en") as house:
        house.first.will(hangs(), says("I am back."))
        house.spare.will(*(says(f"Answer {n}.") for n in range(3)))
        house.vessel.hears("One")
        house.vessel.hears("Two")
        house.vessel.hears("Three")

        assert len(house.first.chats) == 1
        house.vessel.passes(61)
        house.vessel.hears("Four")
        assert house.vessel.reply == "I am back."


def test_when_none_answers_the_keeper_says_so_and_the_next_message_works(tmp_path: Path) -> None:
    with living(tmp_path, "zh") as house:
        house.first.will(fails(401, "no"))
        house.spare.will(fails(500, "no"))
        house.vessel.hears("在吗？")
        trouble = house.vessel.last.trouble
        assert trouble is not None
        assert trouble.code == "model-refused-key"
        assert "The other models failed too: spare (model-failed)." in trouble.message
        assert trouble.aside

        house.first.will(says("在。"))
        house.vessel.hears("现在呢？")
        assert house.vessel.reply == "在。"


def test_a_profile_speaks_in_the_place_of_the_section(tmp_path: Path) -> None:
    with ModelServer() as first, ModelServer() as spare:
        text = settings_for(first.base_url, spare.base_url).replace('fallback = ["spare"]', 'profile = "spare"')
        with World(tmp_path, settings=text) as vessel:
            spare.will(says("我在。"))
            vessel.hears("在吗？")
            assert vessel.last.made_by == "reply@1 spare-1b"
            assert not first.chats

            spare.will(fails(401, "no"))
            vessel.hears("还在吗？")
            trouble = vessel.last.trouble
            assert trouble is not None
            assert "profiles.spare.api_key" in trouble.do, "the remedy names the settings of that profile"
