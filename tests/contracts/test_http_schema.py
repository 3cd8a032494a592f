"""Whatever a client sends, the daemon answers as its own description says, and never with a server error.

Schemathesis makes requests, good and bad, from the OpenAPI document. Every operation is asked of a real daemon with a real
home. `SCHEMA_EXAMPLES=200` asks longer.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from echovessel.api.app import without_doors
from echovessel.api.openapi import describe
from echovessel.api.problems import MEDIA_TYPE
from echovessel.api.security.headers import ALWAYS
from echovessel.testing import model_scripts
from echovessel.testing.model_server import ModelServer
from tests.support.daemon import Daemon, running

pytestmark = pytest.mark.timeout(300)

EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "5"))
"""Random requests for each operation, beside those that cover its description."""
PATIENCE_S = 90

CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
STREAM_OF_A_TURN = "followTurn"
"""Its frames have tests of their own: the description can only call them a string."""
TOO_LARGE = 413
"""What a text without end is refused with, which the check of refusals does not know."""
ENDLESS = "events"
"""The stream that never ends: only its head is read."""

schema = schemathesis.openapi.from_dict(describe(without_doors()))
at_random = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@schemathesis.serializer("application/jsonl")
def lines(ctx: schemathesis.SerializationContext, value: Any) -> bytes:
    """A history as it is sent: text."""
    return str(value).encode("utf-8", "replace")


@dataclass(frozen=True)
class Asked:
    """The daemon that is asked, real ids to ask for, and the only model that it may be sent to."""

    daemon: Daemon
    known: Mapping[str, str]
    model_url: str

    def make_real(self, case: Case) -> None:
        """Real things where there are some: unknown ids are answered long before anything interesting happens."""
        for name in case.path_parameters or {}:
            case.path_parameters[name] = self.known.get(name, case.path_parameters[name])
        if isinstance(case.body, dict):
            _send_to(self.model_url, case.body)
        case.cookies.clear()
        for made_up in [name for name in case.headers if name.lower() in ("authorization", "cookie")]:
            del case.headers[made_up]

    def token_for(self, case: Case) -> dict[str, str]:
        """The token, shown as programs do for some operations and as the page does for the others."""
        if len(case.operation.label) % 2:
            return {"Authorization": f"Bearer {self.daemon.token}"}
        return {"Cookie": f"echovessel={self.daemon.token}"}


def _made_right(case: Case) -> bool:
    """Whether all that was made up wrong may have been replaced: an id, or the token in a header or a cookie."""
    assert case.meta is not None
    wrong = {where for where, made in case.meta.components.items() if made.mode.is_negative}
    return wrong <= {ParameterLocation.PATH, ParameterLocation.HEADER, ParameterLocation.COOKIE}


def _send_to(url: str, values: dict[str, Any]) -> None:
    """Whatever address a made-up connection has becomes our own model's."""
    for key, value in values.items():
        if isinstance(value, dict):
            _send_to(url, value)
        elif key in ("base_url", "proxy") and isinstance(value, str) and value.startswith("http"):
            values[key] = url


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """A running daemon with a model, one persona, and something said and answered."""
    with ModelServer(idle=model_scripts.says("Good morning to you.")) as model:
        given: dict[str, object] = {"llm.base_url": model.base_url, "llm.model": "m", "turn.debounce_s": 0}
        for daemon in running(tmp_path_factory.mktemp("schema") / "home", **given):
            yield Asked(daemon, _things(daemon), model.base_url)


def _things(daemon: Daemon) -> dict[str, str]:
    persona = daemon.call("POST", "/api/v1/personas", {"name": "Iris"})["id"]
    said = daemon.call("POST", f"/api/v1/personas/{persona}/messages", {"text": "Good morning"})
    answered = requests.get(
        f"{daemon.url}/api/v1/turns/{said['turn_id']}/events",
        headers={"Authorization": f"Bearer {daemon.token}"},
        timeout=PATIENCE_S,
    )
    assert "reply.done" in answered.text
    return {
        "persona_id": persona,
        "message_id": said["message_id"],
        "turn_id": said["turn_id"],
        "slug": daemon.call("GET", "/api/v1/library")["items"][0]["slug"],
        "label": "persona",
    }


@schema.exclude(operation_id=ENDLESS).parametrize()
@at_random
def test_every_answer_is_as_described(case: Case, asked: Asked) -> None:
    asked.make_real(case)
    described = case.operation.definition.raw
    answer = case.call(base_url=asked.daemon.url, headers=asked.token_for(case), timeout=PATIENCE_S)

    assert answer.status_code < 500 or str(answer.status_code) in described["responses"]
    for name, value in ALWAYS.items():
        assert answer.headers[name.lower()] == [value]
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == [MEDIA_TYPE]
    excluded = [response_schema_conformance] if described["operationId"] == STREAM_OF_A_TURN else []
    if _made_right(case) or answer.status_code == TOO_LARGE:
        excluded.append(negative_data_rejection)
    case.validate_response(answer, checks=CHECKS, excluded_checks=excluded)


@schema.include(operation_id=ENDLESS).parametrize()
@at_random
def test_the_endless_stream_begins_as_described(case: Case, asked: Asked) -> None:
    asked.make_real(case)
    request = case.as_transport_kwargs(base_url=asked.daemon.url, headers=asked.token_for(case))
    with requests.request(**request, stream=True, timeout=PATIENCE_S) as answer:
        kind = "text/event-stream" if answer.status_code == 200 else MEDIA_TYPE
        assert answer.status_code in (200, 405, 422)
        assert answer.headers["content-type"].startswith(kind)


@pytest.mark.parametrize("shown", [{}, {"Authorization": "Bearer made-up"}, {"Cookie": "echovessel=made-up"}])
def test_nothing_is_answered_to_who_shows_no_token_or_a_made_up_one(asked: Asked, shown: dict[str, str]) -> None:
    for found in schema.get_all_operations():
        operation = found.ok() if isinstance(found, Ok) else pytest.fail(str(found.err()))
        if "security" not in operation.definition.raw:
            continue
        path = operation.path.format_map(dict.fromkeys(("name", "profile"), "x") | dict(asked.known))
        answer = requests.request(operation.method, asked.daemon.url + path, headers=shown, timeout=PATIENCE_S)
        assert (answer.status_code, answer.headers["content-type"]) == (401, MEDIA_TYPE), operation.label
        assert answer.json()["code"] == ("wrong-token" if shown else "no-token")
