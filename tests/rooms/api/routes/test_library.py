"""The shelf over HTTP."""

import pytest

from tests.rooms.api.conftest import Api


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_each_entry_can_be_taken(api: Api, locale: str) -> None:
    entries = [e for e in api.get("/api/v1/library")["items"] if e["locale"] == locale]

    assert len(entries) >= 3
    for entry in entries:
        taken = api.call("POST", f"/api/v1/library/{entry['slug']}", json={"locale": locale})
        assert taken.status_code == 201
        assert (taken.json()["name"], taken.json()["locale"]) == (entry["name"], locale)
        assert taken.json()["greetings"]


@pytest.mark.parametrize("slug", ["nobody", "..%2f..%2ftoken", "%2e%2e", "a%00b", "x" * 500])
def test_what_is_not_on_the_shelf_is_not_found(steady: Api, slug: str) -> None:
    answer = steady.call("POST", f"/api/v1/library/{slug}", json={"locale": "en"})

    assert answer.status_code == 404
    assert answer.json()["do"]
