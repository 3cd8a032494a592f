"""Core blocks: replaced, never lost, and not behind anyone's back."""

import pytest

from tests.rooms.api.conftest import Api


def block(api: Api, label: str) -> dict[str, object]:
    found = {b["label"]: b for b in api.get(f"{api.persona}/core-blocks")["items"]}
    return found.get(label, {"revision": 0})


@pytest.mark.parametrize("label", ["persona", "style", "self", "user", "relationship"])
def test_every_revision_is_kept(api: Api, label: str) -> None:
    start = block(api, label)["revision"]
    assert isinstance(start, int)
    for step, text in enumerate(("第一稿\n两行", "second")):
        answer = api.call(
            "PUT", f"{api.persona}/core-blocks/{label}", json={"text": text, "base_revision": start + step}
        )
        assert answer.status_code == 200, answer.text
        assert (answer.json()["text"], answer.json()["revision"]) == (text, start + step + 1)

    history = api.get(f"{api.persona}/core-blocks/{label}/revisions")["items"]
    assert [b["text"] for b in history][:2] == ["second", "第一稿\n两行"]
    assert block(api, label) == history[0]


def test_a_write_that_did_not_see_the_newest_is_a_conflict(api: Api) -> None:
    base = block(api, "user")["revision"]
    body = {"text": "mine", "base_revision": base}
    assert api.call("PUT", f"{api.persona}/core-blocks/user", json=body).status_code == 200
    late = api.call("PUT", f"{api.persona}/core-blocks/user", json={"text": "theirs", "base_revision": base})

    assert (late.status_code, late.json()["code"]) == (409, "conflict")
    assert block(api, "user")["text"] == "mine"


def test_a_label_that_we_do_not_know_is_named(steady: Api) -> None:
    answer = steady.call("PUT", f"{steady.persona}/core-blocks/soul", json={"text": "x", "base_revision": 0})

    assert (answer.status_code, answer.json()["field"]) == (422, "label")
    assert "'persona'" in answer.json()["do"]
