"""What a person does on the page, in a real browser, against a real daemon and a real model endpoint."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from echovessel.testing.model_scripts import cuts_after, fails, says
from tests.e2e.conftest import House
from tests.e2e.steps import do, on_its_way, pen, said, say, talk_to

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def test_from_the_first_visit_to_finding_an_old_word(new_house: House, visit: Visit) -> None:
    model = new_house.model
    page = visit(new_house.enter)
    expect(page.get_by_role("heading", name="Who would you like to talk to?")).to_be_visible()
    page.get_by_role("button", name="Describe someone").click()
    page.get_by_label("Name", exact=True).fill("Mara")
    page.get_by_label("Who are they?").fill("Keeps the harbour light.")
    page.get_by_label("Their first words").fill("Mind the step.")
    page.get_by_role("button", name="Bring them to life").click()
    expect(said(page, "Mind the step.")).to_be_visible()

    # A reply that streams, then one that is stopped.
    model.will(says("You came back, and it rains."))
    say(page, "那盆龟背竹黄了")
    expect(said(page, "You came back, and it rains.")).to_be_visible()
    expect(page.locator(".day")).to_have_text("Today")

    model.will(says("I could tell you about the storm " * 40, pause=0.05))
    say(page, "Tell me about the lantern room")
    expect(on_its_way(page)).to_contain_text("about the storm")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("You stopped it here.")).to_be_visible()
    assert model.waits_for_hang_up()

    # Worded again: two wordings to leaf through.
    model.will(says("A short story, then: the lamp never failed."))
    page.get_by_role("button", name="Say it another way").click()
    expect(said(page, "the lamp never failed")).to_be_visible()
    expect(page.get_by_role("group", name="Wording 2 of 2")).to_be_visible()
    page.get_by_role("button", name="Previous wording").click()
    expect(said(page, "I could tell you")).to_be_visible()
    page.get_by_role("button", name="Next wording").click()
    expect(said(page, "the lamp never failed")).to_be_visible()

    # Edited, and still so after a reload.
    do(page, "那盆龟背竹黄了", "Edit")
    page.get_by_role("textbox", name="Edit").fill("那盆龟背竹的叶尖黄了")
    page.get_by_role("button", name="Save").click()
    expect(said(page, "叶尖黄了")).to_contain_text("edited")
    page.reload()
    expect(said(page, "那盆龟背竹的叶尖黄了")).to_be_visible()
    expect(said(page, "the lamp never failed")).to_be_visible()

    # Found in both languages.
    page.get_by_role("button", name="Search").click()
    page.get_by_role("searchbox").fill("叶尖")
    expect(page.locator(".hit")).to_have_count(1)
    expect(page.locator(".hit mark")).to_have_text("叶尖")
    page.get_by_role("searchbox").fill("lantern")
    expect(page.locator(".hit")).to_contain_text("Tell me about the lantern room")
    page.locator(".hit").click()
    expect(said(page, "lantern room")).to_be_focused()

    # Deleted, after a gentle question.
    do(page, "lantern room", "Delete")
    page.get_by_role("button", name="Keep it").click()
    do(page, "lantern room", "Delete")
    page.locator(".message-ask").get_by_role("button", name="Delete").click()
    expect(said(page, "lantern room")).to_have_count(0)


def test_a_failed_reply_says_what_to_do_and_is_retried(house: House, visit: Visit) -> None:
    house.persona("Rowan")
    page = visit(house.enter)
    talk_to(page, "Rowan")

    house.model.will(fails(401, "bad key"))
    say(page, "Are you there?")
    trouble = page.get_by_role("alert")
    expect(trouble).to_contain_text("refused the key")
    house.model.will(says("I am."))
    page.get_by_role("button", name="Try again").click()
    expect(said(page, "I am.")).to_be_visible()
    expect(trouble).to_have_count(0)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)

    house.model.will(cuts_after("Once there was"))
    say(page, "Go on")
    expect(page.get_by_text("It broke off here.")).to_be_visible()
    expect(said(page, "Once there was")).to_be_visible()

    house.model.will(says("Still here."))
    say(page, "And now?")
    expect(said(page, "Still here.")).to_be_visible()


def test_a_failed_reply_is_explained_in_chinese_too(house: House, visit: Visit) -> None:
    house.persona("若木")
    page = visit(house.enter, locale="zh-CN")
    talk_to(page, "若木")
    house.model.will(fails(429, "slow down"))
    say(page, "在吗？")
    expect(page.get_by_role("alert")).to_contain_text("模型服务太忙了。")
    expect(page.get_by_role("button", name="再试一次")).to_be_visible()


def test_a_reply_survives_a_closed_page(house: House, visit: Visit) -> None:
    house.persona("Ines")
    page = visit(house.enter)
    talk_to(page, "Ines")
    house.model.will(says("It took me a while to find the right words.", pause=0.15))
    say(page, "What do you think?")
    expect(on_its_way(page)).to_contain_text("It took")
    page.close()

    back = visit(house.enter)
    talk_to(back, "Ines")
    expect(said(back, "It took me a while to find the right words.")).to_be_visible()
    expect(on_its_way(back)).to_have_count(0)


def test_a_second_page_joins_in_the_middle_of_a_reply(house: House, visit: Visit) -> None:
    house.persona("Odile")
    first, second = visit(house.enter), visit(house.enter)
    talk_to(first, "Odile")
    house.model.will(says("🌱 It begins here, and goes on for a while, and ends here.", pause=0.3))
    say(first, "Speak slowly")
    expect(on_its_way(first)).to_contain_text("It begins")

    talk_to(second, "Odile")
    expect(on_its_way(second)).to_contain_text("🌱 It begins here")
    for page in (first, second):
        expect(said(page, "🌱 It begins here, and goes on for a while, and ends here.")).to_be_visible()


def test_what_is_written_while_the_daemon_is_away_is_sent_when_it_is_back(new_house: House, visit: Visit) -> None:
    persona = new_house.persona("Mara")
    page = visit(new_house.enter)
    expect(pen(page)).to_be_visible()
    new_house.daemon.kill()
    say(page, "第一句 while you were away")
    say(page, "第二句")
    expect(page.get_by_text("EchoVessel is not answering.")).to_be_visible()
    expect(page.get_by_text("Waiting to be sent")).to_have_count(2)

    new_house.model.will(says("I read both."))
    new_house.daemon.start()
    expect(said(page, "I read both.")).to_be_visible()
    expect(page.get_by_text("EchoVessel is not answering.")).to_have_count(0)
    mine = [m["text"] for m in new_house.daemon.timeline(persona) if m["speaker"] == "user"]
    assert mine == ["第一句 while you were away", "第二句"]


def test_an_unsent_text_survives_a_reload(house: House, visit: Visit) -> None:
    house.persona("Vera")
    page = visit(house.enter)
    talk_to(page, "Vera")
    pen(page).fill("half a thought\nand a second line")
    page.reload()
    expect(pen(page)).to_have_value("half a thought\nand a second line")


def test_enter_that_ends_a_chinese_composition_does_not_send(house: House, visit: Visit) -> None:
    house.persona("知夏")
    page = visit(house.enter, locale="zh-CN")
    talk_to(page, "知夏")
    pen(page).click()

    input_method = page.context.new_cdp_session(page)
    input_method.send("Input.imeSetComposition", {"text": "ni hao", "selectionStart": 6, "selectionEnd": 6})
    page.keyboard.press("Enter")
    expect(page.locator(".message")).to_have_count(0)
    input_method.send("Input.insertText", {"text": "你好"})

    pen(page).fill("你好，")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("again")
    house.model.will(says("嗯，你好。"))
    page.keyboard.press("Enter")
    expect(said(page, "嗯，你好。")).to_be_visible()
    assert page.locator(".message-user .message-body").inner_text() == "你好，\nagain"


def test_what_is_said_is_shown_as_text_and_never_as_html(house: House, visit: Visit) -> None:
    house.persona("<img src=x onerror=alert(1)>")
    page = visit(house.enter)
    talk_to(page, "<img src=x")
    house.model.will(says("<script>alert(1)</script> *smiles* <b>bold</b>"))
    say(page, '<a href="javascript:alert(1)">here</a>')
    expect(said(page, "<script>alert(1)</script> smiles <b>bold</b>")).to_be_visible()
    assert page.locator(".timeline :is(img, script, b, a)").count() == 0
    expect(page.locator(".prose em")).to_have_text("smiles")


def test_an_old_word_is_shown_in_its_place_and_one_finds_back_to_now(house: House, visit: Visit) -> None:
    persona = house.persona("Anselm")
    turns = [
        {
            "turn_id": f"t{n}",
            "speaker": "Me",
            "at": f"2024-03-{1 + n // 10:02}T1{n % 10}:00:00",
            "text": f"line {n}",
        }
        for n in range(200)
    ]
    turns[60]["text"] = "the kingfisher by the weir"
    line = {"conv_id": "c", "speakers": ["Me", "Anselm"], "sessions": [{"session_id": "s", "turns": turns}]}
    report = house.daemon.call("POST", f"/api/v1/personas/{persona}/imports?me=Me", json.dumps(line).encode())
    assert report["added"] == 200

    page = visit(house.enter)
    talk_to(page, "Anselm")
    expect(said(page, "line 199")).to_be_in_viewport()
    page.get_by_role("button", name="Search").click()
    page.get_by_role("searchbox").fill("kingfisher")
    page.locator(".hit").click()
    expect(said(page, "the kingfisher by the weir")).to_be_in_viewport()
    expect(said(page, "line 199")).to_have_count(0)

    page.locator(".timeline").evaluate("area => { area.scrollTop = 0 }")
    expect(said(page, "line 20")).to_have_count(1)
    expect(said(page, "the kingfisher by the weir")).to_have_count(1)
    page.get_by_role("button", name="Back to now").click()
    expect(said(page, "line 199")).to_be_in_viewport()


def test_without_a_model_the_keeper_answers_until_one_is_connected(house_without_model: House, visit: Visit) -> None:
    model = house_without_model.model
    page = visit(house_without_model.enter)
    page.get_by_role("button", name="Describe someone").click()
    page.get_by_label("Name", exact=True).fill("Mara")
    page.get_by_role("button", name="Bring them to life").click()
    expect(page.get_by_role("heading", name="Something to think with")).to_be_visible()
    page.get_by_role("button", name="Go on without one").click()
    say(page, "Hello?")
    expect(page.locator(".message-keeper")).to_contain_text("The keeper, not Mara")

    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Address").fill(model.base_url)
    page.get_by_label("Model", exact=True).fill("scripted")
    model.will(fails(401, "bad key"))
    page.get_by_role("button", name="Test it").click()
    expect(page.get_by_role("alert")).to_contain_text("refused the key")
    model.will(says("Hi"))
    page.get_by_role("button", name="Test it").click()
    expect(page.get_by_text("It answered: scripted")).to_be_visible()
    page.get_by_role("button", name="Connect", exact=True).click()
    expect(page.get_by_text("Personas speak through scripted.")).to_be_visible()
    page.get_by_role("button", name="Close").click()

    model.will(says("There you are."))
    say(page, "And now?")
    expect(said(page, "There you are.")).to_be_visible()
    expect(said(page, "There you are.")).not_to_contain_text("keeper")


def test_what_is_typed_while_the_settings_are_on_their_way_is_kept(house: House, visit: Visit) -> None:
    house.persona("Nobody Special")
    page = visit(house.enter)
    asked: list[Route] = []

    def hold_the_second(route: Route) -> None:
        asked.append(route)
        if len(asked) != 2:  # the section asks first, then the form inside it
            route.continue_()

    page.route("**/api/v1/settings", hold_the_second)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Model", exact=True).fill("typed-before")
    while len(asked) < 2:
        page.wait_for_timeout(20)

    asked[1].continue_()

    expect(page.get_by_label("Address")).to_have_value(house.model.base_url)
    expect(page.get_by_label("Model", exact=True)).to_have_value("typed-before")


def test_someone_from_the_shelf_and_someone_from_a_card(house: House, visit: Visit) -> None:
    house.persona("Nobody Special")
    page = visit(house.enter)
    page.get_by_role("button", name="Someone new").click()
    page.locator(".shelf-card").first.click()
    expect(page.locator(".message-persona").first).to_be_visible()

    page.get_by_role("button", name="Someone new").click()
    chooser = page.locator("input[type=file]")
    chooser.set_input_files({"name": "no-card.png", "mimeType": "image/png", "buffer": b"not a picture"})
    expect(page.get_by_role("alert")).to_be_visible()
    card = {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {"name": "Tamsin", "description": "Repairs clocks.", "first_mes": "Listen to that tick."},
    }
    chooser.set_input_files(
        {"name": "tamsin.json", "mimeType": "application/json", "buffer": json.dumps(card).encode()}
    )
    expect(page.get_by_role("status")).to_contain_text("The card does not say: personality, scenario, mes_example.")
    page.get_by_role("button", name="Meet Tamsin").click()
    expect(page.get_by_role("heading", name="Tamsin")).to_be_visible()
    expect(said(page, "Listen to that tick.")).to_be_visible()


def test_without_the_token_there_is_a_door(house: House, visit: Visit) -> None:
    house.persona("Porter")
    page = visit(house.daemon.url)
    page.get_by_label("Token").fill("not the token")
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_role("alert")).to_contain_text("That is not the token")
    page.get_by_label("Token").fill(house.daemon.token)
    page.get_by_role("button", name="Come in").click()
    expect(pen(page)).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "title"), [("zh-CN", "你想和谁说说话？"), ("en-GB", "Who would you like to talk to?")]
)
def test_on_a_phone_nothing_is_wider_than_the_screen(house: House, visit: Visit, locale: str, title: str) -> None:
    name = f"Longname {locale}"
    house.persona(name, "unbroken" * 60)
    page = visit(house.enter, locale=locale, width=360, height=640)

    def fits() -> bool:
        return page.evaluate("document.documentElement.scrollWidth") <= 360

    page.locator(".only-narrow button").click()
    assert fits()
    page.locator(".drawer").get_by_role("button", name=name).click()
    expect(said(page, "unbroken")).to_be_visible()
    assert fits()
    page.locator(".only-narrow button").click()
    page.locator(".drawer .people-foot button").first.click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    assert fits()
    page.locator(".welcome-top .icon-button").click()
    expect(page.locator(".sheet")).to_be_visible()
    assert fits()


def test_language_and_light_are_chosen_and_kept(house: House, visit: Visit) -> None:
    house.persona("Lumen")
    page = visit(house.enter)
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("中文").click()
    expect(page.get_by_role("heading", name="设置")).to_be_visible()
    page.get_by_text("深色").click()
    page.reload()
    expect(page.get_by_role("button", name="认识新的人")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    assert house.daemon.call("GET", "/api/v1/me")["locale"] == "zh"
