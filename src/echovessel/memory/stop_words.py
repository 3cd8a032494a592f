"""Words that carry grammar, not a subject: as search terms they find everything and mean nothing."""

from functools import cache

from echovessel.core.text import tokens

_ENGLISH = """
a an the and or but if then so of to in on at by for with from as into about than
is are was were be been being am do does did doing done have has had having will would can could shall should may might must
i me my mine you your yours he him his she her hers it its we us our ours they them their theirs
this that these those there here what which who whom whose when where why how
not no nor too very just also some any all each more most other such own same up down out off over under again further once
i'm i've i'd i'll you're you've he's she's it's we're they're that's what's don't didn't doesn't isn't wasn't aren't can't won't
yes ok okay oh hey hi hello well really much many lot get got go going like feel know think thing
"""
_CHINESE = frozenset(
    "的了是我你您他她它们在有和就不也都吗呢吧啊呀哦嗯哈这那哪个些上下里很到说要去会着没好与及被把让给还从对而但所以"
    "什么怎谁么样能可将之其"
)


def is_stop_word(token: str) -> bool:
    """Whether a token of `core.text.tokens` is a function word, or a Chinese bigram made of nothing else."""
    return token in _words() or all(character in _CHINESE for character in token)


@cache
def _words() -> frozenset[str]:
    return frozenset(tokens(_ENGLISH))  # at first use: the stemmer costs a start-up a quarter of a second
