"""What the page owes those who use it: reasons, the right names, and things where one looks for them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from echovessel.testing.model_scripts import fails, says
from tests.e2e.conftest import House
from tests.e2e.steps import do, on_its_way, said, say, talk_to

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def test_an_address_alone_shows_its_models_and_a_wrong_name_shows_them_too(
    house_without_model: House, visit: Visit
) -> None:
    model = house_without_model.model
    model.models = ("luna-7b", "sol-70b")
    house_without_model.persona("Mara")
    page = visit(house_without_model.enter)
    say(page, "Hello?")
    page.get_by_role("button", name="Connect a model").click()
    sheet = page.locator(".sheet")
    test, connect = sheet.get_by_role("button", name="Test it"), sheet.get_by_role("button", name="Connect", exact=True)

    expect(test).to_be_disabled()
    expect(sheet.get_by_text("To test, give an address.")).to_be_visible()
    sheet.get_by_label("Address").fill("localhost:11434")
    test.click()
    expect(sheet.get_by_role("alert")).to_contain_text("beginning with http:// or https://")
    expect(sheet.get_by_role("alert")).to_be_in_viewport()

    sheet.get_by_label("Address").fill(model.base_url)
    expect(sheet.get_by_role("alert")).to_have_count(0)
    expect(connect).to_be_disabled()
    expect(sheet.get_by_text("To connect, choose a model too")).to_be_visible()
    test.click()
    expect(sheet.get_by_text("It answers. Choose one of its models")).to_be_visible()
    expect(sheet.get_by_role("button", name="luna-7b")).to_be_visible()

    sheet.get_by_label("Model", exact=True).fill("terra")
    model.will(fails(404, "The model `terra` does not exist"))
    test.click()
    expect(sheet.get_by_role("alert")).to_contain_text("no model of that name")
    sheet.get_by_role("button", name="sol-70b").click()
    model.will(says("Hi"))
    test.click()
    expect(sheet.get_by_text("It answered: sol-70b")).to_be_visible()
    connect.click()
    expect(sheet.get_by_text("Personas speak through sol-70b.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Connect a model")).to_have_count(0)


def test_the_keepers_words_are_never_told_as_the_personas(house_without_model: House, visit: Visit) -> None:
    house_without_model.persona("Ada")
    page = visit(house_without_model.enter)
    say(page, "Do you know the weir?")
    expect(page.locator(".message-keeper code").first).to_have_text("base_url")
    told = page.locator(".room-foot [aria-live]")
    expect(told).to_contain_text("The keeper, not Ada: I am the keeper")
    expect(told).not_to_contain_text("`")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("searchbox").fill("config.toml")
    expect(page.locator(".hit strong")).to_have_text("The keeper, not Ada")

    do(page, "I am the keeper", "Delete")
    page.locator(".message-ask").get_by_role("button", name="Delete").click()
    expect(told).to_have_text("")


def test_a_new_view_is_seen_from_its_top(house: House, visit: Visit) -> None:
    house.persona("Tall")
    page = visit(house.enter, width=390, height=500)
    page.locator(".only-narrow button").click()
    page.locator(".drawer .people-foot button").first.click()
    expect(page.get_by_role("heading", name="Who would you like to talk to?")).to_be_focused()
    page.get_by_role("button", name="Describe someone").click()
    heading = page.get_by_role("heading", name="Describe someone")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    assert page.evaluate("window.scrollY") == 0


def test_ones_own_words_are_changed_and_answered_again(house: House, visit: Visit) -> None:
    house.persona("Emend")
    page = visit(house.enter)
    talk_to(page, "Emend")
    house.model.will(says("In March, then."))
    say(page, "I was born in March")
    expect(said(page, "In March, then.")).to_be_visible()

    do(page, "I was born in March", "Edit")
    page.get_by_role("textbox", name="Edit").fill("I was born in May")
    house.model.will(says("May it is."))
    page.get_by_role("button", name="Save and answer again").click()
    expect(said(page, "May it is.")).to_be_visible()
    expect(page.get_by_role("group", name="Wording 2 of 2")).to_have_count(2)

    said(page, "I was born in May").hover()
    said(page, "I was born in May").get_by_role("button", name="Previous wording").click()
    expect(said(page, "I was born in March")).to_be_visible()

    house.model.will(says("And now?"))
    say(page, "Go on")
    expect(said(page, "And now?")).to_be_visible()
    do(page, "I was born in March", "Edit")
    expect(page.get_by_role("button", name="Save and answer again")).to_have_count(0)


def test_stop_stands_where_send_was_and_nobody_writes_while_the_daemon_is_away(new_house: House, visit: Visit) -> None:
    new_house.persona("Mara")
    page = visit(new_house.enter)
    stop, send = page.get_by_role("button", name="Stop"), page.get_by_role("button", name="Send")
    new_house.model.will(says("half a reply " * 200, pause=0.2))
    say(page, "Tell me")
    expect(stop).to_be_visible()
    expect(send).to_have_count(0)
    expect(on_its_way(page)).to_contain_text("half a reply")

    new_house.daemon.kill()
    say(page, "Are you there?")
    expect(page.get_by_text("EchoVessel is not answering.")).to_be_visible()
    expect(stop).to_have_count(0)
    expect(send).to_be_visible()
    expect(page.get_by_text("writing", exact=True)).to_have_count(0)
    expect(page.locator(".timeline-list > li").last).to_contain_text("Waiting to be sent")
    new_house.daemon.start()
    expect(page.get_by_text("EchoVessel is not answering.")).to_have_count(0)


def test_namesakes_are_told_apart_and_the_chosen_one_is_in_sight(new_house: House, visit: Visit) -> None:
    for number in range(14):
        new_house.persona("Mira" if number < 2 else f"Someone {number}")
    page = visit(new_house.enter, height=500)
    people = page.locator(".people-side .person")
    expect(people.first).to_contain_text("since ")
    expect(people.nth(2)).not_to_contain_text("since ")
    people.last.click()
    page.reload()
    expect(page.locator(".people-side .person[aria-current]")).to_be_in_viewport()


def test_the_first_visit_tells_zone_and_language_once(new_house: House, visit: Visit) -> None:
    daemon = new_house.daemon
    daemon.call("PATCH", "/api/v1/me", {"zone": "Etc/UTC", "locale": "en"})
    page = visit(new_house.enter, locale="zh-CN")
    expect(page.get_by_role("heading", name="你想和谁说说话？")).to_be_visible()
    page.get_by_role("button", name="设置").click()
    expect(page.get_by_label("你的时区")).to_have_value("Asia/Shanghai")
    assert daemon.call("GET", "/api/v1/me")["locale"] == "zh"

    page.get_by_label("你的时区").fill("UTC")
    page.locator("form", has=page.get_by_label("你的时区")).get_by_role("button", name="保存").click()
    expect(page.get_by_text("已保存。")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="你想和谁说说话？")).to_be_visible()
    assert daemon.call("GET", "/api/v1/me")["zone"] == "UTC"


def test_the_rooms_name_opens_who_this_is(house: House, visit: Visit) -> None:
    persona = house.persona("Wren")
    page = visit(house.enter)
    talk_to(page, "Wren")
    page.locator(".room-name").click()
    sheet = page.locator(".sheet")
    save = sheet.get_by_role("button", name="Save")
    expect(save).to_be_disabled()
    sheet.get_by_label("In one line").fill("Counts the boats")
    sheet.get_by_label("Who are they?").fill("Lives above the lock.")
    save.click()
    expect(sheet.get_by_text("Saved.")).to_be_visible()
    block = house.daemon.call("GET", f"/api/v1/personas/{persona}/core-blocks")["items"][0]
    assert (block["label"], block["text"]) == ("persona", "Lives above the lock.")

    newer = {"text": "Lives on a barge.", "base_revision": block["revision"]}
    house.daemon.call("PUT", f"/api/v1/personas/{persona}/core-blocks/persona", newer)
    sheet.get_by_label("Who are they?").fill("Lives under the bridge.")
    save.click()
    expect(sheet.get_by_role("alert")).to_contain_text("changed elsewhere meanwhile")
    sheet.get_by_role("button", name="Close").click()
    expect(page.locator(".room-tagline")).to_have_text("Counts the boats")
    page.locator(".room-name").click()
    expect(sheet.get_by_label("Who are they?")).to_have_value("Lives on a barge.")


def test_a_card_that_cannot_be_taken_is_explained_in_chinese(house: House, visit: Visit) -> None:
    house.persona("看门的")
    page = visit(house.enter, locale="zh-CN")
    page.get_by_role("button", name="认识新的人").click()
    chooser = page.locator("input[type=file]")
    picture = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x00IEND\xaeB`\x82"
    for name, data, message in (
        ("face.png", picture, "这张图片里没有角色卡。"),
        ("card.json", b'{"name": "Ida', "这个文件不是完整的 JSON。"),
        ("card.charx", b"PK\x03\x04rest", "这是 CHARX 压缩包，现在还不能读。"),
    ):
        chooser.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": data})
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(message)
        expect(alert).not_to_contain_text("原话")
        expect(alert).to_be_in_viewport()


def test_simple_formatting_is_shown(house: House, visit: Visit) -> None:
    house.persona("Plain")
    page = visit(house.enter)
    talk_to(page, "Plain")
    house.model.will(says("Here:\n\n1. Unplug it.\n2. Wait.\n\n> Never hit it.\n\nIt says `EM-84`."))
    say(page, "How?")
    prose = said(page, "Unplug it.").locator(".prose")
    expect(prose.locator("ol > li")).to_have_text(["Unplug it.", "Wait."])
    expect(prose.locator("blockquote")).to_have_text("Never hit it.")
    expect(prose.locator("code")).to_have_text("EM-84")
