"""The terminal's desk over the HTTP API: implements `ports.desk.Desk` and `Talk`."""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Self
from zoneinfo import ZoneInfo

from echovessel.adapters.system import SystemClock, SystemIds
from echovessel.core.errors import NotFound
from echovessel.core.ids import MessageId, TurnId
from echovessel.core.talk import Speaker, Trouble, Voice, voice_of
from echovessel.ports.desk import Line
from echovessel.ports.front import AlsoSaid, ReplyDelta, ReplyDone, ReplyFailed, TurnEvent
from echovessel.runtime.client import Client, Json, ServerEvent

CHANNEL = "terminal"


class HttpDesk:
    """Whom the owner may talk with."""

    def __init__(self, client: Client) -> None:
        self._client = client
        me = client.get("/api/v1/me")
        self._zone = ZoneInfo(me["zone"])
        self.locale: str = me["locale"]

    def names(self) -> Sequence[str]:
        """The personas' names."""
        return [persona["name"] for persona in self._client.all_items("/api/v1/personas")]

    def open(self, name: str) -> "HttpTalk":
        """A talk with the persona called `name` (empty: the only one there is), which greets if it is new."""
        persona = find_persona(self._client, name)
        talk = HttpTalk(self._client, persona, self._zone)
        if not talk.recent(1):
            self._client.post(f"/api/v1/personas/{persona['id']}/greetings?channel={CHANNEL}")
            talk.greeted = talk.recent(1)
        return talk


class HttpTalk:
    """One persona's timeline."""

    def __init__(self, client: Client, persona: Json, zone: ZoneInfo) -> None:
        self._client = client
        self._zone = zone
        self._path = f"/api/v1/personas/{persona['id']}"
        self._ids = SystemIds(SystemClock())
        self._turn: TurnId | None = None
        self.persona: str = persona["name"]
        self.greeted: Sequence[Line] = ()

    def recent(self, limit: int) -> Sequence[Line]:
        """The last things said, the oldest first."""
        page = self._client.get(f"{self._path}/messages", limit=limit)
        return [self._line(message) for message in reversed(page["items"])]

    @contextmanager
    def say(self, text: str) -> Generator[Iterator[TurnEvent]]:
        """Say something and follow the answer."""
        body: Json = {"text": text, "client_id": self._ids.ulid(), "channel": CHANNEL}
        with self._following(lambda: self._client.post(f"{self._path}/messages", body)) as events:
            yield events

    @contextmanager
    def regenerate(self, message_id: MessageId) -> Generator[Iterator[TurnEvent]]:
        """Word an answer again and follow it."""
        with self._following(lambda: self._client.post(f"/api/v1/messages/{message_id}/regenerate")) as events:
            yield events

    def stop(self) -> None:
        """Stop the answer that is being followed."""
        if self._turn:
            self._client.post(f"/api/v1/turns/{self._turn}/stop")

    @contextmanager
    def _following(self, ask: Callable[[], Json]) -> Generator[Iterator[TurnEvent]]:
        """We listen before we ask, so that no piece of the answer is missed."""
        with self._client.events() as stream:
            self._turn = TurnId(ask()["turn_id"])
            yield _TurnEvents(stream, self._turn)

    def _line(self, message: Json) -> Line:
        return Line(
            id=MessageId(message["id"]),
            voice=voice_in(message),
            text=message["text"],
            at=datetime.fromisoformat(message["sent_at"]).astimezone(self._zone),
            trouble=Trouble(**message["trouble"]) if message["trouble"] else None,
        )


def voice_in(message: Json) -> Voice:
    """Whose words a message of the API holds."""
    return voice_of(Speaker(message["speaker"]), message["made_by"])


def find_persona(client: Client, name: str, *, exactly: bool = False) -> Json:
    """The persona of that name or id, or (not `exactly`) the only one whose name begins so; with no name, the only one there
    is. NotFound names those there are."""
    personas = list(client.all_items("/api/v1/personas"))
    if not personas:
        raise NotFound(
            "There is no persona yet.",
            do="Take one from the library (`echovessel persona take`), or make one (`echovessel persona new NAME`).",
        )
    asked = name.casefold()
    exact = [p for p in personas if name and asked in {p["name"].casefold(), p["id"].casefold()}]
    begun = [p for p in personas if p["name"].casefold().startswith(asked)]
    if exact or (len(begun) == 1 and not exactly):
        return (exact or begun)[0]
    among = ", ".join(p["name"] for p in begun or personas)
    wrong = f"There is no persona called {name}."
    if begun:
        wrong = f"More than one persona's name begins with {name}." if name else "There is more than one persona."
    raise NotFound(wrong, do=f"Name one of: {among}.")


class _TurnEvents:
    """The events of one turn. Not a generator: that would end with a KeyboardInterrupt that comes while it waits."""

    def __init__(self, stream: Iterator[ServerEvent], turn_id: TurnId) -> None:
        self._stream = stream
        self._turn_id = turn_id
        self._told = ""
        self._last: deque[TurnEvent] | None = None

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> TurnEvent:
        while self._last is None:
            event = next(self._stream)
            if event.name == "message.created":
                message = event.data["message"]
                if message["turn_id"] == self._turn_id and voice_in(message) is Voice.CARE:
                    return AlsoSaid(self._turn_id, MessageId(message["id"]), Voice.CARE, message["text"])
            if event.data.get("turn_id") != self._turn_id:
                continue
            if event.name == "reply.delta":
                return self._delta(event.data)
            if event.name in {"reply.done", "reply.failed"}:
                self._last = deque(self._ending(event.data))
        if not self._last:
            raise StopIteration
        return self._last.popleft()

    def _delta(self, data: Json) -> TurnEvent:
        text = data["text"]
        self._told = text if data["reset"] else self._told + text
        return ReplyDelta(self._turn_id, data["offset"], text, data["reset"])

    def _ending(self, data: Json) -> Iterator[TurnEvent]:
        """What was not streamed (the keeper's answer comes whole), then how it ended."""
        # There is no message when all that the turn answered was deleted.
        message: Json = data["message"] or {"id": None, "text": "", "speaker": Speaker.PERSONA, "made_by": ""}
        rest = message["text"].removeprefix(self._told)
        if rest:
            anew = bool(self._told) and rest == message["text"]
            yield ReplyDelta(self._turn_id, 0 if anew else len(self._told), rest, anew, voice_in(message))
        message_id = message["id"] and MessageId(message["id"])
        if trouble := data.get("trouble"):
            yield ReplyFailed(self._turn_id, message_id, Trouble(**trouble))
        else:
            yield ReplyDone(self._turn_id, message_id)
