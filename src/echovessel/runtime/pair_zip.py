"""A zip that `echovessel export` made, as another home takes it in: the persona where it is missing, and what was said."""

import json
import struct
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Self, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, is_zipfile

from echovessel.core.errors import BadInput
from echovessel.flows.export import FORMAT
from echovessel.ports.records import BlockLabel
from echovessel.runtime.client import Client, Json

LONGEST_FILE = 32 << 20
"""Bytes of a file other than the messages, unpacked."""
LONGEST_MESSAGES = 200 << 20
"""Bytes of the messages, unpacked: as many as the API takes."""
_MANIFEST, _MESSAGES = "manifest.json", "messages.jsonl"
_CHUNK = 1 << 20
_ENCRYPTED = 1
"""The bit that says so among the flags of a file in a zip (PKWARE APPNOTE, 4.4.4)."""
_CARDS = ("card.png", "card.json", "card.bin")
_KEPT = ("name", "locale", "zone", "kind", "basis", "tagline", "examples", "greetings")


class PairZip:
    """One exported pair. What it holds is data: the API checks it as it checks everything that comes."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._names = frozenset(archive.namelist())

    @classmethod
    @contextmanager
    def opened(cls, path: Path) -> Generator[Self]:
        """The archive at `path`, its messages read once. BadInput when it is another zip, of another version, or damaged."""
        with _damage_told():
            archive = ZipFile(path)
        with archive:
            found = cls(archive)
            found._must_be_export()
            found._must_be_whole()
            yield found

    @property
    def persona(self) -> Json | None:
        """What was kept about the persona, if that is in it."""
        if "persona.json" not in self._names:
            return None
        persona = self._json(self._read("persona.json"))
        return persona if isinstance(persona.get("name"), str) else None

    def messages(self) -> IO[bytes]:
        """What was said, one message a line."""
        return self._archive.open(_MESSAGES)

    @property
    def is_silent(self) -> bool:
        """Whether nothing was said."""
        return self._archive.getinfo(_MESSAGES).file_size == 0

    def bring(self, client: Client, persona: Json) -> Json:
        """The persona as they last were, made from their card if there is one. Whoever is here from that card stays as is."""
        card = next((name for name in _CARDS if name in self._names), None)
        if card is None:
            made = client.post("/api/v1/personas", {"name": persona["name"]})
        else:
            here = {known["id"] for known in client.all_items("/api/v1/personas")}
            made = client.upload("/api/v1/personas/import", self._read(card), "application/octet-stream", filename=card)
            if made["id"] in here:
                return made
        path = f"/api/v1/personas/{made['id']}"
        made = client.patch(path, {key: persona[key] for key in _KEPT if persona.get(key)})
        now = {block["label"]: block for block in client.all_items(f"{path}/core-blocks")}
        for label, text in self._blocks().items():
            block = now.get(label, {"text": "", "revision": 0})
            if text != block["text"]:
                client.put(f"{path}/core-blocks/{label}", {"text": text, "base_revision": block["revision"]})
        return made

    def _blocks(self) -> dict[BlockLabel, str]:
        """The last text of each core block that has one."""
        if "core-blocks.jsonl" not in self._names:
            return {}
        lines = (self._json(line) for line in self._read("core-blocks.jsonl").splitlines() if line.strip())
        last = {str(block.get("label")): block.get("text") for block in lines}
        return {label: text for label in BlockLabel if isinstance(text := last.get(label), str) and text}

    def _must_be_export(self) -> None:
        if _MESSAGES not in self._names:
            raise BadInput(
                "This zip holds no messages.jsonl.",
                field="path",
                do="Name a zip that `echovessel export` made, or a JSONL file.",
            )
        if any(
            info.flag_bits & _ENCRYPTED or info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}
            for info in self._archive.infolist()
        ):
            raise BadInput(
                "This zip is encrypted, or packed in a way that `echovessel export` does not pack.",
                field="path",
                do="Name the zip as `echovessel export` made it.",
            )
        if _MANIFEST in self._names and self._json(self._read(_MANIFEST)).get("format") != FORMAT:
            raise BadInput(
                "This zip is of a version of the export that this EchoVessel does not know.",
                field="path",
                do="Update EchoVessel, and import it again.",
            )

    def _must_be_whole(self) -> None:
        """Read what was said to its end, where its checksum is compared, before anything is done with it."""
        _must_be_at_most(LONGEST_MESSAGES, _MESSAGES, self._archive.getinfo(_MESSAGES).file_size)
        with _damage_told(), self.messages() as file:
            while file.read(_CHUNK):
                pass

    def _read(self, name: str) -> bytes:
        _must_be_at_most(LONGEST_FILE, name, self._archive.getinfo(name).file_size)
        with _damage_told():
            return self._archive.read(name)

    @staticmethod
    def _json(text: bytes) -> Json:
        try:
            found = json.loads(text)
            # Half a character, or NaN, could not be sent on.
            json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError) as cause:
            raise _damaged() from cause
        if not isinstance(found, dict):
            raise _damaged()
        return cast("Json", found)


def is_zip(path: Path) -> bool:
    """Whether it is a zip, or begins as one and was cut short."""
    with path.open("rb") as file:
        return file.read(4) == b"PK\x03\x04" or is_zipfile(file)


def _must_be_at_most(longest: int, name: str, size: int) -> None:
    """Both in bytes. A file in a zip never unpacks to more than the size that stands there for it."""
    if size > longest:
        raise BadInput(
            f"{name} in this zip is larger than {longest >> 20} MB.", field="path", do="Export the persona anew."
        )


@contextmanager
def _damage_told() -> Generator[None]:
    """Whatever `zipfile` and `zlib` raise for bytes that are not as they were packed."""
    try:
        yield
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OverflowError, struct.error) as cause:
        raise _damaged() from cause


def _damaged() -> BadInput:
    return BadInput(
        "This zip is damaged or cut short.", field="path", do="Export the persona anew, and copy the file whole."
    )
