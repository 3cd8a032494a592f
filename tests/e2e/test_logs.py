"""Canaries: words that were said, imported, configured or answered, in success and failure, are in no log at any level."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from echovessel.testing import model_scripts as model
from echovessel.testing.model_server import ModelServer
from tests.e2e.test_operation import ended, persona, refused, say
from tests.support.daemon import Daemon

CANARIES = {
    "said": "canarysaid",
    "answered": "canaryanswered",
    "described": "canarydescribed",
    "named": "canarynamed",
    "imported": "canaryimported",
    "searched": "canarysearched",
    "key": "sk-canarykey",
    "refused": "canaryrefused",
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(idle=model.says(f"I heard {CANARIES['answered']}.")) as running:
        yield running


@pytest.fixture
def daemon(tmp_path: Path, server: ModelServer) -> Iterator[Daemon]:
    made = Daemon(
        tmp_path / "home",
        **{
            "log.level": "debug",
            "turn.debounce_s": 0,
            "llm.base_url": server.base_url,
            "llm.model": "m",
            "llm.api_key": CANARIES["key"],
            "llm.retries": 0,
            "llm.idle_timeout_s": 1,
        },
    )
    yield made
    made.end()


def test_no_word_of_anyone_is_in_a_log(daemon: Daemon, server: ModelServer) -> None:
    daemon.start()
    her = persona(daemon)
    daemon.call("PATCH", "/api/v1/me", {"name": CANARIES["named"]})
    block = {"text": f"She is {CANARIES['described']}.", "base_revision": 0}
    daemon.call("PUT", f"/api/v1/personas/{her}/core-blocks/persona", block)
    words = f"{CANARIES['said']} 桂花糕"
    assert ended(daemon, say(daemon, her, words)) == "done"
    for failure in (
        model.fails(400, CANARIES["answered"]),
        model.fails(401, CANARIES["answered"]),
        model.fails(404, CANARIES["answered"]),
        model.cuts_after(CANARIES["answered"]),
        model.hangs_after(CANARIES["answered"]),
        model.shows(CANARIES["answered"].encode()),
        model.reports_inside({"message": CANARIES["answered"]}, after="x"),
        model.breaks_after("x", f"data: {CANARIES['answered']}\n\n".encode()),
    ):
        server.will(failure)
        assert ended(daemon, say(daemon, her, words)) == "failed"
    _ask_wrongly(daemon, her)
    daemon.kill()
    daemon.start()
    assert daemon.stop() == 0

    logs = sorted((daemon.home / "logs").iterdir())
    written = "".join(path.read_text(encoding="utf-8") for path in logs) + daemon.log()
    assert '"code": "model-rejected"' in written, "the failures themselves are told"
    assert [name for name, word in CANARIES.items() if word in written] == []
    assert "桂花糕" not in written
    assert daemon.token not in "".join(path.read_text(encoding="utf-8") for path in logs)


def _ask_wrongly(daemon: Daemon, her: str) -> None:
    word = CANARIES["refused"]
    messages = f"/api/v1/personas/{her}/messages"
    refused(daemon, "POST", messages, f'{{"text": {word}'.encode())
    refused(daemon, "POST", messages, {"text": "", word: word})
    refused(daemon, "GET", f"/api/v1/{word}?{word}={word}", None)
    refused(daemon, "POST", f"/api/v1/personas/{her}/imports", f"{CANARIES['imported']} is no JSON".encode())
    daemon.call("GET", f"{messages}?q={CANARIES['searched']}")
    refused(daemon, "PATCH", "/api/v1/settings", {"llm": {"base_url": f"ftp://{word}"}})
    for headers in ({"Authorization": f"Bearer {word}"}, {"Host": word}, {"Origin": f"http://{word}"}):
        request = urllib.request.Request(f"{daemon.url}/api/v1/me", headers=headers)
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(request)
