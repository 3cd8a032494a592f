"""SQLite's one writer thread: requests that wait together are committed together.

A commit costs a wait for the disk, whatever it holds. So the thread takes all requests that are waiting, runs each in a
savepoint of its own (a request that is alone needs none), commits once, and only then tells any caller. A request that fails
is undone alone. A group waits for the disk when one of its requests has to.
"""

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, StatementError

from echovessel.core.errors import EchoVesselError

T = TypeVar("T")

_LARGEST_GROUP = 256


@dataclass(frozen=True, slots=True)
class _Request(Generic[T]):
    work: Callable[[Connection], T]
    durable: bool
    done: Future[T]


class Writer:
    """Owns the only connection that writes. Any thread may submit."""

    def __init__(
        self,
        connection: Connection,
        *,
        begin: Callable[[Connection, bool], None],
        commit: Callable[[Connection], None],
    ) -> None:
        """`begin` is told whether the commit has to wait for the disk."""
        self._connection = connection
        self._begin = begin
        self._commit = commit
        self._waiting: queue.SimpleQueue[_Request[Any]] = queue.SimpleQueue()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store-writer")

    def submit(self, work: Callable[[Connection], T], *, durable: bool = True) -> Future[T]:
        """Run `work` in the next group. The future is done when the commit is, or holds the error that undid the work."""
        request = _Request(work, durable, Future[T]())
        self._waiting.put(request)
        self._thread.submit(self._write_waiting)
        return request.done

    def alone(self, work: Callable[[Connection], T]) -> Future[T]:
        """Run `work` between groups; it begins and commits for itself, or does what no transaction allows."""

        def run() -> T:
            with _AllOrNone(self._connection, ()):
                return work(self._connection)

        return self._thread.submit(run)

    def close(self) -> None:
        """Write what was submitted, then stop. Blocks."""
        self._thread.shutdown(wait=True)
        self._connection.close()

    def _write_waiting(self) -> None:
        group = self._take_group()
        if not group:
            return  # an earlier group took it along
        with _AllOrNone(self._connection, group):
            self._begin(self._connection, any(request.durable for request in group))
            answered = self._answers(group)
            self._commit(self._connection)
            for request, answer in answered:
                request.done.set_result(answer)

    def _take_group(self) -> list[_Request[Any]]:
        group: list[_Request[Any]] = []
        while len(group) < _LARGEST_GROUP:
            try:
                request = self._waiting.get_nowait()
            except queue.Empty:
                break
            if request.done.set_running_or_notify_cancel():
                group.append(request)
        return group

    def _answers(self, group: Sequence[_Request[Any]]) -> list[tuple[_Request[Any], Any]]:
        """Every request that succeeded, with its answer. One that is alone has nobody to spare: it fails with the group."""
        if len(group) == 1:
            return [(group[0], group[0].work(self._connection))]
        return [(request, answer) for request in group for answer in self._attempt(request)]

    def _attempt(self, request: _Request[T]) -> list[T]:
        """The request's answer, or nothing when it failed by its own fault: then it is undone and its caller told."""
        try:
            with self._connection.begin_nested():
                return [request.work(self._connection)]
        except (EchoVesselError, ValueError, StatementError) as fault:
            if _is_the_databases(fault):
                raise
            request.done.set_exception(fault)
            return []


class _AllOrNone:
    """Whatever stops a group: undo it all and tell every caller that still waits."""

    def __init__(self, connection: Connection, group: Sequence[_Request[Any]]) -> None:
        self._connection = connection
        self._group = group

    def __enter__(self) -> None:
        """Nothing is held before the first statement."""

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        if fault is None:
            return
        self._connection.rollback()
        for request in self._group:
            if not request.done.done():
                request.done.set_exception(fault)


def _is_the_databases(fault: Exception) -> bool:
    """A full disk or a damaged file undoes more than one request; a broken constraint or a wrong value does not."""
    return isinstance(fault, DBAPIError) and not isinstance(fault, IntegrityError | DataError)
