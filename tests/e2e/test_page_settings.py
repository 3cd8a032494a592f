"""What the page's settings let one do: choose a kind of model, take one that runs nearby, put several in order, look after
backups, and read what troubles the daemon.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from echovessel.testing.anthropic_scripts import says as claude_says
from echovessel.testing.anthropic_server import AnthropicServer
from echovessel.testing.model_scripts import says
from echovessel.testing.model_server import ModelServer
from tests.e2e.conftest import House
from tests.e2e.steps import said, say
from tests.support.daemon import running
from tests.support.nearby import OLLAMA, serving

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


@pytest.fixture
def near_ollama(tmp_path: Path) -> Iterator[House]:
    """Nobody is connected, and Ollama runs on this machine."""
    with serving(OLLAMA) as ollama, ModelServer() as model:
        settings = {"turn.debounce_s": 0.2, "embedder.name": "none", "llm.retries": 0, "nearby.ports": ollama.port}
        for daemon in running(tmp_path / "home", **settings):
            yield House(daemon, model)


def settings_of(page: Page, button: str = "Settings") -> Locator:
    """Open the settings."""
    page.get_by_role("button", name=button).click()
    return page.locator(".sheet")


def saved(house: House) -> dict[str, object]:
    """The connection as the daemon keeps it."""
    return house.daemon.call("GET", "/api/v1/settings")["llm"]


def test_a_model_that_runs_nearby_is_one_click_away(near_ollama: House, visit: Visit) -> None:
    near_ollama.persona("Mara")
    sheet = settings_of(visit(near_ollama.enter))
    expect(sheet.get_by_text("Ollama")).to_be_visible()
    sheet.get_by_role("button", name="llama3.2:latest").click()
    expect(sheet.get_by_label("Model", exact=True)).to_have_value("llama3.2:latest")
    sheet.get_by_role("button", name="Connect", exact=True).click()
    expect(sheet.get_by_text("Personas speak through llama3.2:latest.")).to_be_visible()

    now = saved(near_ollama)
    assert str(now["base_url"]).startswith("http://127.0.0.1:")
    assert (now["model"], now["kind"]) == ("llama3.2:latest", "openai")


def test_where_nothing_runs_nearby_one_may_look_again(house_without_model: House, visit: Visit) -> None:
    house_without_model.persona("Mara")
    sheet = settings_of(visit(house_without_model.enter, locale="zh-CN"), "设置")
    expect(sheet.get_by_text("本机没有运行带模型的程序。")).to_be_visible()
    sheet.get_by_role("button", name="再找一次").click()
    expect(sheet.get_by_text("本机没有运行带模型的程序。")).to_be_visible()


def test_claude_and_a_model_file_are_kinds_of_their_own(house_without_model: House, visit: Visit) -> None:
    house_without_model.persona("Mara")
    page = visit(house_without_model.enter)
    sheet = settings_of(page)
    sheet.get_by_text("Model file", exact=True).click()
    expect(sheet.get_by_label("Address")).to_have_count(0)
    sheet.get_by_label("Model file").last.fill("~/no-such-model.gguf")
    sheet.get_by_role("button", name="Test it").click()
    expect(sheet.get_by_role("alert")).to_contain_text("There is no model file")

    with AnthropicServer() as claude:
        sheet.get_by_text("Claude", exact=True).click()
        expect(sheet.get_by_role("alert")).to_have_count(0)
        sheet.get_by_label("Address").fill(claude.base_url)
        sheet.get_by_label("Model", exact=True).fill("claude-made-up")
        sheet.get_by_label("Key").fill("sk-ant-made-up")
        sheet.get_by_role("button", name="Connect", exact=True).click()
        expect(sheet.get_by_text("Personas speak through claude-made-up.")).to_be_visible()
        expect(sheet.get_by_text("A key is kept.")).to_be_visible()
        assert saved(house_without_model)["kind"] == "anthropic"
        page.keyboard.press("Escape")
        claude.will(claude_says("There you are."))
        say(page, "Hello?")
        expect(said(page, "There you are.")).to_be_visible()


def test_a_second_connection_steps_in_may_speak_and_may_go(new_house: House, visit: Visit) -> None:
    new_house.daemon.settings.pop("llm.base_url")
    new_house.persona("Mara")
    page = visit(new_house.enter)
    sheet = settings_of(page)
    sheet.get_by_role("button", name="Add a connection").click()
    new = sheet.locator(".connection-new")
    expect(new.get_by_text("Give it a name first.")).to_be_visible()
    new.get_by_label("Its name").fill("Evening")
    new.get_by_label("Address").fill(new_house.model.base_url)
    new.get_by_label("Model", exact=True).fill("second")
    new_house.model.will(says("A sentence, as asked."))
    new.get_by_role("button", name="Test it").click()
    expect(new.get_by_text("It answered: second")).to_be_visible()
    new.get_by_role("button", name="Connect", exact=True).click()

    rows = sheet.locator(".connection")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("speaks")
    expect(rows.nth(1)).to_contain_text("evening")
    expect(rows.nth(1)).to_contain_text("steps in")
    assert saved(new_house)["fallback"] == ["evening"]

    sheet.get_by_role("button", name="Ask evening earlier").click()
    expect(rows.nth(0)).to_contain_text("evening")
    expect(rows.nth(1)).to_contain_text("not used")
    expect(sheet.get_by_text("Personas speak through second.")).to_be_visible()
    sheet.get_by_role("button", name="Use it").click()
    expect(rows.nth(0)).to_contain_text("Main connection")
    sheet.get_by_role("button", name="Remove evening").click()
    expect(rows).to_have_count(0)
    assert new_house.daemon.call("GET", "/api/v1/settings")["profiles"] == {}


def test_a_backup_is_made_and_listed(new_house: House, visit: Visit) -> None:
    new_house.persona("Mara", "Mind the step.")
    sheet = settings_of(visit(new_house.enter))
    sheet.get_by_role("button", name="Make one now").click()
    backup = sheet.locator(".backups li")
    expect(backup).to_have_count(1)
    expect(backup).to_contain_text("asked for · 1 message · ")
    assert len(new_house.daemon.call("GET", "/api/v1/backups")["items"]) == 1


def test_a_settings_file_that_cannot_be_read_is_told_of(new_house: House, visit: Visit) -> None:
    new_house.persona("Mara")
    (new_house.daemon.home / "config.toml").write_text("[turn\ndebounce_s = 1\n")
    page = visit(new_house.enter, locale="zh-CN")
    until = time.monotonic() + 60
    while not new_house.daemon.call("GET", "/api/v1/status")["troubles"]:
        assert time.monotonic() < until
        page.wait_for_timeout(100)
    sheet = settings_of(page, "设置")
    expect(sheet.get_by_role("alert").first).to_contain_text("设置里有一处不能用。")
