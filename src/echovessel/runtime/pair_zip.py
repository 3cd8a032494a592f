"""A zip that `echovessel export` made, as another home takes it in: the persona where it is missing, and what was said."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Self, cast
from zipfile import BadZipFile, ZipFile

from echovessel.core.errors import BadInput
from echovessel.ports.records import BlockLabel
from echovessel.runtime.client import Client, Json

LONGEST_FILE = 32 << 20
"""Bytes of a file other than the messages, unpacked."""
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
        """The archive at `path`. BadInput when it is another zip, or damaged."""
        try:
            with ZipFile(path) as archive:
                found = cls(archive)
                if "messages.jsonl" not in found._names:
                    raise BadInput(
                        "This zip holds no messages.jsonl.",
                        field="path",
                        do="Name a zip that `echovessel export` made, or a JSONL file.",
                    )
                yield found
        except BadZipFile as cause:
            raise _damaged() from cause

    @property
    def persona(self) -> Json | None:
        """What was kept about the persona, if that is in it."""
        if "persona.json" not in self._names:
            return None
        persona = self._json(self._read("persona.json"))
        return persona if isinstance(persona.get("name"), str) else None

    def messages(self) -> IO[bytes]:
        """What was said, one message a line."""
        return self._archive.open("messages.jsonl")

    @property
    def is_silent(self) -> bool:
        """Whether nothing was said."""
        return self._archive.getinfo("messages.jsonl").file_size == 0

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

    def _read(self, name: str) -> bytes:
        with self._archive.open(name) as file:
            content = file.read(LONGEST_FILE + 1)
        if len(content) > LONGEST_FILE:
            raise BadInput(
                f"{name} in this zip has more than {LONGEST_FILE >> 20} MB.",
                field="path",
                do="Export the persona anew.",
            )
        return content

    @staticmethod
    def _json(text: bytes) -> Json:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as cause:
            raise _damaged() from cause
        if not isinstance(found, dict):
            raise _damaged()
        return cast("Json", found)


def _damaged() -> BadInput:
    return BadInput("This zip is damaged.", field="path", do="Export the persona anew, and copy the file whole.")
