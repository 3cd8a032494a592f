"""A running daemon, a model endpoint that says what it is told, a browser that notices every misstep of the page, and a home
for the doctor."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from echovessel.testing.model_server import ModelServer
from tests.support import chromium
from tests.support.daemon import Daemon, free_port, running
from tests.support.patient import Patient

# Some tests stop the daemon or have it refuse something: then the browser itself reports the failed request.
EXPECTED_MARK = "Failed to load resource"

# Generous: the first reply of a daemon waits for the model client to be imported, on a machine that may be busy.
PATIENCE_MS = 40_000
expect.set_options(timeout=PATIENCE_MS)


@dataclass(frozen=True)
class House:
    """A running daemon and the model endpoint it is, or may be, connected to."""

    daemon: Daemon
    model: ModelServer

    @property
    def enter(self) -> str:
        """The address that lets one in, as `echovessel run` opens it."""
        return f"{self.daemon.url}/login?token={self.daemon.token}"

    def persona(self, name: str, *greetings: str) -> str:
        """Someone to talk to, who has greeted; returns the id."""
        made = self.daemon.call("POST", "/api/v1/personas", {"name": name, "greetings": list(greetings)})
        self.daemon.call("POST", f"/api/v1/personas/{made['id']}/greetings")
        return made["id"]


def _house(home: Path, *, connected: bool) -> Iterator[House]:
    # Bursts end quickly, keywords alone find, and what else runs on this machine is not looked for.
    settings: dict[str, object] = {
        "turn.debounce_s": 0.4,
        "embedder.name": "none",
        "llm.retries": 0,
        "nearby.ports": "",
    }
    with ModelServer() as model:
        if connected:
            settings |= {"llm.base_url": model.base_url, "llm.model": "scripted"}
        for daemon in running(home, **settings):
            yield House(daemon, model)


@pytest.fixture
def new_house(tmp_path: Path) -> Iterator[House]:
    """A first visit: nobody is there yet."""
    yield from _house(tmp_path / "home", connected=True)


@pytest.fixture
def house_without_model(tmp_path: Path) -> Iterator[House]:
    """A first visit, and nothing to think with."""
    yield from _house(tmp_path / "home", connected=False)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Shared: each test brings its own persona, of a name of its own."""
    yield from _house(tmp_path_factory.mktemp("shared") / "home", connected=True)


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    """The system's Chromium. It leaves with its module: until then Playwright's event loop keeps all others from running."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium_path, args=list(chromium.ARGUMENTS))
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Call it for a new page in a browser profile of its own: `visit(url, locale="zh-CN", width=360)`.

    At the end of the test: no error on any page's console, and no request that left this machine.
    """
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and EXPECTED_MARK not in message.text:
            wrong.append(message.text)

    def on_request(request: Request) -> None:
        if urlsplit(request.url).hostname != "127.0.0.1":
            wrong.append(f"left this machine: {request.url}")

    def open_page(url: str, *, locale: str = "en-US", width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        context = browser.new_context(
            locale=locale,
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            timezone_id="Asia/Shanghai",
            has_touch=width < 600,
            is_mobile=width < 600,
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("console", on_console)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", on_request)
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def healthy_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a persona and something said, to be copied. The environment that made it ends with its making."""
    home = tmp_path_factory.mktemp("healthy") / "home"
    with pytest.MonkeyPatch.context() as monkeypatch:
        patient = _home_of(home, monkeypatch)
        assert patient.types("init", "--name", "Ada", "--zone", "Europe/Paris", "--locale", "en").status == 0
        assert patient.types("persona", "new", "Mira").status == 0
        assert patient.types("chat", "--once", "The kettle is older than I am.").status == 0
        patient.config("")
    return home


@pytest.fixture
def patient(healthy_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Patient:
    """A healthy home of the test's own."""
    shutil.copytree(healthy_home, tmp_path / "home")
    return _home_of(tmp_path / "home", monkeypatch)


def _home_of(home: Path, monkeypatch: pytest.MonkeyPatch) -> Patient:
    patient = Patient(home, monkeypatch)
    monkeypatch.setenv("ECHOVESSEL_HOME", str(home))
    patient.settings(embedder__name="none", nearby__ports="", turn__debounce_s=0, server__port=free_port())
    return patient
