"""The real application of a whole vessel, served on a real socket and spoken to as a client would."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx2
import pytest
from fastapi import FastAPI

from echovessel.core.ids import ConversationId, MessageId, TextId, TurnId, UserId
from echovessel.core.pair import Pair
from echovessel.ports.changes import HearMessage, OpenConversation, PutUser
from echovessel.ports.records import User
from echovessel.testing.world import World
from tests.support.asgi import served

UNKNOWN = "01KBBXQ3M0V2H8S4W6Y7Z9A1C3"


class EventReader:
    """An open event stream; `next` waits for the next event."""

    def __init__(self, api: "Api", after: int | None) -> None:
        self._api = api
        self._headers = {} if after is None else {"Last-Event-ID": str(after)}
        self._open = AsyncExitStack()

    def __enter__(self) -> Self:
        streaming = self._api.client.stream("GET", "/api/v1/events", headers=self._headers, timeout=10)
        answer = self._api.world.run(self._open.enter_async_context(streaming))
        assert answer.status_code == 200
        self._lines = answer.aiter_lines()
        return self

    def __exit__(self, *_: object) -> None:
        self._api.world.run(self._open.aclose())

    def next(self) -> "Event":
        """The next event; comments are passed over."""
        return self._api.world.run(asyncio.wait_for(self._next(), 10))

    def until(self, name: str) -> "list[Event]":
        """All events up to and with the first one of that name."""
        seen = [self.next()]
        while seen[-1].name != name:
            seen.append(self.next())
        return seen

    async def _next(self) -> "Event":
        fields: dict[str, str] = {}
        async for line in self._lines:
            if not line and "event" in fields:
                return Event(fields["event"], json.loads(fields["data"]), int(fields["id"]) if "id" in fields else None)
            if line and not line.startswith(":"):
                key, _, value = line.partition(": ")
                fields[key] = value
        raise AssertionError("the stream ended")


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    name: str
    data: Any
    id: int | None


class Api:
    """A client with the token. Every call runs in the world's event loop, where the server runs too."""

    def __init__(self, world: World, app: FastAPI, client: httpx2.AsyncClient) -> None:
        self.world = world
        self.app = app
        self.client = client

    def call(self, method: str, path: str, **request: Any) -> httpx2.Response:
        """Any request."""
        return self.world.run(self.client.request(method, path, **request))

    def get(self, path: str, **query: Any) -> Any:
        """GET that must work; its JSON."""
        return self._well(self.call("GET", path, params=query))

    def post(self, path: str, body: Any = None) -> Any:
        """POST that must work; its JSON."""
        return self._well(self.call("POST", path, json=body))

    def patch(self, path: str, body: Any) -> Any:
        """PATCH that must work; its JSON."""
        return self._well(self.call("PATCH", path, json=body))

    def events(self, after: int | None = None) -> EventReader:
        """The event stream, from now on or after an event."""
        return EventReader(self, after)

    @property
    def persona(self) -> str:
        """The path of the world's persona."""
        return f"/api/v1/personas/{self.world.pair.persona_id}"

    @staticmethod
    def _well(answer: httpx2.Response) -> Any:
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None


@contextmanager
def serving(world: World) -> Iterator[Api]:
    """The API of a vessel on a socket, and a client with the right token."""
    stack = AsyncExitStack()
    app = world.vessel.app()

    async def start() -> httpx2.AsyncClient:
        url = await stack.enter_async_context(served(app))
        headers = {"Authorization": f"Bearer {world.vessel.token}"}
        client = httpx2.AsyncClient(base_url=url, headers=headers, timeout=60, trust_env=False, verify=False)
        return await stack.enter_async_context(client)

    yield Api(world, app, world.run(start()))
    world.run(stack.aclose())


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A vessel with one persona and a scripted model."""
    with World(tmp_path) as vessel:
        yield vessel


@pytest.fixture
def api(world: World) -> Iterator[Api]:
    """The API of `world`."""
    with serving(world) as opened:
        yield opened


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A vessel that a module's tests share: for requests that must change nothing."""
    with World(tmp_path_factory.mktemp("steady")) as vessel, serving(vessel) as opened:
        yield opened


@dataclass(frozen=True)
class Stranger:
    """Another user of the same home, who talked to the same persona."""

    user_id: UserId
    message_id: MessageId
    turn_id: TurnId
    text: str = "stranger's secret"


@pytest.fixture
def stranger(world: World) -> Stranger:
    """Someone else's message and turn; nothing of theirs may ever be seen."""
    ids, now = world.ids, world.clock.now()
    user_id, conversation_id = UserId(ids.ulid()), ConversationId(ids.ulid())
    message_id, turn_id = MessageId(ids.ulid()), TurnId(ids.ulid())
    pair = Pair(user_id, world.pair.persona_id)
    user = User(id=user_id, name="Stranger", zone="UTC", locale="en", created_at=now)
    heard = HearMessage(
        message_id=message_id,
        text_id=TextId(ids.ulid()),
        turn_id=turn_id,
        conversation_id=conversation_id,
        pair=pair,
        channel="page",
        text=Stranger.text,
        sent_at=now,
        zone="UTC",
        due_at=now.replace(year=now.year + 1),
    )
    opened = OpenConversation(conversation_id=conversation_id, pair=pair, channel="page", key="theirs", at=now)
    world.run(world.vessel.deps.store.apply([PutUser(user=user), opened, heard]))
    world.vessel.deps.bells.ring()
    return Stranger(user_id, message_id, turn_id)
