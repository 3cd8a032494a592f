"""Make the home that `revision-….xz` holds, with the program whose schema it is to show.

    python -m tests.houses.build FOLDER

was run in a clone at the last commit with schema 0001. The home in FOLDER was then packed by `pack`, beside the portrait that
the program of then drew of it. What happens in it is told by `lives`: two personas, in Chinese and English, with everything
that people do to a talk. It is not run by the tests: a newer program would make a newer home.
"""

import json
import lzma
import sys
from pathlib import Path

from echovessel.core.errors import ModelCut, ModelUnreachable
from echovessel.core.ids import PersonaId
from echovessel.core.pair import Pair
from echovessel.core.talk import MessageState
from echovessel.flows.ingest import FlowIngest
from echovessel.ports.front import NewPersona
from echovessel.testing.world import World
from tests.houses.portrait import portrait

SETTINGS = """\
# kept through every upgrade: the owner's own words
[llm]
base_url = "http://127.0.0.1:9/v1"  # nothing listens there
model = "luna-7b"
price_in = 2.5
price_out = 10
daily_cost_cap = 3

[turn]
debounce_s = 1.5

[prompt]
token_budget = 5000
"""
HISTORY = [
    {"turn_id": "1", "speaker": "user", "at": "2025-11-02T20:15:00+08:00", "text": "我把阳台那盆龟背竹救活了"},
    {"turn_id": "2", "speaker": "persona", "at": "2025-11-02T20:16:00+08:00", "text": "太好了，它撑过来了。"},
]


def lives(vessel: World) -> None:
    """A few days of talk in both languages."""
    _speaks_chinese(vessel)
    english = vessel.run(
        vessel.vessel.library.create(
            NewPersona(
                name="Keeper of the light", locale="en", about="Minds a lighthouse.", greetings=("You're late again.",)
            )
        )
    )
    chinese, vessel.pair = vessel.pair, Pair(vessel.pair.user_id, PersonaId(english.id))
    vessel.run(vessel.vessel.library.begin(vessel.pair, english.id, "page", "Asia/Shanghai"))
    _speaks_english(vessel)
    vessel.rests()
    vessel.pair = chinese
    vessel.sends("这句还没有等到回答")  # an open turn: whoever opens the home answers it


def _speaks_chinese(vessel: World) -> None:
    vessel.run(_imports(vessel))
    vessel.model_says("记住了，三月十五号。")
    vessel.hears("我三月十五号搬家，搬到苏州河边")
    vessel.passes(3600)

    vessel.model_says("第一种说法")
    vessel.hears("晚安")
    vessel.model_says("第二种说法")
    vessel.regenerates(vessel.last.id)
    first = vessel.last.variants[0].id
    vessel.run(vessel.vessel.curation.choose_variant(vessel.pair.user_id, vessel.last.id, first))

    vessel.model_says("好，周五。")
    edited = vessel.hears("周五见")
    vessel.run(vessel.vessel.curation.edit(vessel.pair.user_id, edited.message_id, "周六见"))

    vessel.model_says("嗯。")
    deleted = vessel.hears("这句话请忘掉：紫藤七号")
    vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, deleted.message_id))

    vessel.model_fails(ModelUnreachable("没有人应答。", do="启动它。"))
    vessel.hears("你还在吗")
    vessel.model_says("从前有座山，", then=ModelCut("断了。", do="再试一次。"))
    vessel.hears("讲个故事")
    vessel.run(
        vessel.vessel.library.edit_block(
            vessel.pair, "user", "他住在苏州河边。", base_revision=0, by=vessel.pair.user_id
        )
    )
    vessel.run(
        vessel.vessel.library.edit_block(vessel.pair, "user", "他三月搬家。", base_revision=1, by=vessel.pair.user_id)
    )


def _speaks_english(vessel: World) -> None:
    vessel.passes(86_400)
    vessel.model_says("Noted: the ferry leaves at six.")
    vessel.hears("The ferry to the island leaves at six on Sundays.", client_id="letter-1")
    hold = vessel.model_says("Once upon a time there was a lamp", hold_after=3)
    stopped = vessel.sends("Tell me a story")
    vessel.waits_for(hold)
    vessel.run(vessel.vessel.front.stop(vessel.pair.user_id, stopped.turn_id))
    vessel.answers(stopped.turn_id)
    assert vessel.last.state is MessageState.PARTIAL
    vessel.without_model()
    vessel.hears("When does the ferry leave?")
    vessel.model.connected = True
    vessel.model_says("I am here, and so is help.")
    vessel.hears("I want to kill myself")


async def _imports(vessel: World) -> None:
    async def lines():
        yield json.dumps({"conv_id": "old", "sessions": [{"turns": HISTORY}]}, ensure_ascii=False)

    report = await FlowIngest(vessel.vessel.deps)(vessel.pair, lines, me=None, dry_run=False)
    assert report.added == len(HISTORY), report


def pack(folder: Path, to: Path, drawn: dict[str, object]) -> None:
    """Compress the database of the home in `folder` and keep the portrait and the settings beside it."""
    to.mkdir(parents=True, exist_ok=True)
    (to / "memory.db.xz").write_bytes(lzma.compress((folder / "home" / "memory.db").read_bytes(), preset=9))
    (to / "config.toml").write_bytes((folder / "home" / "config.toml").read_bytes())
    (to / "portrait.json").write_text(json.dumps(drawn, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main(folder: Path) -> None:
    """Build it, draw it, pack it."""
    new = NewPersona(name="小满", locale="zh", about="修伞的人。", style="话不多。")
    (folder / "home").mkdir(mode=0o700)
    (folder / "home" / "config.toml").write_text(SETTINGS, encoding="utf-8")
    with World(folder, persona=new, user_name="阿凝") as vessel:
        lives(vessel)
        drawn = vessel.run(portrait(vessel.vessel.deps.store, vessel.pair.user_id, "hash-256@1"))
        revision = vessel.run(vessel.vessel.deps.store.health()).revision
    pack(folder, folder / f"revision-{revision}", drawn)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
