"""Talking with a persona through a running daemon, one turn after the other."""

import time
from dataclasses import dataclass
from typing import Any

from tests.support.daemon import Daemon


@dataclass(frozen=True)
class Talk:
    """A daemon, and a persona to talk with."""

    daemon: Daemon
    persona: str

    def says(self, text: str) -> Any:
        """Say something; returns the persona's message once the turn is over."""
        path = f"/api/v1/personas/{self.persona}/messages"
        return self.ended(self.daemon.call("POST", path, {"text": text})["turn_id"])

    def ended(self, turn_id: str) -> Any:
        until = time.monotonic() + 60
        while (state := self.daemon.call("GET", f"/api/v1/turns/{turn_id}")["state"]) in ("open", "running"):
            assert time.monotonic() < until, f"the turn is still {state}"
            time.sleep(0.02)
        return self.last()

    def retries(self, message: Any) -> Any:
        return self.ended(self.daemon.call("POST", f"/api/v1/messages/{message['id']}/regenerate")["turn_id"])

    def last(self) -> Any:
        return self.daemon.timeline(self.persona)[-1]
