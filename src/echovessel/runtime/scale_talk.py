"""A talk of any length that nobody had: texts and vectors made by rule, the same every time, Chinese and English by turns.

Words are drawn as in real talk: a few are said all the time, most once in a while (Zipf's law). What it says means nothing, so
it measures time and space, never how well something is found.
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from zlib import crc32

import numpy as np

from echovessel.ports.embedder import Kind, Vectors

DIMENSION = 384
SESSION = 40
"""Messages in a row before a night's silence; the language changes with the session."""
BEGAN = datetime(2015, 1, 1, tzinfo=UTC)

_ENGLISH_WORDS = """
the and you that was for with have this not but what all when can there out about who get if would make just know take people
into year good some could them see other than then now look only come its over think also back after use two how work first
well way even new want because any these give day most us train violin soup rain bridge garden letter doctor sister kitchen
winter market window coffee river picture friday birthday station umbrella platform mountain
"""
_CHINESE_WORDS = """
我们 今天 觉得 没有 可以 什么 知道 一个 时候 已经 还是 因为 所以 如果 但是 真的 有点 喜欢 工作 朋友 妈妈 晚上 明天 周末 下班
地铁 电影 吃饭 睡觉 考试 医生 小猫 雨伞 面包 公园 照片 生日 火车 北京 上海 爬山 咖啡 窗户 厨房 冬天 市场 音乐 故事 信件 姐姐
"""
_ENGLISH, _CHINESE = _ENGLISH_WORDS.split(), _CHINESE_WORDS.split()
_SYLLABLES = [
    consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in ("a", "e", "i", "o", "u", "ar", "el", "in")
]
_CHARACTERS = "安白长春大东方风高光海河红花华江金京晶静兰乐林灵龙明南宁平清秋山思天文西小新星雪雅阳义永玉云月珍志中竹"
_RARE = 20_000
"""How many rarer words each language has beside its common ones."""


def text_of(number: int) -> str:
    """What message `number` says: 6 to 29 words or, in Chinese, 4 to 15 of two characters."""
    in_chinese = number // SESSION % 2 == 0
    length = 4 + _mixed(number) % 12 if in_chinese else 6 + _mixed(number) % 24
    say = _chinese if in_chinese else _english
    words = [say(_rank(number, place)) for place in range(length)]
    ending = "？" if in_chinese else "?"
    if _mixed(number, 1) % 5:
        ending = "。" if in_chinese else "."
    return ("" if in_chinese else " ").join(words) + ending


def sent_at(number: int) -> datetime:
    """When it was said: one message every four minutes, ten hours of silence after each session."""
    return BEGAN + timedelta(minutes=4 * number + 600 * (number // SESSION))


class Synthetic:
    """Implements `ports.embedder.Embedder` without a model: a text's checksum picks its direction among a billion."""

    name = "synthetic-384@1"
    dimension = DIMENSION
    calibrated = True

    async def prepare(self, *, anew: bool = False) -> None:
        """Nothing is to be done."""

    async def embed(self, texts: list[str], kind: Kind) -> Vectors:  # noqa: ARG002 - questions and passages alike
        """As `directions_of`."""
        return directions_of(texts)

    def centre(self, vectors: Vectors, texts: list[str]) -> Vectors:  # noqa: ARG002 - one centre: the origin
        """Unit vectors."""
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32)

    def relevance(self, cosines: Vectors) -> Vectors:
        """A cosine of 0.5 is as alike as can be told."""
        return np.clip(cosines / np.float32(0.5), 0, 1)

    def personal(self, units: Vectors) -> Vectors:
        """Every question is about what was said."""
        return np.ones(len(units), np.float32)

    def close(self) -> None:
        """Nothing is held."""


def directions_of(texts: list[str]) -> Vectors:
    """A vector for each text: the sum of three directions of 1,024, shape (len(texts), DIMENSION)."""
    picked = np.array([crc32(text.encode()) for text in texts], np.int64)
    all_directions = _directions()
    return all_directions[picked & 1023] + all_directions[picked >> 10 & 1023] + all_directions[picked >> 20 & 1023]


@cache
def _directions() -> Vectors:
    angles = np.outer(np.arange(1, 1025, dtype=np.float32), np.arange(1, DIMENSION + 1, dtype=np.float32))
    return np.cos(angles * np.float32(0.37)).astype(np.float32)


def _rank(number: int, place: int) -> int:
    """A word's rank, 0 the most common: drawn log-uniformly, which is Zipf's law with exponent 1."""
    share = _mixed(number, place + 2) / 2**64
    return int((len(_ENGLISH) + _RARE) ** share) - 1


def _english(rank: int) -> str:
    if rank < len(_ENGLISH):
        return _ENGLISH[rank]
    size = len(_SYLLABLES)
    return _SYLLABLES[rank % size] + _SYLLABLES[rank // size % size] + _SYLLABLES[rank // 7 % size]


def _chinese(rank: int) -> str:
    if rank < len(_CHINESE):
        return _CHINESE[rank]
    size = len(_CHARACTERS)
    return _CHARACTERS[rank % size] + _CHARACTERS[rank // size % size]


def _mixed(number: int, salt: int = 0) -> int:
    """64 well mixed bits. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014)."""
    mask = 2**64 - 1
    bits = (number * 0x9E3779B97F4A7C15 + (salt + 1) * 0xD1B54A32D192ED03) & mask
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & mask
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & mask
    return bits ^ bits >> 31
