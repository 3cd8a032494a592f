"""The description is valid, whole and the same every time; what is generated from it is up to date."""

import json
import re
import subprocess
import sys
from functools import cache
from typing import Any

from echovessel.api.app import without_doors
from echovessel.api.dto.events import EventData
from echovessel.api.openapi import describe
from tests.house.rules import ROOT

METHODS = {"get", "post", "put", "patch", "delete"}


@cache
def document() -> dict[str, Any]:
    return describe(without_doors())


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, operation) for path, by in document()["paths"].items() for method, operation in by.items()]


def test_it_is_the_same_every_time_and_made_once() -> None:
    app = without_doors()

    assert json.dumps(document()) == json.dumps(describe(app))
    assert describe(app) is describe(app)


def test_every_reference_leads_somewhere_and_every_schema_is_used() -> None:
    text = json.dumps(document())
    schemas = set(document()["components"]["schemas"])
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', text))

    assert named <= schemas
    assert schemas - named == {"EventData"}


def test_every_operation_has_a_name_of_its_own_a_sentence_and_a_subject() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][A-Za-z]+", name) for name in names)
    for path, method, operation in operations():
        assert method in METHODS
        assert operation["description"], path
        assert len(operation["tags"]) == 1


def test_every_error_is_documented_as_a_problem() -> None:
    for path, _, operation in operations():
        for status, response in operation["responses"].items():
            if status == "default" or status >= "400":
                assert list(response["content"]) == ["application/problem+json"], path
                assert response["description"]
        expected = {"403", "default"}
        expected |= {"401"} if path.startswith("/api/") else set()
        expected |= {"404"} if "{" in path else set()
        if "application/json" in operation.get("requestBody", {}).get("content", {}):
            expected |= {"400", "408", "413", "415", "422"}
        assert expected <= set(operation["responses"]), path
    assert "HTTPValidationError" not in document()["components"]["schemas"]


def test_every_input_refuses_unknown_fields() -> None:
    schemas = document()["components"]["schemas"]
    inputs = {
        content["schema"]["$ref"].rpartition("/")[2]
        for _, _, operation in operations()
        for media_type, content in operation.get("requestBody", {}).get("content", {}).items()
        if media_type == "application/json"
    }

    assert len(inputs) > 8
    assert [name for name in inputs if schemas[name].get("additionalProperties") is not False] == []


def test_the_events_are_described_for_the_page() -> None:
    described = document()["components"]["schemas"]["EventData"]["properties"]

    assert set(described) == {field.alias for field in EventData.model_fields.values()}
    assert all(name.count(".") == 1 for name in described)


def test_a_field_that_is_always_answered_is_required() -> None:
    message = document()["components"]["schemas"]["MessageView"]

    assert set(message["required"]) == set(message["properties"])


def test_the_reference_page_tells_the_same() -> None:
    command = [sys.executable, "-m", "cogapp", "--check", "docs/reference/http.md"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
