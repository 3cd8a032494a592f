"""One pair's timeline as arrays: both arms, and everything the score asks about a message's surroundings."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from echovessel.adapters.index.growing import Growing
from echovessel.adapters.index.moments import Moments, agreement, nearness
from echovessel.adapters.index.passages import Passages
from echovessel.adapters.index.postings import Postings
from echovessel.adapters.index.vectors import UnitVectors
from echovessel.core.ids import MessageId, TextId
from echovessel.core.talk import Speaker
from echovessel.core.text import estimate_tokens, tokens
from echovessel.core.time import milliseconds
from echovessel.memory.knowing import Signs
from echovessel.memory.l2_log import SESSION_GAP, is_question
from echovessel.memory.names import NameTable
from echovessel.memory.question import Asked
from echovessel.memory.recall import Candidates, Neighbour
from echovessel.memory.scoring import Column, Evidence, Factor, Factors, Mask, Rows, Surroundings, Weights, total, weigh
from echovessel.ports.embedder import Embedder, Vectors
from echovessel.ports.index import Query
from echovessel.ports.records import IndexRow

TOP = 64
"""How many candidates an answer has at most."""
REACH = 2
"""How many neighbours on each side a candidate brings."""
NEAR = 96
"""How many messages are looked at closely."""
READ_FOR_TIMES = 40
"""Of how many the times that they name are read, about 0.04 ms each."""
ENOUGH_TERMS = 4
"""A question of fewer words is held in full by too much."""
_BYTES_A_ROW = 350
_BYTES_A_LETTER = 2
_FLOAT_BYTES = 4
_GAP_MS = int(SESSION_GAP.total_seconds() * 1000)


class Timeline:
    """Rows are numbered in the order they came and never move; `_order` lists the live ones as they were said.

    An edited message gets a new row in its old place; the old row stays behind, `wasted`, until the timeline is built anew.
    """

    def __init__(self, embedder: Embedder | None, weights: Weights) -> None:
        self._embedder = embedder
        self._weights = weights
        self._postings = Postings()
        self._dimension = embedder.dimension if embedder else 1
        self._vectors = UnitVectors(self._dimension)
        self._passages = Passages(self._vectors)
        self._moments = Moments()
        self._names = NameTable()
        self._ids: list[MessageId] = []
        self._text_ids: list[TextId] = []
        self._texts: list[str] = []
        self._letters = 0
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
        held = self._postings.nbytes + self._vectors.nbytes + self._passages.nbytes
        return held + _BYTES_A_ROW * len(self._ids) + _BYTES_A_LETTER * self._letters

    def put(self, rows: Sequence[IndexRow]) -> None:
        """Add messages, replace edited ones, give vectors to those that had none. Many at once are cheapest in the order they
        were said."""
        self._put_words([row for row in rows if not self._holds(row)])
        self._put_vectors([row for row in rows if row.vector is not None])

    def drop(self, ids: Iterable[MessageId]) -> None:
        """Take out messages; unknown ones are passed over."""
        for message_id in ids:
            self._names.forget(message_id)
            row = self._row_of.pop(message_id, None)
            if row is not None:
                place = self._place(row)
                self._order.remove(place)
                self._passages.changed(self._order.rows[place : place + 1])

    def candidates(self, query: Query) -> Candidates:
        """The best candidates of all arms, with the factors of their scores."""
        seen = self._look(query, self._weights)
        score = total(seen.factors)
        score[seen.barred] = -np.inf
        score[seen.factors[Factor.KEYWORD] + seen.factors[Factor.VECTOR] + seen.factors[Factor.SESSION] <= 0] = -np.inf
        near = _best(score, NEAR)
        factors = {name: column[near] for name, column in seen.factors.items()}
        factors |= self._closely(query, seen.order[near], self._weights, READ_FOR_TIMES)
        best = _best(total(factors), TOP)
        found = {name: column[best] for name, column in factors.items()}
        return self._told(seen, near[best], found, self._signs(query, seen))

    def measured(self, query: Query) -> tuple[list[MessageId], Factors]:
        """Every message in timeline order with its factors, each as if its weight were 1: what weights are fitted to."""
        alike = dict.fromkeys(Factor, 1.0)
        seen = self._look(query, alike)
        return [self._ids[row] for row in seen.order], {
            **seen.factors,
            **self._closely(query, seen.order, alike, len(seen.order)),
        }

    def _look(self, query: Query, weights: Weights) -> "_Seen":
        order = self._order.rows
        session = self._sessions(order)
        barred = self._barred(query, order)
        also = self._names.expand(query.asked.text)
        keyword, coverage = (column[order] for column in self._postings.score(query.asked.terms, also))
        unit = self._unit(query)
        cosine = self._vectors.cosines(unit)[order]
        for column in (keyword, coverage, cosine):
            column[barred] = 0
        evidence = Evidence(keyword=keyword, cosine=cosine, passage=self._passages.cosines(cosine, order, session))
        factors = weigh(evidence, self._surroundings(query.asked, order, session), weights)
        return _Seen(order, session, barred, unit, cosine, coverage, factors)

    def _told(self, seen: "_Seen", places: Rows, factors: Factors, signs: Signs) -> Candidates:
        rows: list[int] = seen.order[places].tolist()
        return Candidates(
            ids=tuple(self._ids[row] for row in rows),
            tokens=tuple(int(self._tokens.rows[row]) for row in rows),
            texts=tuple(self._texts[row] for row in rows),
            before=self._beside(seen, places, -1),
            after=self._beside(seen, places, 1),
            similarity=self._relevance(seen.cosine[places]),
            coverage=seen.coverage[places],
            factors=factors,
            signs=signs,
        )

    def _signs(self, query: Query, seen: "_Seen") -> Signs:
        heard = bool(seen.unit.any() and self._vectors.known.any())
        return Signs(
            personal=float(self._embedder.personal(seen.unit[np.newaxis])[0]) if self._embedder and heard else 0.0,
            named=query.asked.tells_of,
            of_self=query.asked.of_self,
            similarity=float(self._relevance(seen.cosine).max(initial=0)),
            coverage=float(seen.coverage.max(initial=0)),
            length=query.asked.length,
            size=int(np.count_nonzero(~seen.barred)),
            heard=heard,
        )

    def _beside(self, seen: "_Seen", places: Rows, step: int) -> tuple[tuple[Neighbour, ...], ...]:
        """What stands beside some places in one direction, the nearest first, until the session or what may be shown ends."""
        found: list[list[Neighbour]] = [[] for _ in places]
        lengths = self._tokens.rows
        reached = np.ones(len(places), np.bool_)
        for steps in range(1, REACH + 1):
            others = places + step * steps
            reached &= (others >= 0) & (others < len(seen.order))
            others = np.where(reached, others, places)
            reached &= (seen.session[others] == seen.session[places]) & ~seen.barred[others]
            rows: list[int] = seen.order[others].tolist()
            for place in np.flatnonzero(reached).tolist():
                found[place].append(Neighbour(self._ids[rows[place]], int(lengths[rows[place]])))
        return tuple(map(tuple, found))

    def _surroundings(self, asked: Asked, order: Rows, session: Rows) -> Surroundings:
        by_user = self._by_user.rows[order]
        said_at = self._said_at.rows[order]
        return Surroundings(
            session=session,
            asked=np.zeros_like(by_user) if asked.about is None else by_user == (asked.about is Speaker.USER),
            user=by_user,
            question=self._question.rows[order],
            then=nearness(said_at, asked.times),
        )

    def _closely(self, query: Query, rows: Rows, weights: Weights, read: int) -> Factors:
        """What only the best are looked at for: the words of all of it, and the times that the first `read` of them name."""
        asked = query.asked
        count = len(rows)
        tells, dated, verbatim = (np.zeros(count, np.float32) for _ in range(3))
        if len(asked.terms) >= ENOUGH_TERMS:
            verbatim[:] = self._postings.holding(asked.terms, rows)
        if asked.times or asked.asks_when:
            numbers: list[int] = rows[:read].tolist()
            for place, row in enumerate(numbers):
                told = self._moments.of(row, self._texts[row], int(self._said_at.rows[row]), query.zone)
                tells[place] = agreement(told, asked.times)
                dated[place] = bool(told) and asked.asks_when
        found = {Factor.TELLS_OF_THEN: tells, Factor.DATED: dated, Factor.VERBATIM: verbatim}
        return {name: column * np.float32(weights.get(name, 0)) for name, column in found.items()}

    def lacks(self, rows: Sequence[IndexRow]) -> int:
        """How many of some messages are not here in their wording."""
        return sum(not self._holds(row) for row in rows)

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
        self._texts += [row.text for row in rows]
        self._letters += sum(len(row.text) for row in rows)
        self._said_at.extend(said_at)
        self._by_user.extend([row.speaker == Speaker.USER for row in rows])
        self._question.extend([is_question(row.text) for row in rows])
        self._tokens.extend([estimate_tokens(row.text) for row in rows])
        cut = [tokens(row.text) if row.tokens is None else row.tokens for row in rows]
        self._postings.extend(cut)
        for row, words in zip(rows, cut, strict=True):
            self._names.learn(row.message_id, row.text, Speaker(row.speaker), words)
        self._vectors.extend(len(rows))
        self._passages.extend(len(rows))
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
        numbers = np.array([self._row_of[row.message_id] for row in fresh], np.intp)
        self._vectors.put(numbers, units)
        self._passages.changed(numbers)

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

    def _unit(self, query: Query) -> Vectors:
        """The question's centred unit vector; zeros when there is none."""
        if self._embedder is None or query.vector is None or len(query.vector) != self._dimension:
            return np.zeros(self._dimension, np.float32)
        return self._embedder.centre(query.vector.reshape(1, -1), [query.asked.text])[0]

    def _relevance(self, cosines: Column) -> Column:
        """Calibrated similarity; 0 of what has no vector."""
        if self._embedder is None:
            return cosines
        return np.where(cosines == 0, np.float32(0), self._embedder.relevance(cosines))

    def _sessions(self, order: Rows) -> Rows:
        """The number of each message's session, in timeline order: a long silence begins the next one."""
        said_at = self._said_at.rows[order]
        return np.cumsum(np.diff(said_at, prepend=said_at[:1]) > _GAP_MS, dtype=np.intp)

    def _barred(self, query: Query, order: Rows) -> Mask:
        """The places of messages that must not come up."""
        rows = [self._row_of[message_id] for message_id in query.exclude if message_id in self._row_of]
        excluded = np.zeros(len(self._ids), np.bool_)
        excluded[rows] = True
        barred = excluded[order]
        if query.until is not None:
            barred |= self._said_at.rows[order] > milliseconds(query.until)
        return barred


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a question finds, in timeline order. `barred`: whether it must not come up. `unit`: the question's vector."""

    order: Rows
    session: Rows
    barred: Mask
    unit: Vectors
    cosine: Column
    coverage: Column
    factors: Factors


def _best(scores: Column, most: int) -> Rows:
    """The places of the highest scores, best first, at most so many; never one of minus infinity."""
    most = min(most, int(np.count_nonzero(scores > -np.inf)))
    if not most:
        return np.zeros(0, np.intp)
    highest = np.argpartition(-scores, most - 1)[:most]
    return highest[np.argsort(-scores[highest], kind="stable")]
