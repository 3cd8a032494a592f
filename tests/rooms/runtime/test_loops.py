from pathlib import Path

import pytest

from echovessel.core.errors import EmbedderDown
from echovessel.core.pair import Pair
from echovessel.core.talk import MessageState
from echovessel.flows import turn
from echovessel.ports.embedder import Kind, Vectors
from echovessel.ports.front import Incoming, NewPersona
from echovessel.ports.records import JobState
from echovessel.runtime.loops import EMBEDDER_RETRY_S
from echovessel.testing.hash_embedder import HashEmbedder
from echovessel.testing.world import World


def test_a_defect_ends_its_turn_visibly_and_the_next_message_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with World(tmp_path) as vessel:
        with monkeypatch.context() as broken:
            broken.setattr(turn.render, "reply", lambda *_: 1 / 0)
            vessel.hears("你好")
        assert (vessel.last.state, vessel.last.trouble and vessel.last.trouble.code) == (MessageState.FAILED, "defect")
        vessel.model_says("好了。")
        vessel.hears("现在呢？")
        assert vessel.reply == "好了。"


def test_a_slow_reply_to_one_persona_does_not_hold_up_another(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        other = vessel.run(vessel.vessel.library.create(NewPersona(name="另一个", locale="zh")))
        hold = vessel.model_says("慢慢说", hold_after=0)
        vessel.model_says("快快说")
        vessel.sends("在吗")
        vessel.waits_for(hold)
        pair = Pair(vessel.pair.user_id, other.id)
        receipt = vessel.run(
            vessel.vessel.front.hear(
                Incoming(pair=pair, channel="page", conversation=other.id, text="在吗", zone="Asia/Shanghai")
            )
        )
        vessel.answers(receipt.turn_id)
        hold.release()


class Recovering(HashEmbedder):
    """Down at first."""

    down = True

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:
        if self.down:
            raise EmbedderDown("Not now.", do="Wait.")
        return await super().embed(texts, kind)


def test_an_embedder_that_comes_back_catches_up(tmp_path: Path) -> None:
    embedder = Recovering()
    with World(tmp_path, embedder=embedder) as vessel:
        vessel.model_says("好。")
        vessel.hears("你好")
        embedder.down = False
        vessel.passes(EMBEDDER_RETRY_S)
        vessel.rests()
        assert vessel.run(vessel.vessel.deps.store.embedders()) == {embedder.name: 2}


def test_a_deletion_leaves_a_job_that_is_done(tmp_path: Path) -> None:
    with World(tmp_path) as vessel:
        receipt = vessel.sends("忘了它")
        vessel.run(vessel.vessel.curation.delete(vessel.pair.user_id, receipt.message_id))
        vessel.rests()
        (job,) = vessel.run(vessel.vessel.deps.store.jobs())
        assert (job.kind, job.state, job.last_error) == ("scrub", JobState.DONE, "")
