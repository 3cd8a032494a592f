"""What was freed is given back; measured from outside, in a process of its own."""

import subprocess
import sys

import pytest

GROW_AND_SHRINK = """
import resource, sys
from concurrent.futures import ThreadPoolExecutor
from echovessel.adapters.allocator import give_back, share_arenas

def resident():
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * resource.getpagesize() // 2**20

def churn(_):
    held = [bytes(3000) for _ in range(8000)]
    kept = held[::400]
    del held
    return kept

share_arenas()
before = resident()
with ThreadPoolExecutor(8) as pool:
    kept = list(pool.map(churn, range(8)))
grown = resident()
give_back()
print(grown - before, resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_memory_that_threads_freed_goes_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", GROW_AND_SHRINK], capture_output=True, text=True, check=True)
    grown, kept = map(int, done.stdout.split())

    assert grown > 20
    assert kept < grown / 2
