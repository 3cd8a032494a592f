"""The page in two tabs at once, and on a line that breaks: what is said in one shows in the other, and nothing is lost, said
twice or left out.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from echovessel.testing.model_scripts import says
from tests.e2e.conftest import House
from tests.e2e.steps import do, on_its_way, pen, said, say, talk_to
from tests.support.cutting import Line
from tests.support.talking import Talk

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def two_tabs(house: House, visit: Visit, name: str) -> tuple[Page, Page]:
    """The same browser twice, both talking to the same persona."""
    first = visit(house.enter)
    talk_to(first, name)
    second = first.context.new_page()
    second.goto(house.daemon.url)
    talk_to(second, name)
    return first, second


def timeline(page: Page) -> list[str]:
    """What is shown, from the top, without what is under way."""
    return page.locator(".message:not(.message-live, .message-letter) .prose").all_inner_texts()


def test_what_is_said_in_one_tab_grows_and_changes_in_the_other(house: House, visit: Visit) -> None:
    house.persona("Gemma")
    first, second = two_tabs(house, visit, "Gemma")
    house.model.will(says("The ferry leaves at nine, and the lamp is lit. " * 6, pause=0.05))
    say(first, "When does it leave?")
    for page in (first, second):
        expect(on_its_way(page)).to_contain_text("The ferry leaves")
    for page in (first, second):
        expect(said(page, "the lamp is lit")).to_have_count(1)
        expect(on_its_way(page)).to_have_count(0)

    do(second, "When does it leave?", "Edit")
    second.get_by_role("textbox", name="Edit").fill("When does the ferry leave?")
    second.get_by_role("button", name="Save", exact=True).click()
    expect(said(first, "When does the ferry leave?")).to_contain_text("edited")

    house.model.will(says("Not before ten today."))
    first.get_by_role("button", name="Say it another way").click()
    expect(said(second, "Not before ten today.")).to_be_visible()
    expect(second.get_by_role("group", name="Wording 2 of 2").first).to_be_visible()

    do(second, "Not before ten today.", "Delete")
    second.locator(".message-ask").get_by_role("button", name="Delete").click()
    expect(said(first, "Not before ten today.")).to_have_count(0)
    assert timeline(first) == timeline(second) == ["When does the ferry leave?"]


def test_two_pens_do_not_fight(house: House, visit: Visit) -> None:
    house.persona("Twain")
    first, second = two_tabs(house, visit, "Twain")
    pen(first).fill("half a thought")
    pen(second).fill("another one")
    house.model.will(says("I see."))
    pen(second).press("Enter")
    expect(said(first, "I see.")).to_be_visible()
    expect(pen(first)).to_have_value("half a thought")

    first.reload()
    talk_to(first, "Twain")
    expect(pen(first)).to_have_value("half a thought")
    expect(said(first, "another one")).to_have_count(1)
    second.reload()
    talk_to(second, "Twain")
    expect(pen(second)).to_have_value("")


def test_a_letter_that_two_tabs_keep_is_stored_once(house: House, visit: Visit) -> None:
    persona = house.persona("Hale", "Good evening.")
    first = visit(house.enter)
    talk_to(first, "Hale")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            waiting.append(route)
        else:
            route.continue_()

    first.context.route("**/messages*", hold)
    say(first, "Is this letter mine?")
    expect(first.locator(".message-letter")).to_contain_text("Waiting to be sent")
    second = first.context.new_page()
    second.goto(house.daemon.url)
    talk_to(second, "Hale")
    expect(second.locator(".message-letter")).to_contain_text("Is this letter mine?")
    for _ in range(100):
        if len(waiting) < 2:
            first.wait_for_timeout(100)
    assert len(waiting) == 2
    for route in waiting:
        route.continue_()

    for page in (first, second):
        expect(said(page, "Is this letter mine?")).to_have_count(1)
        expect(page.locator(".message-letter")).to_have_count(0)
    assert [m["text"] for m in house.daemon.timeline(persona) if m["speaker"] == "user"] == ["Is this letter mine?"]


def test_two_tabs_find_a_daemon_again_that_was_killed(new_house: House, visit: Visit) -> None:
    persona = new_house.persona("Rook", "Good evening.")
    first, second = two_tabs(new_house, visit, "Rook")
    new_house.daemon.kill()
    say(first, "Are you still there?")
    say(second, "It is dark here.")
    for page in (first, second):
        expect(page.get_by_text("EchoVessel is not answering.")).to_be_visible()

    new_house.daemon.start()
    for page in (first, second):
        expect(page.get_by_text("EchoVessel is not answering.")).to_have_count(0)
        expect(said(page, "Are you still there?")).to_have_count(1)
        expect(said(page, "It is dark here.")).to_have_count(1)
        expect(page.locator(".message-letter")).to_have_count(0)
    heard = [m["text"] for m in new_house.daemon.timeline(persona) if m["speaker"] == "user"]
    assert sorted(heard) == ["Are you still there?", "It is dark here."]


def test_a_line_cut_in_the_middle_of_a_reply_heals_without_a_gap(house: House, visit: Visit) -> None:
    persona = house.persona("Wade")
    with Line(house.daemon.port) as line:
        page = visit(f"http://127.0.0.1:{line.port}/login?token={house.daemon.token}")
        talk_to(page, "Wade")
        for number in range(3):
            house.model.will(
                says(f"Reply {number}: " + "the river runs on and on, " * 8 + f"end of {number}.", pause=0.03)
            )
            say(page, f"Question {number}")
            expect(on_its_way(page)).to_contain_text(f"Reply {number}")
            line.cut()
            if number == 1:
                say(page, "Said into the dark")
                expect(page.get_by_text("What you write is kept here")).to_be_visible()
                house.model.will(says("I heard you in the dark."))
            line.heal()
            expect(said(page, f"end of {number}.")).to_be_visible()
            if number == 1:
                expect(said(page, "I heard you in the dark.")).to_be_visible()
        expect(page.get_by_text("EchoVessel is not answering.")).to_have_count(0)
        expect(page.locator(".message-letter, .message-live")).to_have_count(0)
        shown = timeline(page)

    stored = [message["text"].strip() for message in house.daemon.timeline(persona)]
    assert shown == stored
    assert len([text for text in stored if text == "Said into the dark"]) == 1


def test_a_browser_that_goes_offline_waits_quietly_and_catches_up(house: House, visit: Visit) -> None:
    persona = house.persona("Fen")
    page = visit(house.enter)
    talk_to(page, "Fen")
    page.context.set_offline(True)
    say(page, "Sent from a tunnel")
    expect(page.locator(".message-letter")).to_contain_text("Waiting to be sent")
    house.model.will(says("Written while you were away."))
    Talk(house.daemon, persona).says("From another place")

    page.context.set_offline(False)
    expect(said(page, "Sent from a tunnel")).to_have_count(1)
    expect(said(page, "From another place")).to_have_count(1)
    expect(said(page, "Written while you were away.")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
