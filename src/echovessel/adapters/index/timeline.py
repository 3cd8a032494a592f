"""One pair's timeline as arrays: both arms, and everything the score asks about a message's surroundings."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

import numpy as np

from echovessel.adapters.index.growing import Growing
from echovessel.adapters.index.postings import Postings
from echovessel.adapters.index.vectors import UnitVectors
from echovessel.core.ids import MessageId, TextId
from echovessel.core.talk import Speaker
from echovessel.core.text import estimate_tokens, tokens
from echovessel.core.time import milliseconds
from echovessel.memory.l2_log import SESSION_GAP, is_question
from echovessel.memory.question import terms
from echovessel.memory.recall import Candidates, Neighbour
from echovessel.memory.scoring import Column, Evidence, Mask, Rows, Surroundings, Weights, weigh
from echovessel.ports.embedder import Embedder, Vectors
from echovessel.ports.index import Query
from echovessel.ports.records import IndexRow

TOP = 64
"""How many candidates an answer has at most."""
REACH = 2
"""How many neighbours on each side a candidate brings."""
_BYTES_A_ROW = 300
_FLOAT_BYTES = 4
_GAP_MS = int(SESSION_GAP.total_seconds() * 1000)


class Timeline:
    """Rows are numbered in the order they came and never move; `_order` lists the live ones as they were said.

    An edited message gets a new row in its old place; the old row stays behind, `wasted`, until the timeline is built anew.
    """

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._postings = Postings()
        self._dimension = embedder.dimension if embedder else 1
        self._vectors = UnitVectors(self._dimension)
        self._ids: list[MessageId] = []
        self._text_ids: list[TextId] = []
        self._row_of: dict[MessageId, int] = {}
        self._order: Growing[np.intp] = Growing(np.intp)
        self._said_at: Growing[np.int64] = Growing(np.int64)
        self._by_user: Growing[np.bool_] = Growing(np.bool_)
        self._question: Growing[np.bool_] = Growing(np.bool_)
        self._tokens: Growing[np.int32] = Growing(np.int32)

    def __len__(self) -> int:
        return len(self._order)

    @property
    def wasted(self) -> int:
        """Rows of messages that were edited or deleted."""
        return len(self._ids) - len(self._order)

    @property
    def nbytes(self) -> int:
        """About how much memory this takes."""
        return self._postings.nbytes + self._vectors.nbytes + _BYTES_A_ROW * len(self._ids)

    def put(self, rows: Sequence[IndexRow]) -> None:
        """Add messages, replace edited ones, give vectors to those that had none. Many at once are cheapest in the order they
        were said."""
        self._put_words([row for row in rows if not self._holds(row)])
        self._put_vectors([row for row in rows if row.vector is not None])

    def drop(self, ids: Iterable[MessageId]) -> None:
        """Take out messages; unknown ones are passed over."""
        for message_id in ids:
            row = self._row_of.pop(message_id, None)
            if row is not None:
                self._order.remove(self._place(row))

    def candidates(self, query: Query) -> Candidates:
        """The best candidates of all arms, with the factors of their scores."""
        order = self._order.rows
        keyword, coverage = (column[order] for column in self._postings.score(terms(query.text)))
        similarity = self._similarity(query)[order]
        shown = self._barred(query, order)
        for column in (keyword, coverage, similarity):
            column[shown] = 0
        session = self._sessions(order)
        around = Surroundings(
            session=session, asked=self._asked(query.about, order), question=self._question.rows[order]
        )
        factors = weigh(Evidence(keyword=keyword, similarity=similarity), around, Weights())
        found = factors.keyword + factors.vector + factors.neighbours + factors.session > 0
        found[shown] = False
        best = _best(np.where(found, factors.score(), -np.inf).astype(np.float32), int(found.sum()))
        beside = _Beside(self, order, session, shown)
        rows: list[int] = order[best].tolist()
        return Candidates(
            ids=tuple(self._ids[row] for row in rows),
            tokens=tuple(int(self._tokens.rows[row]) for row in rows),
            before=tuple(beside.of(place, -1) for place in best.tolist()),
            after=tuple(beside.of(place, 1) for place in best.tolist()),
            similarity=similarity[best],
            coverage=coverage[best],
            factors=factors.take(best),
        )

    def neighbour(self, row: int) -> Neighbour:
        """A row as a neighbour of another."""
        return Neighbour(self._ids[row], int(self._tokens.rows[row]))

    def _holds(self, row: IndexRow) -> bool:
        """Whether the message is here in this wording."""
        held = self._row_of.get(row.message_id)
        return held is not None and self._text_ids[held] == row.text_id

    def _put_words(self, rows: Sequence[IndexRow]) -> None:
        """Append everything but the vectors, and put each row where it belongs."""
        said_at = [milliseconds(row.sent_at) for row in rows]
        numbers = range(len(self._ids), len(self._ids) + len(rows))
        self._ids += [row.message_id for row in rows]
        self._text_ids += [row.text_id for row in rows]
        self._said_at.extend(said_at)
        self._by_user.extend([row.speaker == Speaker.USER for row in rows])
        self._question.extend([is_question(row.text) for row in rows])
        self._tokens.extend([estimate_tokens(row.text) for row in rows])
        self._postings.extend([tokens(row.text) if row.tokens is None else row.tokens for row in rows])
        self._vectors.extend(len(rows))
        for number, row, at in zip(numbers, rows, said_at, strict=True):
            old = self._row_of.get(row.message_id)
            if old is None:
                self._order.insert(self._place_for(at, row.message_id), number)
            else:
                self._order.rows[self._place(old)] = number
            self._row_of[row.message_id] = number

    def _put_vectors(self, rows: Sequence[IndexRow]) -> None:
        known = self._vectors.known
        fresh = [row for row in rows if not known[self._row_of[row.message_id]] and self._fits(row.vector)]
        if self._embedder is None or not fresh:
            return
        raw = np.frombuffer(b"".join(row.vector or b"" for row in fresh), np.float32).reshape(len(fresh), -1)
        units = self._embedder.centre(raw, [row.text for row in fresh])
        self._vectors.put(np.array([self._row_of[row.message_id] for row in fresh], np.intp), units)

    def _fits(self, raw: bytes | None) -> bool:
        """Whether a stored vector is as long as the ones here: of another length it cannot be this embedder's."""
        return raw is not None and len(raw) == self._dimension * _FLOAT_BYTES

    def _place_for(self, at: int, message_id: MessageId) -> int:
        """Where a message belongs: by instant (in milliseconds), then by id."""
        order = self._order.rows

        def said(place: int) -> tuple[int, MessageId]:
            other = int(order[place])
            return int(self._said_at.rows[other]), self._ids[other]

        if not len(order) or said(len(order) - 1) < (at, message_id):
            return len(order)
        return bisect_left(range(len(order)), (at, message_id), key=said)

    def _place(self, row: int) -> int:
        return int(np.flatnonzero(self._order.rows == row)[0])

    def _similarity(self, query: Query) -> Column:
        known = self._vectors.known
        if self._embedder is None or query.vector is None or len(query.vector) != self._dimension:
            return np.zeros(len(known), np.float32)
        unit: Vectors = self._embedder.centre(query.vector.reshape(1, -1), [query.text])[0]
        return np.where(known, self._embedder.relevance(self._vectors.cosines(unit)), np.float32(0))

    def _sessions(self, order: Rows) -> Rows:
        """The number of each message's session, in timeline order: a long silence begins the next one."""
        said_at = self._said_at.rows[order]
        return np.cumsum(np.diff(said_at, prepend=said_at[:1]) > _GAP_MS, dtype=np.intp)

    def _asked(self, about: Speaker | None, order: Rows) -> Mask:
        if about is None:
            return np.zeros(len(order), np.bool_)
        return self._by_user.rows[order] == (about is Speaker.USER)

    def _barred(self, query: Query, order: Rows) -> Rows:
        """The places of messages that must not come up."""
        rows = [self._row_of[message_id] for message_id in query.exclude if message_id in self._row_of]
        barred = np.isin(order, rows)
        if query.until is not None:
            barred |= self._said_at.rows[order] > milliseconds(query.until)
        return np.flatnonzero(barred)


class _Beside:
    """Reads off what stands beside a place, as far as the session and what is already shown allow."""

    def __init__(self, timeline: Timeline, order: Rows, session: Rows, shown: Rows) -> None:
        self._timeline = timeline
        self._order = order
        self._session = session
        self._shown = frozenset(shown.tolist())

    def of(self, place: int, step: int) -> tuple[Neighbour, ...]:
        """The neighbours in one direction, the nearest first."""
        found: list[Neighbour] = []
        for other in range(place + step, place + step * (REACH + 1), step):
            outside = not 0 <= other < len(self._order)
            if outside or other in self._shown or self._session[other] != self._session[place]:
                break
            found.append(self._timeline.neighbour(int(self._order[other])))
        return tuple(found)


def _best(scores: Column, found: int) -> Rows:
    """The places of the highest scores, best first, at most TOP and no more than were found."""
    most = min(TOP, found)
    if not most:
        return np.zeros(0, np.intp)
    highest = np.argpartition(-scores, most - 1)[:most]
    return highest[np.argsort(-scores[highest], kind="stable")]
