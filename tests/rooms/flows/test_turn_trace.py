import json

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
