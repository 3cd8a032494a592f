"""The names of a pair's people: what the two said of who is who, and what else to look for when one of them is named.

Index data: made from messages, forgotten with them, the same in any order.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Set

from echovessel.core.talk import Speaker
from echovessel.core.text import normalise, tokens
from echovessel.memory.name_mining import MAX_TEXT, links
from echovessel.memory.phrases import Phrases
from echovessel.memory.relations import Owner, Relation, related, words_of_relations

SAME_RELATION = 0.3
"""The weight of another word for a relation that a text names."""
NAME_OF_RELATION = 0.4
"""The weight of a name when the text names the relation, times how sure the link is."""
RELATION_OF_NAME = 0.25
"""The weight of a relation's words when the text holds the name, times how sure the link is."""
MOST_NAMES = 3
"""So many names a relation is expanded to at most, the surest first: everybody has many friends."""

_Key = tuple[Speaker, Relation, str]


class NameTable:
    """Who is called what. `names_of_pair`: the two who talk, whose names are never anybody else's."""

    def __init__(self, names_of_pair: Iterable[str] = ()) -> None:
        self._not_learnt = frozenset(normalise(name) for name in names_of_pair)
        self._said: dict[str, frozenset[_Key]] = {}
        self._counts: Counter[_Key] = Counter()
        self._names: Phrases[str] | None = None

    def learn(
        self, message_id: str, text: str, speaker: Speaker = Speaker.USER, said: Collection[str] | None = None
    ) -> None:
        """Take in what a message says; a second time, what it says now. `said`: its tokens, if they are known: most messages
        can be passed over by them."""
        self.forget(message_id)
        if said is not None and words_of_relations().isdisjoint(said):
            return
        keys = frozenset(
            (_owner(link.owner, speaker), relation, name)
            for link in links(text)
            for relation in link.relations
            if (name := normalise(link.name)) not in self._not_learnt
        )
        if keys:
            self._said[message_id] = keys
            self._counts.update(keys)
            self._names = None

    def forget(self, message_id: str) -> None:
        """Let go of what only this message said."""
        keys = self._said.pop(message_id, frozenset[_Key]())
        if keys:
            self._counts.subtract(keys)
            self._counts = +self._counts
            self._names = None

    def expand(self, text: str, speaker: Speaker = Speaker.USER) -> Mapping[str, float]:
        """Further search terms (of `core.text.tokens`) with their weights, 0…1.

        Other words for the relations that a text names, the names of those people, and the relations of the names that it
        holds. None of them stands in the text itself.
        """
        text = text[:MAX_TEXT]
        plain = normalise(text)
        wanted: dict[str, float] = {}
        for relation, owner in _relations_in(plain, speaker):
            _want(wanted, _relation_terms(relation), SAME_RELATION)
            for name, sureness in self._names_of(relation, owner):
                _want(wanted, tokens_of_name(name), NAME_OF_RELATION * sureness)
        for name in self._names_in(plain):
            for relation, sureness in self._relations_of(name):
                _want(wanted, _relation_terms(relation), RELATION_OF_NAME * sureness)
        held = set(tokens(text))
        return {term: wanted[term] for term in sorted(wanted) if term not in held}

    def _names_in(self, plain: str) -> list[str]:
        if self._names is None:
            self._names = Phrases((name, name) for _, _, name in self._counts)
        return sorted({found.value for found in self._names.find(plain)})

    def _names_of(self, relation: Relation, owner: Speaker) -> list[tuple[str, float]]:
        found = {name: n for (whose, which, name), n in self._counts.items() if which == relation and whose is owner}
        total = sum(found.values())
        surest = sorted(found, key=lambda name: (-found[name], name))[:MOST_NAMES]
        return [(name, found[name] / total) for name in surest]

    def _relations_of(self, name: str) -> list[tuple[Relation, float]]:
        found = {(whose, which): n for (whose, which, said), n in self._counts.items() if said == name}
        most = max(found.values(), default=1)
        return [(which, n / most) for (_, which), n in found.items()]


def _owner(owner: Owner, speaker: Speaker) -> Speaker:
    """Which of the two is meant by "my" and "your"."""
    if owner is not Owner.LISTENER:
        return speaker
    return Speaker.PERSONA if speaker is Speaker.USER else Speaker.USER


def _relations_in(plain: str, speaker: Speaker) -> Set[tuple[Relation, Speaker]]:
    return {
        (relation, _owner(word.owner, speaker))
        for word in related(plain)
        if word.owner is not Owner.ANOTHER
        for relation in word.relations
    }


def _relation_terms(relation: Relation) -> list[str]:
    """Its words as search terms: those of one word in English, and Chinese ones by their bigrams."""
    words = [*relation.zh, *(word for word in relation.en if " " not in word)]
    return [term for word in words for term in tokens_of_name(word)]


def tokens_of_name(name: str) -> list[str]:
    """The search terms of a name: single characters only when it is one."""
    found = tokens(name)
    return [term for term in found if len(term) > 1 or term.isascii()] or found


def _want(wanted: dict[str, float], terms: Iterable[str], weight: float) -> None:
    for term in terms:
        wanted[term] = max(wanted.get(term, 0.0), weight)
