"""The model contract on the adapter in front of a real server, and on the scripted model."""

from collections.abc import Iterator, Sequence

import pytest

from echovessel.adapters.llm.client import Endpoint
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelCut, ModelRefusedKey
from echovessel.core.talk import Usage
from echovessel.ports.settings import LlmSettings
from echovessel.testing.contracts.llm import LlmContract
from echovessel.testing.model_scripts import cuts_after, fails, says
from echovessel.testing.model_server import ModelServer
from echovessel.testing.scripted_model import ScriptedModel


class _Served:
    def __init__(self, server: ModelServer) -> None:
        self._server = server
        settings = LlmSettings(base_url=server.base_url, model="scripted", retries=0)  # pyright: ignore[reportCallIssue]
        self.llm = Endpoint(profile="", settings=settings, clock=SystemClock())

    def will_say(self, text: str, *, usage: Usage | None = None, cut_short: bool = False) -> None:
        counted = {"prompt_tokens": usage.tokens_in, "completion_tokens": usage.tokens_out} if usage else None
        self._server.will(says(text, usage=counted, finish="length" if cut_short else "stop"))

    def will_break_off_after(self, text: str) -> None:
        self._server.will(cuts_after(text))

    def will_refuse_the_key(self) -> None:
        self._server.will(fails(401, "Incorrect API key provided"))

    def asked(self) -> Sequence[Sequence[tuple[str, str]]]:
        return [[(m["role"], m["content"]) for m in asked.messages] for asked in self._server.asked]


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


class TestScriptedModel(LlmContract):
    @pytest.fixture
    def stage(self) -> _Scripted:
        return _Scripted()
