"""Measured from outside, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

READ_AND_LET_GO = """
import mmap, resource, sys
from pathlib import Path
from echovessel.adapters.mapped_files import let_go

def resident():
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * resource.getpagesize() // 2**20

def read(mapped):
    return sum(mapped[at] for at in range(0, len(mapped), 4096))

def mapped(name, access):
    with open(name, "r+b") as file:
        return mmap.mmap(file.fileno(), 0, access=access)

only_read = mapped(sys.argv[1], mmap.ACCESS_READ)
written = mapped(sys.argv[2], mmap.ACCESS_COPY)
written[0] = 7
before = resident()
told = read(only_read)
grown = resident() - before
let_go()
print(grown, resident() - before, read(only_read) == told, written[0])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems let go by themselves")
def test_pages_that_were_read_go_and_come_back_and_what_was_written_stays(tmp_path: Path) -> None:
    for name in ("weights", "written"):
        (tmp_path / name).write_bytes(bytes(range(256)) * 4096 * 32)
    done = subprocess.run(
        [sys.executable, "-c", READ_AND_LET_GO, str(tmp_path / "weights"), str(tmp_path / "written")],
        capture_output=True,
        text=True,
        check=True,
    )
    grown, kept, same, written = done.stdout.split()

    assert int(grown) >= 30
    assert int(kept) <= 2
    assert (same, written) == ("True", "7")
