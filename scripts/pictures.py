"""Take the README's pictures anew: `python -m scripts.pictures`, from the project's root, with the page built.

A real daemon on a temporary home, a persona of the library, a scripted model, the system's Chromium. The fonts are those
of the machine it runs on: it should have a good serif for Latin and for Chinese.
"""

import json
import tempfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from echovessel.testing.model_scripts import says
from echovessel.testing.model_server import ModelServer
from tests.support import chromium
from tests.support.daemon import Daemon, running

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SIZE = {"width": 1180, "height": 800}
SETTLED_MS = 800


@dataclass(frozen=True)
class Talk:
    """What is seen on a picture: yesterday's talk (the person begins), and today's question with two answers to it."""

    locale: str
    browser: str
    zone: str
    slug: str
    name: str
    again: str
    yesterday: tuple[str, ...]
    question: str
    answers: tuple[str, str]


ENGLISH = Talk(
    locale="en",
    browser="en-GB",
    zone="Europe/London",
    slug="mender",
    name="Ines Farrow",
    again="Say it another way",
    yesterday=(
        "My grandfather's radio hums, and then nothing. I didn't know whom to ask.",
        "Right then. What happened just before it stopped? Not that day, the week before.",
        "We moved. It rode in the boot of the car, under the plants.",
        (
            "Then I'd look at the solder before I looked at anything clever. Nothing dies of moving, but things come loose."
            "\n\nBefore I touch it: what must stay as it is?"
        ),
        "The hum. He used to say it was clearing its throat.",
    ),
    question="I opened the back, as you said. There are letters folded behind the dial.",
    answers=(
        "Leave them where they are for now.",
        (
            "That'll be your hum. Paper that close to a speaker sings along.\n\n"
            "You told me he called it clearing its throat. So: do you want them read, or do you want the hum back first?"
        ),
    ),
)

CHINESE = Talk(
    locale="zh",
    browser="zh-CN",
    zone="Asia/Shanghai",
    slug="mender",
    name="秦根生",
    again="换个说法",
    yesterday=(
        "外公那台收音机，开了嗡一声就没声了，也不知道拿给谁看。",
        "来，我看看。坏之前碰过哪儿？不是当天，往前数一个礼拜。",
        "搬过一次家。放在后备箱里，上面压着几盆花。",
        "那先看焊点，别的不急。搬家搬不死东西，就是容易松。\n\n动手之前问一句：修好以后，哪一样不能变？",
        "那个嗡声。他老说那是收音机在清嗓子。",
    ),
    question="照你说的把后盖打开了，刻度盘后面夹着几封信。",
    answers=(
        "先别动它们。",
        (
            "那嗡声多半就是它们。纸贴着喇叭，会跟着响。\n\n"
            "你说过，他管这叫清嗓子。那你想想：是先看信，还是先把嗡声留住？急什么，放一夜再说。"
        ),
    ),
)


def main() -> None:
    """One home a language; the English one in light and in dark."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = chromium.find_chromium()
    if path is None:
        raise SystemExit(chromium.HOW_TO_GET_IT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.ARGUMENTS))
        take(browser, ENGLISH, {"talk.png": False, "talk-dark.png": True})
        take(browser, CHINESE, {"talk-zh.png": False})
        browser.close()


def take(browser: Browser, talk: Talk, pictures: dict[str, bool]) -> None:
    """Have the talk, then take each picture (file name → whether it is dark)."""
    with tempfile.TemporaryDirectory() as folder, ModelServer() as model:
        settings: dict[str, object] = {"llm.base_url": model.base_url, "llm.model": "scripted", "turn.debounce_s": 0.2}
        for daemon in running(Path(folder) / "home", **settings):
            furnish(daemon, talk)
            for number, (name, dark) in enumerate(pictures.items()):
                page = enter(browser, daemon, talk, dark=dark)
                if number == 0:
                    have_todays_talk(page, model, talk)
                page.mouse.move(0, 0)
                page.wait_for_timeout(SETTLED_MS)
                page.screenshot(path=PICTURES / name)
                page.context.close()


def furnish(daemon: Daemon, talk: Talk) -> None:
    """Take in the whole shelf, and remember yesterday."""
    daemon.call("PATCH", "/api/v1/me", {"locale": talk.locale, "zone": talk.zone})
    shelf = [one["slug"] for one in daemon.call("GET", "/api/v1/library")["items"] if one["locale"] == talk.locale]
    taken = {slug: daemon.call("POST", f"/api/v1/library/{slug}", {"locale": talk.locale}) for slug in shelf}
    persona = taken[talk.slug]
    begun = datetime.fromisoformat(persona["created_at"]) - timedelta(days=1)
    turns = [
        {
            "turn_id": f"t{number}",
            "speaker": talk.name if number % 2 else "Me",
            "at": (begun + timedelta(seconds=50 * number)).isoformat(),
            "text": text,
        }
        for number, text in enumerate(talk.yesterday)
    ]
    line = {"conv_id": "yesterday", "speakers": ["Me", talk.name], "sessions": [{"session_id": "s", "turns": turns}]}
    daemon.call("POST", f"/api/v1/personas/{persona['id']}/imports?me=Me", json.dumps(line).encode())


def enter(browser: Browser, daemon: Daemon, talk: Talk, *, dark: bool) -> Page:
    """The page, in the room of the talk."""
    context = browser.new_context(
        locale=talk.browser,
        timezone_id=talk.zone,
        viewport={"width": SIZE["width"], "height": SIZE["height"]},
        color_scheme="dark" if dark else "light",
        device_scale_factor=2,
    )
    page = context.new_page()
    page.goto(f"{daemon.url}/login?token={daemon.token}")
    page.locator(".people-side").get_by_role("button", name=talk.name).click()
    page.get_by_role("heading", name=talk.name).wait_for()
    return page


def have_todays_talk(page: Page, model: ModelServer, talk: Talk) -> None:
    """Ask, and have the answer worded twice."""
    first, second = talk.answers
    model.will(says(first), says(second))
    pen = page.locator(".composer textarea")
    pen.fill(talk.question)
    pen.press("Enter")
    page.locator(".message", has_text=first).wait_for()
    page.get_by_role("button", name=talk.again).click()
    page.get_by_text("2/2").wait_for()


if __name__ == "__main__":
    main()
