"""The process that runs one model file. It is started as a script, by its path, and imports nothing of ours.

A line of JSON comes in on stdin: the job. A line of JSON goes out on stdout: `url`, where the model now answers on loopback to
whoever shows the job's key; or `failed`, why it does not. It ends when stdin does: with the process that started it.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

NICENESS = 5
"""The one who talks goes before the one who thinks: the page, the store and the embedder get the processor first."""
PROMPT_CACHE_MIB = 512
"""Memory for what was read of conversations that are not the present one."""
BATCH_TOKENS = 256
"""How much of a prompt a processor reads at once: after each such piece there is a sign of life, and it can be stopped."""
BATCH_TOKENS_GPU = 512


def main() -> None:
    """Load the model and serve it until nobody wants it any more."""
    say, job = _private_stdout(), json.loads(sys.stdin.readline())
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        import xllamacpp
    except ModuleNotFoundError:
        say({"failed": "no engine"})
        return
    except ImportError as cause:
        say({"failed": "engine broken", "words": str(cause)})
        return
    library: Any = xllamacpp
    devices = library.get_device_info()
    on_gpu = any("GPU" in str(device["type"]) for device in devices)
    available = available_memory() or sum(device["memory_total"] for device in devices)
    if available < job["needed"] and not on_gpu:
        say({"failed": "too large", "available": available})
        return
    try:
        server = library.Server(_parameters(library.CommonParams(), job, on_gpu=on_gpu))
    except RuntimeError:
        say({"failed": "will not load"})
        return
    _be_quiet()
    try:
        say({"url": server.listening_address})
        sys.stdin.read()
    finally:  # whoever started it may be gone already; and nothing is worth waiting for, least of all the end of an answer
        os._exit(0)


def available_memory(told: Path = Path("/proc/meminfo")) -> int | None:
    """Bytes that programs could take now, with what is only a copy of the disk; None where the system does not say it so."""
    try:
        lines = told.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _private_stdout() -> Any:
    """A way to say a line; whatever else is written to stdout goes where the engine's log goes."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(message: dict[str, object]) -> None:
        print(json.dumps(message), file=out, flush=True)

    return say


def _be_quiet() -> None:
    """From here on, what the engine has to say could quote what was said to it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _parameters(params: Any, job: dict[str, Any], *, on_gpu: bool) -> Any:
    """One conversation at a time, on loopback, behind a key, with no page and nothing that tells of others' prompts."""
    params.model.path = job["file"]
    params.model_alias = {job["name"]}
    params.n_ctx = job["context_tokens"]
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = BATCH_TOKENS_GPU if on_gpu else BATCH_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = job["threads"]
    params.cache_ram_mib = PROMPT_CACHE_MIB
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [job["key"]]
    params.cors_origins = ""
    params.n_threads_http = 2
    params.ui = params.endpoint_slots = params.endpoint_metrics = False
    params.offline = True
    params.verbosity = 1  # errors alone
    if job["embeds"]:
        _for_embeddings(params, pools_itself=job["pools_itself"])
    return params


def _for_embeddings(params: Any, *, pools_itself: bool) -> None:
    """Vectors instead of words: a text is read whole; where the file does not say how it becomes one vector, by the mean."""
    import xllamacpp

    library: Any = xllamacpp
    params.embedding = True
    params.n_batch = params.n_ubatch = params.n_ctx
    if not pools_itself:
        params.pooling_type = library.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN


if __name__ == "__main__":
    main()
