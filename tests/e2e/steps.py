"""What one does on the page, in the words of the tests."""

from playwright.sync_api import Locator, Page, expect


def talk_to(page: Page, name: str) -> None:
    """Choose someone at the side."""
    page.locator(".people-side").get_by_role("button", name=name).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def pen(page: Page) -> Locator:
    """Where one writes."""
    return page.locator(".composer textarea")


def say(page: Page, text: str) -> None:
    """Write it and press Enter."""
    pen(page).fill(text)
    pen(page).press("Enter")


def said(page: Page, text: str) -> Locator:
    """The stored message that holds this text."""
    return page.locator(".message:not(.message-live, .message-letter)", has_text=text)


def on_its_way(page: Page) -> Locator:
    """The reply that is being worded."""
    return page.locator(".message-live")


def do(page: Page, text: str, action: str) -> None:
    """Point at a message and choose what to do with it."""
    said(page, text).hover()
    said(page, text).get_by_role("button", name=action).click()
