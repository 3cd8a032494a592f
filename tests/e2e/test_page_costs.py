"""What the page tells and lets one set of connections: whose form is open, what words cost and may cost, who stepped in, and
that something is wrong.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from echovessel.testing.model_scripts import fails, says
from tests.e2e.conftest import House
from tests.e2e.steps import said, say

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def _settings(page: Page, button: str = "Settings") -> Locator:
    page.get_by_role("button", name=button, exact=True).click()
    return page.locator(".sheet")


def _connections(house: House) -> None:
    """The main one and another, by the daemon's own hands."""
    evening = {"base_url": house.model.base_url, "model": "second"}
    change = {"profiles": {"evening": evening}, "llm": {"fallback": ["evening"]}}
    house.daemon.call("PATCH", "/api/v1/settings", change)


def test_a_connection_is_changed_at_its_row_or_left_as_it_is(new_house: House, visit: Visit) -> None:
    new_house.persona("Mara")
    _connections(new_house)
    sheet = _settings(visit(new_house.enter))
    sheet.get_by_role("button", name="Change evening").click()
    form = sheet.locator(".connection-open")
    expect(form.get_by_role("heading", name="Change evening")).to_be_visible()
    expect(form.get_by_text("No program with a model")).to_have_count(0)
    form.get_by_label("Model", exact=True).fill("other")
    form.get_by_role("button", name="Cancel").click()
    expect(form).to_have_count(0)

    sheet.get_by_role("button", name="Change evening").click()
    expect(form.get_by_label("Model", exact=True)).to_have_value("second")
    form.get_by_text("What it costs").click()
    form.get_by_label("What is read to it").fill("much")
    expect(form.get_by_role("button", name="Save")).to_be_disabled()
    form.get_by_label("What is read to it").fill("0.15")
    form.get_by_label("What it says").fill("2")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    kept = new_house.daemon.call("GET", "/api/v1/settings")["profiles"]["evening"]
    assert (kept["model"], kept["price_in"], kept["price_out"], kept["price_cached_in"]) == ("second", 0.15, 2, None)


def test_what_today_cost_is_told_by_model_and_a_day_may_be_capped(new_house: House, visit: Visit) -> None:
    new_house.persona("Mara")
    new_house.daemon.call("PATCH", "/api/v1/settings", {"llm": {"price_in": 1000.0, "price_out": 1000.0}})
    new_house.model.will(says("There you are."))
    page = visit(new_house.enter, locale="zh-CN")
    say(page, "在吗？")
    expect(said(page, "There you are.")).to_be_visible()
    sheet = _settings(page, "设置")
    expect(sheet.locator(".usage")).to_contain_text("scripted")
    expect(sheet.locator(".usage")).to_contain_text("花费")

    sheet.get_by_label("每天最多用多少词元").fill("200,000")
    expect(sheet.get_by_text("请写一个数")).to_be_visible()
    sheet.get_by_label("每天最多用多少词元").fill("200000")
    sheet.get_by_label("每天最多花费").fill("1.5")
    sheet.locator("form", has_text="每天最多花费").get_by_role("button", name="保存").click()
    expect(sheet.get_by_text("已保存。")).to_be_visible()
    assert new_house.daemon.call("GET", "/api/v1/status")["cap"] == {"cost": 1.5, "tokens": 200_000}


def test_who_stepped_in_is_told_quietly(new_house: House, visit: Visit) -> None:
    new_house.persona("Mara")
    _connections(new_house)
    new_house.model.will(fails(503, "too busy"), says("I am here instead."))
    page = visit(new_house.enter)
    say(page, "Hello?")
    expect(said(page, "I am here instead.")).to_be_visible()
    expect(page.get_by_text("worded by second")).to_be_visible()


def test_a_wrong_settings_file_is_told_where_one_talks(new_house: House, visit: Visit) -> None:
    new_house.persona("Mara")
    page = visit(new_house.enter)
    page.clock.install()
    (new_house.daemon.home / "config.toml").write_text("[turn\ndebounce_s = 1\n")
    trouble = page.locator(".house-trouble")
    for _ in range(60):
        page.clock.fast_forward(30_000)
        page.wait_for_timeout(200)
        if trouble.count():
            break
    expect(trouble).to_contain_text("config.toml")
    trouble.get_by_role("button", name="Have a look").click()
    expect(page.locator(".sheet").get_by_role("alert").first).to_contain_text("config.toml")
