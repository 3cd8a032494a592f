from echovessel.flows import tidying
from echovessel.flows.tidying import TRACES_LAST
from echovessel.runtime.loops import TIDY_EVERY_S
from echovessel.testing.world import World


def test_after_a_season_nobody_can_look_up_why_something_was_said(vessel: World) -> None:
    store, user_id = vessel.vessel.deps.store, vessel.pair.user_id
    vessel.model_says("好。")
    turn_id = vessel.hears("你好").turn_id
    vessel.run(tidying.tidy(vessel.vessel.deps))
    assert vessel.run(store.trace(user_id, turn_id)) is not None

    vessel.passes(TRACES_LAST.total_seconds() + TIDY_EVERY_S)
    vessel.run(tidying.tidy(vessel.vessel.deps))

    assert vessel.run(store.trace(user_id, turn_id)) is None
    assert vessel.said[-2:] == ["你好", "好。"]
