"""The worker from outside: it comes up behind a key, fails with a reason, and is gone when it is ended."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from echovessel.adapters.llm.gguf.engine import Engine, Job, memory_needed, processors, threads
from echovessel.adapters.llm.gguf.file import look_at
from echovessel.core.errors import ModelCut, ModelDown, ModelFileUnusable
from tests.support.gguf import BRINGS_THE_ENGINE_DOWN, gguf, smollm2

Start = Callable[[Path], Engine]


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[Engine] = []

    def begin(path: Path) -> Engine:
        job = Job(file=str(path), name="it", context_tokens=256, threads=1, key="the key", needed=1)
        started.append(Engine(look_at(str(path)), job))
        return started[-1]

    yield begin
    for engine in started:
        engine.kill()
        engine.reap()


def _models(url: str, key: str) -> object:
    request = urllib.request.Request(f"{url}/v1/models", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request) as answer:
        return [model["id"] for model in json.load(answer)["data"]]


def test_it_serves_whoever_has_the_key_and_ends_when_told(start: Start) -> None:
    engine = start(smollm2())
    url = engine.url()

    assert _models(url, "the key") == ["it"]
    with pytest.raises(urllib.error.HTTPError, match="401"):
        _models(url, "another key")
    assert not engine.ended

    worker = psutil.Process(engine._process.pid)
    engine.kill()
    engine.reap()
    assert engine.ended
    assert not worker.is_running()


def _asked(url: str, **body: object) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode())
    request.add_header("Authorization", "Bearer the key")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_the_files_own_template_words_the_prompt_and_its_own_mark_ends_the_answer(start: Start, tmp_path: Path) -> None:
    usual = b"You are a helpful AI assistant named SmolLM, trained by Hugging Face"
    whole = smollm2().read_bytes()
    assert whole.count(usual) == 1
    file = tmp_path / "own.gguf"
    file.write_bytes(whole.replace(usual, b"Say one word.".ljust(len(usual))))
    url, talk = start(file).url(), [{"role": "user", "content": "Say hello."}]

    prompt = _asked(f"{url}/apply-template", messages=talk)["prompt"]
    answer = _asked(f"{url}/v1/chat/completions", messages=talk, temperature=0, max_tokens=80)

    assert prompt.startswith("<|im_start|>system\nSay one word.")
    assert prompt.endswith("<|im_start|>user\nSay hello.<|im_end|>\n<|im_start|>assistant\n")
    tokens = _asked(f"{url}/tokenize", content=prompt, parse_special=True)["tokens"]
    assert answer["usage"]["prompt_tokens"] == len(tokens), "the talk is worded by the same template"
    (choice,) = answer["choices"]
    assert (choice["finish_reason"], answer["usage"]["completion_tokens"] < 80) == ("stop", True)
    assert choice["message"]["content"].strip()
    assert "<|im" not in choice["message"]["content"]


def _fails(engine: Engine) -> ModelDown:
    with pytest.raises(ModelDown) as caught:
        engine.url()
    assert engine.ended
    assert type(caught.value) is ModelFileUnusable
    return caught.value


def test_a_file_that_brings_the_engine_down_brings_nothing_else_down(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "bad.gguf"
    file.write_bytes(gguf(BRINGS_THE_ENGINE_DOWN))
    assert "crashed when it loaded bad.gguf (SIGABRT)" in _fails(start(file)).message


def test_the_engines_reason_is_told(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "odd.gguf"
    file.write_bytes(gguf({"general.architecture": "starship", "starship.context_length": 512}))
    assert "a kind (starship)" in _fails(start(file)).message
    file.write_bytes(gguf({"general.architecture": "llama"}))
    assert "could not load odd.gguf: key not found in model" in _fails(start(file)).message
    with smollm2().open("rb") as whole:
        file.write_bytes(whole.read(4 << 20))
    assert "odd.gguf is cut short" in _fails(start(file)).message


def test_ending_it_while_it_loads_is_heard_by_who_waits(start: Start) -> None:
    engine = start(smollm2())
    heard: list[ModelDown] = []

    def wait() -> None:
        try:
            engine.url()
        except ModelDown as down:
            heard.append(down)

    waiting = threading.Thread(target=wait)
    waiting.start()
    engine.kill()
    waiting.join(30)
    assert not waiting.is_alive()
    assert [type(down) for down in heard] == [ModelCut]


def test_half_of_the_processors_think() -> None:
    assert [threads(count) for count in (1, 2, 3, 4, 8, 16)] == [1, 1, 1, 2, 4, 8]
    assert processors() >= 1


def test_memory_is_for_the_model_its_context_and_the_engine() -> None:
    file = look_at(str(smollm2()))
    assert memory_needed(file, 1000) - memory_needed(file, 0) == 1000 * file.bytes_a_token
    assert file.size < memory_needed(file, 0) < file.size + (256 << 20)
