"""What is offered, in words."""

import shlex

from echovessel.flows.doctor.nearby import connecting, offer
from echovessel.ports.front import Verdict
from echovessel.ports.nearby import NearbyModel, NearbyServer


def _server(program: str, *models: str) -> NearbyServer:
    named = tuple(NearbyModel(name=name) for name in models)
    return NearbyServer(program=program, base_url="http://127.0.0.1:11434/v1", models=named)


def test_with_nobody_near_it_says_how_to_connect() -> None:
    check = offer([])

    assert check.verdict is Verdict.NOTE
    assert "config.toml" in check.do


def test_what_was_found_is_named_with_the_command_that_connects_it() -> None:
    check = offer([_server("Ollama", "qwen3:8b", "b", "c", "d"), _server("llama.cpp", "gemma")])

    assert "Found: Ollama with qwen3:8b, b, c and 1 more; llama.cpp with gemma." in check.found
    assert "`echovessel init --model-url http://127.0.0.1:11434/v1 --model qwen3:8b`" in check.do


def test_an_ollama_without_a_model_is_told_how_to_get_one() -> None:
    check = offer([_server("Ollama")])

    assert "without a model" in check.found
    assert "ollama pull" in check.do


def test_a_name_cannot_add_a_command() -> None:
    name = "x; rm -rf ~ $(id)"

    assert shlex.split(connecting(_server("Ollama", name)))[-1] == name
