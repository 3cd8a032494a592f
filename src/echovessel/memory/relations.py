"""Who people are to each other, in Chinese and English: which words mean the same relation, and whose it is.

A closed list. A word may mean two (uncle is 叔叔 and 舅舅); two words of one language that mean different people (奶奶, 外婆)
never mean the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from echovessel.core.text import tokens
from echovessel.memory.phrases import Phrases

_PEOPLE = """
妈妈 妈 老妈 妈咪 母亲 娘 老娘 | mom mum mother mama mommy mummy mam
爸爸 爸 老爸 父亲 老爹 爹 老爷子 | dad father papa daddy
爸妈 父母 爹妈 爸爸妈妈 | parents folks
奶奶 | grandma grandmother granny nana gran
外婆 姥姥 阿婆 | grandma grandmother granny nana gran
爷爷 | grandpa grandfather grandad granddad
外公 姥爷 | grandpa grandfather grandad granddad
姐姐 姐 老姐 大姐 二姐 | sister older-sister big-sister elder-sister sis
妹妹 妹 老妹 小妹 | sister younger-sister little-sister sis
哥哥 哥 老哥 大哥 二哥 | brother older-brother big-brother elder-brother bro
弟弟 弟 老弟 小弟 | brother younger-brother little-brother bro
表姐 | cousin
表妹 | cousin
表哥 | cousin
表弟 | cousin
堂姐 | cousin
堂妹 | cousin
堂哥 | cousin
堂弟 | cousin
叔叔 | uncle
伯伯 大伯 | uncle
舅舅 舅 | uncle
姑父 姑丈 | uncle
姨父 姨夫 | uncle
姑姑 姑妈 姑 | aunt auntie aunty
姨妈 小姨 大姨 | aunt auntie aunty
舅妈 | aunt auntie aunty
婶婶 婶子 | aunt auntie aunty
老公 丈夫 | husband hubby
老婆 妻子 媳妇 太太 | wife
爱人 对象 另一半 | partner spouse
男朋友 男友 | boyfriend bf
女朋友 女友 | girlfriend gf
未婚妻 | fiancée fiancee
未婚夫 | fiancé fiance
前男友 | ex-boyfriend ex
前女友 | ex-girlfriend ex
前夫 | ex-husband
前妻 | ex-wife
儿子 | son
女儿 闺女 | daughter
孩子 娃 小孩 | child kid
双胞胎 | twins twin
孙子 外孙 | grandson
孙女 外孙女 | granddaughter
侄子 外甥 | nephew
侄女 外甥女 | niece
婆婆 | mother-in-law
岳母 丈母娘 | mother-in-law
公公 | father-in-law
岳父 老丈人 | father-in-law
嫂子 | sister-in-law
姐夫 | brother-in-law
妹夫 | brother-in-law
老板 上司 领导 头儿 主管 顶头上司 | boss manager supervisor
同事 | colleague coworker co-worker workmate
实习生 | intern
客户 | client customer
徒弟 学徒 | apprentice
导师 | advisor adviser tutor mentor
老师 | teacher
班主任 | form-teacher homeroom-teacher
闺蜜 闺密 死党 好朋友 发小 好友 | best-friend bestie
朋友 | friend buddy mate pal
室友 舍友 合租的 | roommate flatmate housemate
邻居 | neighbour neighbor
同学 | classmate
同桌 | deskmate
教练 | coach trainer
房东 | landlord landlady
医生 大夫 | doctor
咨询师 心理医生 | therapist counsellor counselor
"""
_PETS = """
猫 猫咪 小猫 猫猫 喵星人 | cat kitten kitty
狗 狗狗 小狗 狗子 | dog puppy pup doggo
兔子 兔兔 | rabbit bunny
仓鼠 | hamster
鹦鹉 | parrot budgie
乌龟 | turtle tortoise
金鱼 | goldfish
宠物 毛孩子 | pet
"""
_OTHER_THINGS = """
小姐 小姐姐 空姐 姐妹 姐妹们 小哥 小哥哥 帅哥 哥们 哥们儿 哥特 兄弟 师弟 学弟 师妹 学妹 师姐 学姐 师哥 妹子 妹纸 大妈
大爷 老爷 干妈 干爹 后妈 妈呀 妈耶 妈的 他妈的 爸比 老板娘 熊猫 猫眼 猫头鹰 天猫 猫腻 娘家 热狗 狗血 狗屎 单身狗 狗粮
海狗 朋友圈 女朋友们 小朋友 男孩子 女孩子 孩子气 邻居家 领导力 领导人 老师傅 对象是 公公平平 舅子 姑娘 小姑娘 姑且
徒弟子 弟子 老娘们 老婆婆 太太太 娃娃 妈祖 父亲节 母亲节 教师节 mother's-day father's-day hot-dog mother-tongue
mother-board sister-company parents-evening
"""
_ALONE_TOO_SHORT = frozenset("妈爸爹娘姐妹哥弟舅姑娃")
_BEFORE_SHORT = re.compile(r"(?:[我你您咱俺他她它家跟和给叫问陪让对和帮替是，。！？、,.!?;；\s]|我们|的)$|^$")

_OF_SPEAKER = re.compile(
    r"(?:我|俺|咱|我们|咱们)(?:家|的|那|这|那个|这个|那位)*(?:大|小|亲|新|老|二|三)?$|"
    r"\b(?:my|our)(?: (?:own|dear|old|older|elder|younger|little|big|new|late|twin|poor|other|best|oldest|youngest))*[ -]?$"
)
_OF_LISTENER = re.compile(
    r"(?:你|您|你们)(?:家|的|那|这|那个|这个|那位)*(?:大|小|亲|新|老|二|三)?$|"
    r"\byour(?: (?:own|dear|old|older|elder|younger|little|big|new|late|twin|poor|other|best|oldest|youngest))*[ -]?$"
)
_OF_ANOTHER = re.compile(
    r"(?:他|她|它|他们|她们|人家|别人)(?:家|的|那|这)*$|[\u3400-\u9fff]的$|"
    r"\b(?:his|her|their|its|\w+'s)(?: \w+)?[ -]?$"
)
_WINDOW = 24


class Owner(StrEnum):
    """Whose mother, boss or dog: of the one who speaks, of the one spoken to, of somebody else, or it is not said."""

    SPEAKER = "speaker"
    LISTENER = "listener"
    ANOTHER = "another"
    UNSAID = "unsaid"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation by its words: `zh` and `en`, the most usual first."""

    zh: tuple[str, ...]
    en: tuple[str, ...]
    is_pet: bool


