"""What of the embedder goes over the wire."""

from echovessel.api.dto.embedder import IndexedView
from echovessel.ports.reindexing import Indexed


def test_everything_found_is_shown() -> None:
    found = Indexed(
        embedder="m-3@1", dimension=3, calibrated=True, measuring=False, embedded=2, waiting=1, others={"old@1": 9}
    )

    assert IndexedView.of(found).model_dump() == {
        "embedder": "m-3@1",
        "dimension": 3,
        "calibrated": True,
        "measuring": False,
        "embedded": 2,
        "waiting": 1,
        "others": {"old@1": 9},
    }
