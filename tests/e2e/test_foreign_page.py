"""Another site's page, open in the owner's own browser: it can ask, and nothing is done, shown or told to it."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Page
from typing_extensions import override

from tests.e2e.conftest import House
from tests.e2e.steps import talk_to

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

FORM = """<!doctype html><title>elsewhere</title>
<form id="form" method="post" target="sink"></form><iframe name="sink"></iframe>"""


class _Elsewhere(BaseHTTPRequestHandler):
    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(FORM.encode())


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """Another site on this machine. Its port differs, its host does not: to cookies it is the same site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_a_page_elsewhere_gets_nothing_done_with_the_owners_cookie(house: House, visit: Visit, elsewhere: str) -> None:
    daemon = house.daemon
    persona = house.persona("Ward")
    page = visit(house.enter)
    talk_to(page, "Ward")
    other = page.context.new_page()
    other.goto(elsewhere)
    say = f"{daemon.url}/api/v1/personas/{persona}/messages"

    # The forms and requests that need no permission of ours, each with whatever cookies the browser thinks fit.
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        with other.expect_response(say) as answered:
            other.evaluate(
                """([url, kind]) => {
                    const form = document.getElementById("form");
                    Object.assign(form, { action: url, enctype: kind });
                    form.innerHTML = '<input name=\\'{"text": "forged\\' value=\\'"}\\'>';
                    form.submit();
                }""",
                [say, kind],
            )
        assert answered.value.status == 403
    told = other.evaluate(
        """async ([url, home]) => {
            const ask = (to, how) => fetch(to, { credentials: "include", ...how }).then(
                async (answer) => `${answer.type} ${await answer.text()}`,
                (error) => error.name,
            );
            const body = JSON.stringify({ text: "forged" });
            const stream = new Promise((over) => {
                const source = new EventSource(`${home}/api/v1/events`, { withCredentials: true });
                source.onmessage = source.onopen = () => over("heard");
                source.onerror = () => over("refused");
            });
            return [
                await ask(url, { method: "POST", mode: "no-cors", body }),
                await ask(url, { method: "POST", headers: { "Content-Type": "application/json" }, body }),
                await ask(`${home}/api/v1/me`, {}),
                await ask(`${home}/api/v1/me`, { mode: "no-cors" }),
                await stream,
                navigator.sendBeacon(url, body) ? "sent" : "not sent",
            ];
        }""",
        [say, daemon.url],
    )
    other.wait_for_timeout(500)

    assert told[1:] == ["TypeError", "TypeError", told[3], "refused", "sent"]
    assert {told[0], told[3]} <= {"opaque ", "TypeError"}
    assert daemon.timeline(persona) == []
    own = page.evaluate(
        """url => fetch(url, {
            method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: "mine" }),
        }).then((answer) => answer.status)""",
        say,
    )
    assert own == 202


def test_a_page_elsewhere_cannot_show_ours_inside_its_own(house: House, visit: Visit, elsewhere: str) -> None:
    house.persona("Thorne")
    page = visit(house.enter)
    other = page.context.new_page()
    other.goto(elsewhere)
    with other.expect_event("framenavigated"):
        other.evaluate("url => { document.querySelector('iframe').src = url }", house.daemon.url)

    inside = next(frame for frame in other.frames if frame is not other.main_frame)
    assert house.daemon.url not in inside.url
    assert inside.get_by_text("Thorne").count() == 0