@dataclass(frozen=True, slots=True)
class Related:
    """A word for a relation at `text[start:end]`: which it may be, and whose. With what says whose it begins at `opens`."""

    opens: int
    start: int
    end: int
    relations: tuple[Relation, ...]
    owner: Owner


@cache
def all_relations() -> tuple[Relation, ...]:
    """Every relation of the list, in its order."""
    tables = ((_PEOPLE, False), (_PETS, True))
    return tuple(_relation(line, is_pet) for table, is_pet in tables for line in table.strip().splitlines())


def _relation(line: str, is_pet: bool) -> Relation:
    zh, _, en = line.partition("|")
    return Relation(tuple(zh.split()), tuple(word.replace("-", " ") for word in en.split()), is_pet)


@cache
def _phrases() -> Phrases[tuple[Relation, ...]]:
    meanings: dict[str, tuple[Relation, ...]] = {}
    for relation in all_relations():
        for word in (*relation.zh, *relation.en, *(f"{en}s" for en in relation.en)):
            meanings[word] = (*meanings.get(word, ()), relation)
    other: dict[str, tuple[Relation, ...]] = {word.replace("-", " "): () for word in _OTHER_THINGS.split()}
    return Phrases([*other.items(), *meanings.items()])


@cache
def words_of_relations() -> frozenset[str]:
    """The last token (of `core.text.tokens`) of every word for a relation, of a Chinese word its last two characters: a text
    without any of them names none."""
    return frozenset(tokens(word)[-1] for relation in all_relations() for word in (*relation.zh, *relation.en))


def related(text: str) -> Iterator[Related]:
    """The words for relations in a normalised text, in its order; what only looks like one (小姐, 朋友圈, hot dog) is none."""
    for found in _phrases().find(text):
        before = text[max(0, found.start - _WINDOW) : found.start]
        word = text[found.start : found.end]
        if found.value and (word not in _ALONE_TOO_SHORT or _BEFORE_SHORT.search(before)):
            owner, length = _owner(before)
            yield Related(found.start - length, found.start, found.end, found.value, owner)


def _owner(before: str) -> tuple[Owner, int]:
    """Whose, and how many characters at the end of `before` say so."""
    for owner, pattern in ((Owner.SPEAKER, _OF_SPEAKER), (Owner.LISTENER, _OF_LISTENER), (Owner.ANOTHER, _OF_ANOTHER)):
        if said := pattern.search(before):
            return owner, len(before) - said.start()
    return Owner.UNSAID, 0
