"""From a file to what its card says: open the container, read the document, tell the form, map the fields."""

from echovessel.adapters.cards.document import document_of_chunk, document_of_json
from echovessel.adapters.cards.forms import form_of
from echovessel.adapters.cards.mapping import parsed
from echovessel.adapters.cards.notes import Notes
from echovessel.adapters.cards.png import SIGNATURE, PngTexts, card_texts
from echovessel.core.errors import BadInput
from echovessel.ports.cards import ParsedCard

ZIP = b"PK\x03\x04"
OWN_EXPORT = b"core-blocks.jsonl"
"""A name in what `flows.export` makes; in a zip, names stand unpacked."""
OTHER_PICTURES = (b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM")
NEWEST_FIRST = ("ccv3", "chara")
"""Keywords of a card in a picture. Programs that know V3 leave an older `chara` beside it, which may be stale."""


class Cards:
    """Implements `ports.cards.CardReader`."""

    def read(self, data: bytes, filename: str) -> ParsedCard:
        """What the card says. Whatever the bytes are, nothing but BadInput is raised."""
        notes = Notes()
        if data.startswith(SIGNATURE):
            document, container = _in_picture(card_texts(data, NEWEST_FIRST, notes), notes), "png"
        else:
            _refuse_other_containers(data)
            document, container = document_of_json(data), "json"
        return parsed(form_of(document, notes), container, filename, notes)


def _in_picture(texts: PngTexts, notes: Notes) -> dict[str, object]:
    """The newest card of a picture that can be read."""
    refusal: BadInput | None = None
    for keyword in NEWEST_FIRST:
        for text in texts.get(keyword, ()):
            try:
                document = document_of_chunk(text.text())
            except BadInput as damage:
                refusal = refusal or damage
                continue
            if refusal is not None:
                notes.add("older-card", keyword)
            return document
    raise refusal or BadInput(
        "This is a picture without a character card.",
        field="file",
        do="Take the card's original PNG: programs that send or shrink pictures drop the card inside.",
    )


def _refuse_other_containers(data: bytes) -> None:
    if data.startswith(ZIP):
        if OWN_EXPORT in data:
            raise BadInput(
                "This zip is an export of EchoVessel: a persona and all that was said with them.",
                field="file",
                do="Take it in on the command line: `echovessel import FILE` makes the persona and brings the messages.",
            )
        raise BadInput(
            "This is a CHARX archive, which cannot be read yet.",
            field="file",
            do="Export the character as PNG or JSON from the program it comes from.",
        )
    if data.startswith(OTHER_PICTURES):
        raise BadInput(
            "This picture is not a PNG, and only PNG pictures hold character cards.",
            field="file",
            do="Take the card's original PNG: converting a picture drops the card inside.",
        )
