"""What was wrong with a card and what was not taken from it, told in the card's language."""

NOTES = {
    "en": {
        "missing": "The card does not say: {}.",
        "no-name": "The card has no name; the persona is called {} after the file.",
        "not-text": "{} is not text and was left out.",
        "not-a-list": "{} is not a list and was left out.",
        "too-long": "{} was too long and was cut.",
        "too-many": "{}: only the first {} were taken.",
        "bad-value": "{} has a value that is not known and was left out.",
        "control": "{} held characters that no text may hold; they were removed.",
        "orders": "Not taken: {}. A card gives no orders; what it says about the persona, write into the core blocks.",
        "lorebook": "The lorebook is kept with the card, but not read yet.",
        "unknown-spec": "The card calls its form {}, which is not known; it was read as the nearest one.",
        "bad-checksum": "The checksum of {} in the picture is wrong; the card was whole and was taken.",
        "cut-short": "The picture is cut short; the card came before the cut and was taken.",
        "older-card": "The newest card in the picture is damaged; an older one ({}) was taken.",
    },
    "zh": {
        "missing": "卡里没有写：{}。",
        "no-name": "卡里没有名字，按文件名叫做「{}」。",
        "not-text": "{} 不是文字，没有采用。",
        "not-a-list": "{} 不是列表，没有采用。",
        "too-long": "{} 太长，截短了。",
        "too-many": "{}：只取了前 {} 个。",
        "bad-value": "{} 的值无法识别，没有采用。",
        "control": "{} 里有不能出现在文字中的字符，已经去掉。",
        "orders": "没有采用：{}。卡片不能下命令；里面关于角色的描述，可以自己写进核心设定。",
        "lorebook": "世界书随卡保存了，但现在还不会读取。",
        "unknown-spec": "卡片自称的格式「{}」无法识别，按最接近的格式读取。",
        "bad-checksum": "图片里 {} 的校验值不对；卡的内容完整，已经采用。",
        "cut-short": "图片不完整；卡在断开之前，已经采用。",
        "older-card": "图片里最新的卡已损坏，改用了旧的一张（{}）。",
    },
}


class Notes:
    """Collects notes while a card is read; each is told once."""

    def __init__(self) -> None:
        self._noted: dict[tuple[str, ...], None] = {}

    def add(self, what: str, *about: str) -> None:
        """Note `what`, a key of NOTES, about these fields or values."""
        self._noted[what, *about] = None

    def told(self, locale: str) -> tuple[str, ...]:
        """Every note as a sentence."""
        return tuple(NOTES[locale][what].format(*about) for what, *about in self._noted)
