"""The model contract on the adapters in front of real servers, and on the scripted model."""

from collections.abc import Iterator, Sequence

import pytest
from typing_extensions import override

from echovessel.adapters.llm.anthropic.client import AnthropicEndpoint
from echovessel.adapters.llm.client import Endpoint
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelCut, ModelRefusedKey
from echovessel.core.talk import Usage
from echovessel.testing import anthropic_scripts
from echovessel.testing.anthropic_server import AnthropicServer
from echovessel.testing.contracts.llm import LlmContract
from echovessel.testing.model_scripts import cuts_after, fails, says
from echovessel.testing.model_server import ModelServer
from echovessel.testing.prompt_cache import blocks_of
from echovessel.testing.scripted_model import ScriptedModel
from tests.support.gguf import StagedGguf
from tests.support.settings import llm_settings


class _Served:
    def __init__(self, server: ModelServer) -> None:
        self._server = server
        self.llm: Endpoint | StagedGguf = self._connected(server.base_url)

    def _connected(self, base_url: str) -> Endpoint | StagedGguf:
        return Endpoint(profile="", settings=llm_settings(base_url=base_url), clock=SystemClock())

    def will_say(self, text: str, *, usage: Usage | None = None, cut_short: bool = False) -> None:
        counted = {"prompt_tokens": usage.tokens_in, "completion_tokens": usage.tokens_out} if usage else None
        self._server.will(says(text, usage=counted, finish="length" if cut_short else "stop"))

    def will_break_off_after(self, text: str) -> None:
        self._server.will(cuts_after(text))

    def will_refuse_the_key(self) -> None:
        self._server.will(fails(401, "Incorrect API key provided"))

    def asked(self) -> Sequence[Sequence[tuple[str, str]]]:
        return [[(m["role"], m["content"]) for m in asked.messages] for asked in self._server.asked]


class _FileServed(_Served):
    """A model file whose engine is the server."""

    @override
    def _connected(self, base_url: str) -> StagedGguf:
        return StagedGguf(base_url)


class _AnthropicServed:
    def __init__(self, server: AnthropicServer) -> None:
        self._server = server
        settings = llm_settings(base_url=server.base_url, kind="anthropic", api_key="k-1")
        self.llm = AnthropicEndpoint(profile="", settings=settings, clock=SystemClock())

    def will_say(self, text: str, *, usage: Usage | None = None, cut_short: bool = False) -> None:
        counted = anthropic_scripts.NOTHING_COUNTED
        if usage is not None:
            counted = {"input_tokens": usage.tokens_in, "output_tokens": usage.tokens_out}
        self._server.will(anthropic_scripts.says(text, usage=counted, stop="max_tokens" if cut_short else "end_turn"))

    def will_break_off_after(self, text: str) -> None:
        self._server.will(anthropic_scripts.cuts_after(text))

    def will_refuse_the_key(self) -> None:
        self._server.will(anthropic_scripts.fails(401, "authentication_error", "invalid x-api-key"))

    def asked(self) -> Sequence[Sequence[tuple[str, str]]]:
        blocks = [blocks_of(asked.body) for asked in self._server.asked]
        return [[(str(block["role"]), str(block["text"])) for block in request] for request in blocks]


class _Scripted:
    def __init__(self) -> None:
        self.llm = ScriptedModel()

    def will_say(self, text: str, *, usage: Usage | None = None, cut_short: bool = False) -> None:
        self.llm.will_say(text, usage=usage, cut_short=cut_short)

    def will_break_off_after(self, text: str) -> None:
        self.llm.will_say(text, then=ModelCut("The scripted model broke off.", do="Try again."))

    def will_refuse_the_key(self) -> None:
        self.llm.will_fail(ModelRefusedKey("The scripted model refused the key.", do="Check the key."))

    def asked(self) -> Sequence[Sequence[tuple[str, str]]]:
        return [[(str(m.role), m.content) for m in request.messages] for request in self.llm.requests]


class TestEndpoint(LlmContract):
    @pytest.fixture
    def stage(self) -> Iterator[_Served]:
        with ModelServer() as server:
            yield _Served(server)


class TestGgufModel(LlmContract):
    @pytest.fixture
    def stage(self) -> Iterator[_FileServed]:
        with ModelServer() as server:
            yield _FileServed(server)


class TestAnthropicEndpoint(LlmContract):
    @pytest.fixture
    def stage(self) -> Iterator[_AnthropicServed]:
        with AnthropicServer() as server:
            yield _AnthropicServed(server)


class TestScriptedModel(LlmContract):
    @pytest.fixture
    def stage(self) -> _Scripted:
        return _Scripted()
