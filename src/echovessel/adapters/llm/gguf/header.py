"""What a model file says about itself: the keys and values at its beginning, read without loading the model.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3, little-endian.
"""

import mmap
import struct
from pathlib import Path
from typing import Literal

Fault = Literal["another format", "another version", "cut short", "nonsense"]
MAGIC = b"GGUF"
Value = int | float | bool | str
"""A scalar; of an array of numbers, its greatest one."""

_VERSIONS = frozenset({2, 3})
_START = struct.Struct("<4sIQQ")
"""Magic, version, number of tensors, number of keys."""
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_KEYS = 65_536
_LONGEST_KEPT_ARRAY = 4096
_LONGEST_KEPT_STRING = 4096


class NotReadable(Exception):
    """The header cannot be read: the file is no GGUF, of another version, cut short, or holds nonsense."""

    def __init__(self, how: Fault) -> None:
        super().__init__(how)
        self.how: Fault = how


def read_header(path: Path) -> dict[str, Value]:
    """Every key whose value is one of `Value`; of a long text only its beginning. Raises NotReadable and OSError."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise NotReadable("another format")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return _Reader(mapped).header()


class _Reader:
    """Walks through the bytes once, from the start."""

    def __init__(self, held: mmap.mmap) -> None:
        self._held = held
        self._at = 0

    def header(self) -> dict[str, Value]:
        _, version, _, keys = self._take(_START)
        if version not in _VERSIONS:
            raise NotReadable("another version")
        if keys > _MAX_KEYS:
            raise NotReadable("nonsense")
        found: dict[str, Value] = {}
        for _ in range(keys):
            key, value = self._string(), self._value(self._number("I"))
            if value is not None:
                found[key] = value
        return found

    def _value(self, kind: int) -> Value | None:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._array(self._number("I"), self._number("Q"))
        if kind not in _SCALARS:
            raise NotReadable("nonsense")
        return self._take(struct.Struct("<" + _SCALARS[kind]))[0]

    def _array(self, kind: int, count: int) -> Value | None:
        if kind == _STRING:
            self._pass_strings(count)
            return None
        if kind not in _SCALARS:
            raise NotReadable("nonsense")
        if not 0 < count <= _LONGEST_KEPT_ARRAY:
            self._pass(count * struct.calcsize("<" + _SCALARS[kind]))
            return None
        return max(self._take(struct.Struct(f"<{count}{_SCALARS[kind]}")))

    def _pass_strings(self, count: int) -> None:
        """A vocabulary has hundreds of thousands of them: nothing is made of each but the step over it."""
        length, size, end = struct.Struct("<Q").unpack_from, 8, len(self._held)
        for _ in range(count):
            if self._at + size > end:
                raise NotReadable("cut short")
            self._at += size + length(self._held, self._at)[0]

    def _string(self) -> str:
        length, start = self._number("Q"), self._at
        self._pass(length)
        kept = self._held[start : start + min(length, _LONGEST_KEPT_STRING)]
        return kept.decode("utf-8", "replace")

    def _number(self, code: str) -> int:
        return self._take(struct.Struct("<" + code))[0]

    def _take(self, form: struct.Struct) -> tuple[int, ...]:
        start = self._at
        self._pass(form.size)
        return form.unpack_from(self._held, start)

    def _pass(self, size: int) -> None:
        self._at += size
        if self._at > len(self._held):
            raise NotReadable("cut short")
