"""Whatever a client sends, the daemon answers as its own description says, and never with a server error.

Schemathesis makes requests, good and bad, from the OpenAPI document; every operation answers a real daemon's real home.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from echovessel.api.app import without_doors
from echovessel.api.openapi import describe
from tests.support.daemon import Daemon, running

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

# Each with the reason why it is not asked at random.
LEFT_OUT = {
    "importHistory": "its body is lines, which have tests of their own",
    "events": "a stream that never ends",
    "followTurn": "a stream whose frames have tests of their own; the description can only call it a string",
    "changeSettings": "a made-up model address would send the daemon's next replies there",
    "testModel": "it connects to whatever address it is given",
}

schema = schemathesis.openapi.from_dict(describe(without_doors())).exclude(operation_id=list(LEFT_OUT))


@dataclass
class Asked:
    """The daemon that is asked, and real ids to ask for."""

    daemon: Daemon
    known: dict[str, str] = field(default_factory=dict[str, str])


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """A running daemon with one persona and something said to it."""
    for daemon in running(tmp_path_factory.mktemp("schema") / "home", **{"turn.debounce_s": 0}):
        persona = daemon.call("POST", "/api/v1/personas", {"name": "Iris"})
        said = daemon.call("POST", f"/api/v1/personas/{persona['id']}/messages", {"text": "Good morning"})
        known = {"persona_id": persona["id"], "message_id": said["message_id"], "turn_id": said["turn_id"]}
        yield Asked(daemon, known)


@schema.parametrize()
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_every_answer_is_as_described(case: schemathesis.Case, asked: Asked) -> None:
    for name in case.path_parameters or {}:
        # A real one where there is one: unknown ids are answered long before anything interesting happens.
        case.path_parameters[name] = asked.known.get(name, case.path_parameters[name])

    case.call_and_validate(
        base_url=asked.daemon.url,
        headers={"Authorization": f"Bearer {asked.daemon.token}"},
        checks=CHECKS,
        timeout=30,
    )
