"""The doctor asks every model that the settings name, and looks for those that could be connected."""

import json
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from echovessel.ports.front import Check, Verdict
from echovessel.testing import model_scripts as model
from echovessel.testing.model_server import ModelServer, Script
from tests.support.daemon import Daemon
from tests.support.gguf import smollm2
from tests.support.llama_process import CONTEXT_TOKENS, llama_process
from tests.support.nearby import OLLAMA, serving
from tests.support.patient import Patient

BROKEN, NOTE, OK = Verdict.BROKEN, Verdict.NOTE, Verdict.OK


def _connects(patient: Patient, check: Check) -> None:
    """Type the command that the doctor offers."""
    command = check.do.partition("`")[2].partition("`")[0].split()
    assert patient.types(*command[1:]).status == 0


def test_a_real_llama_cpp_is_found_connected_and_measured(patient: Patient) -> None:
    with llama_process(smollm2()) as address:
        patient.settings(nearby__ports=urlsplit(address).port)
        _connects(patient, patient.has("model", NOTE, "Found: llama.cpp with smollm2.", "--model smollm2"))

        told = patient.has("model", NOTE, "smollm2 answered after", f"-c {6000 + 800}")
    assert f"It holds {CONTEXT_TOKENS} tokens; prompt and reply may take 6800." in told.found
    assert "set prompt.token_budget to 3296 at most" in told.do


def test_no_model_but_one_nearby_and_the_command_that_connects_it(patient: Patient) -> None:
    with serving(OLLAMA) as ollama:
        patient.settings(nearby__ports=ollama.port)
        check = patient.has("model", NOTE, "Found: Ollama with qwen3:8b", "echovessel init --model-url")

        _connects(patient, check)
        assert patient.is_examined()["model"].found.endswith(f"no chat at {ollama.root}/v1.")


@dataclass(frozen=True)
class Fault:
    """One connection that is wrong: what its server does, its settings beside those of a good one, and what is to be read."""

    script: Script
    found: str
    do: str
    wrong: dict[str, object] = field(default_factory=dict[str, object])


FAULTS = {
    "refused": Fault(model.fails(401), "refused the key (401)", "Check the key"),
    "unknown": Fault(
        model.fails(404, "model 'x' not found"), "has no model called", "Choose one of the models it lists"
    ),
    "busy": Fault(model.fails(429, retry_after=7), "too busy for us now", "Try again in 7 seconds"),
    "broke": Fault(model.fails(402, "no credit"), "no credit left", "Top up the account"),
    "long": Fault(model.fails(400, code="context_length_exceeded"), "too long for the model", "prompt.token_budget"),
    "ill": Fault(
        model.fails(500, "out of memory"), "a problem of its own (500): out of memory", "the model's server logs"
    ),
    "website": Fault(
        model.shows(b"<html>Welcome</html>"), "a web page, not with a model's answer", "Check profiles.website.base_url"
    ),
    "mute": Fault(model.says(""), "without a single word", "choose another model"),
    "thinks": Fault(model.says("", thinks="hm " * 99, finish="length"), "used up its length limit", "thinks less"),
    "silent": Fault(
        model.hangs(), "said nothing for 0.7 seconds", "first_token_timeout_s", {"first_token_timeout_s": 0.7}
    ),
    "stalls": Fault(model.hangs_after("One"), "fell silent in the middle", "idle_timeout_s", {"idle_timeout_s": 0.7}),
    "cut": Fault(model.cuts_after("One"), "broke off", "the model's server logs"),
    "keyless": Fault(
        model.says("One"), "key file /nowhere/key cannot be read", "must exist", {"api_key_file": "/nowhere/key"}
    ),
    "gone": Fault(
        model.says("One"),
        "Nothing answers at 127.0.0.1:1.",
        "Start the model's server",
        {"base_url": "http://127.0.0.1:1/v1"},
    ),
    "fileless": Fault(
        model.says("One"), "no model file 'nowhere.gguf'", "Check profiles.fileless.file", {"file": "/nowhere.gguf"}
    ),
    "fake": Fault(model.says("One"), "is no GGUF", "", {"file": __file__}),
    "nowhere": Fault(model.says("One"), "not a web address", "in full", {"base_url": "127.0.0.1:11434"}),
}
WORRIES = {
    "small": Fault(
        model.says("One"),
        "It holds 2048 tokens; prompt and reply may take 6800.",
        "larger window",
        {"context_tokens": 2048},
    ),
    "slow": Fault(
        model.says("one two three four five six seven eight nine", pause=0.2, size=3),
        "tokens a second; people read about 5",
        "smaller model",
    ),
}


def _settings_of(profiles: Mapping[str, Mapping[str, object]]) -> str:
    lines = [f"[llm]\nprofile = {next(iter(profiles))!r}\nfallback = {list(profiles)[1:]}\n"]
    for name, values in profiles.items():
        lines += [f"[profiles.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items()), ""]
    return "\n".join(lines)


def test_every_model_that_is_wrong_in_its_own_way_is_told_by_its_name(patient: Patient) -> None:
    with ExitStack() as running:
        servers = {name: running.enter_context(ModelServer()) for name in FAULTS | WORRIES}
        good = {name: {"base_url": server.base_url, "model": "scripted"} for name, server in servers.items()}
        for name, fault in (FAULTS | WORRIES).items():
            servers[name].will(fault.script)
        patient.config(_settings_of({name: good[name] | fault.wrong for name, fault in (FAULTS | WORRIES).items()}))
        checks = patient.is_examined()

        for name, fault in (FAULTS | WORRIES).items():
            check = checks[f"model {name}"]
            assert check.verdict is (BROKEN if name in FAULTS else NOTE), check
            assert fault.found in check.found, check
            assert fault.do in check.do, check

    with ModelServer(idle=model.says("one two three")) as well:
        patient.config(_settings_of({name: {"base_url": well.base_url, "model": "scripted"} for name in servers}))
        after = patient.is_examined()
    assert [check for name, check in after.items() if name.startswith("model") and check.verdict is not OK] == []
    assert len([name for name in after if name.startswith("model")]) == len(servers)


def test_the_start_says_what_is_nearby_once_everything_answers(patient: Patient) -> None:
    with serving(OLLAMA) as ollama, serving({"*": 2}) as silent:
        ports = f"{silent.port},{ollama.port}"
        daemon = Daemon(patient.home, **{"embedder.name": "none", "nearby.ports": ports}).start()
        try:
            until = time.monotonic() + 60
            while "--model qwen3:8b" not in daemon.log() and time.monotonic() < until:
                time.sleep(0.05)
            told = daemon.log()
        finally:
            daemon.end()

    assert told.index("EchoVessel ") < told.index("found  Ollama with qwen3:8b, llama3.2:latest")
    assert f"echovessel init --model-url {ollama.root}/v1 --model qwen3:8b" in told
