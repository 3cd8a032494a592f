"""Collection rests while the program is loaded, and goes on afterwards."""

import gc

from echovessel.runtime import loading


def test_collection_rests_and_goes_on() -> None:
    try:
        loading.begin()
        assert not gc.isenabled()

        loading.end()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.enable()
