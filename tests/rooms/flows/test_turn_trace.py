import json

from echovessel.core.ids import MessageId
from echovessel.flows import turn_trace
from echovessel.flows.care import CareVerdict
from echovessel.flows.remember import Remembered
from echovessel.memory.knowing import Verdict
from echovessel.memory.recall import TraceRow
from echovessel.testing.world import World


def test_the_trace_tells_why_and_never_what(vessel: World) -> None:
    vessel.model_says("好。")
    vessel.hears("我把钥匙藏在花盆底下")
    vessel.rests()
    vessel.without_model()
    receipt = vessel.hears("钥匙藏哪了")
    text = vessel.run(vessel.vessel.deps.store.trace(vessel.pair.user_id, receipt.turn_id))
    assert text is not None
    assert "花盆" not in text
    trace = json.loads(text)
    kept = [row for row in trace["recalled"] if row["kept"]]
    first = vessel.timeline[0]
    assert first.id in {row["message_id"] for row in kept}
    assert all(row["why"] and row["arm"] for row in trace["recalled"])
    assert (trace["crisis"], trace["lost"]) == (False, [])


def test_the_trace_of_a_prompt_counts_its_sections(vessel: World) -> None:
    vessel.model_says("好。")
    receipt = vessel.hears("你好")
    trace = json.loads(vessel.run(vessel.vessel.deps.store.trace(vessel.pair.user_id, receipt.turn_id)) or "{}")
    assert trace["prompt"] == "reply@1"
    assert 0 < sum(trace["sections"].values()) <= trace["tokens"]


def test_the_trace_stays_short_however_much_was_weighed() -> None:
    factors = {"score": 0.123456, "keyword": 0.0, "vector": 0.98765, "neighbours": 0.0001}
    kept = {2, 40, 63}
    rows = tuple(
        TraceRow(MessageId(f"{n:026d}"), "vector", factors, n in kept, "kept" if n in kept else "no room")
        for n in range(64)
    )

    knowing = Verdict(True, 0.98765, {"personal": 7.123456, "doubt": -11.0})
    remembered = Remembered(passages=(), knowing=knowing, trace=rows, lost=())
    text = turn_trace.write(remembered, CareVerdict(crisis=False, asks_if_ai=False))

    trace = json.loads(text)
    told = [int(row["message_id"]) for row in trace["recalled"]]
    assert told == [*range(11), 40, 63]
    assert trace["candidates"] == 64
    assert trace["knowing"] == {"comes": True, "certainty": 0.988, "evidence": {"personal": 7.12, "doubt": -11.0}}
    assert trace["recalled"][0]["factors"] == {"score": 0.123, "vector": 0.988}
    assert len(text) < 2500
