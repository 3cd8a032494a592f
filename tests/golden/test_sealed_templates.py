"""A released template is never edited: its next version is written beside it, and its hash is added here."""

from hashlib import sha256
from importlib.resources import files

SEALED = {
    "keeper/v1.en.md": "6ef5a5f72439cbc4ccffbb71295993e2cbcc93a14e693ec6b09778ff7b5fbe74",
    "keeper/v1.zh.md": "0dba9fe89a563e29e276a6c6b6ec59ec9222a2097e54f7c0b7d7d87d277807e9",
    "reply/v1.en.md": "b5b6ae097c658bf4c26eb271abe49fe57657101efa6e62dd976ac1289e0a5ae2",
    "reply/v1.zh.md": "b37774e019d6e4e40e10e9426d3f13032a962ac3f9d8d5f356e9e53d3d3fd71e",
}


def test_every_template_is_sealed_and_unchanged() -> None:
    root = files("echovessel.prompts") / "templates"
    found = {
        f"{folder.name}/{file.name}": sha256(file.read_bytes()).hexdigest()
        for folder in root.iterdir()
        for file in folder.iterdir()
    }

    assert found == SEALED
