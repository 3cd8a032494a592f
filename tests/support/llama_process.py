"""A real model in a process of its own, as a user runs one beside EchoVessel: llama.cpp's server, through xllamacpp.

    python tests/support/llama_process.py MODEL.gguf

prints its address when it can be asked, at /v1/chat/completions and at /v1/messages, and ends with its stdin.
"""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

CONTEXT_TOKENS = 4096


@contextmanager
def llama_process(model: Path) -> Generator[str]:
    """Its address, without a path, for as long as the block runs."""
    command = [sys.executable, __file__, str(model)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        address = process.stdout.readline().decode().strip()
        assert address.startswith("http://"), f"the model's server ended with {process.wait()}"
        try:
            yield address
        finally:
            process.kill()


def main(model: str) -> None:
    """Serve the model on a free port of this machine. One thread: several wait for each other when the machine is busy."""
    xllamacpp: Any = import_module("xllamacpp")  # ships no types
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {"smollm2"}
    params.n_ctx = CONTEXT_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.sampling.ignore_eos = True  # each answer is as long as it may be: how long does not hang on its words
    params.verbosity = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
