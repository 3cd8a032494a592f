"""A released template is never edited: its next version is written beside it, and its hash is added here."""

from hashlib import sha256
from importlib.resources import files

SEALED = {
    "keeper/v1.en.md": "6ef5a5f72439cbc4ccffbb71295993e2cbcc93a14e693ec6b09778ff7b5fbe74",
    "keeper/v1.zh.md": "0dba9fe89a563e29e276a6c6b6ec59ec9222a2097e54f7c0b7d7d87d277807e9",
    "reply/v1.en.md": "e80885b6944a5ad9917f43b1472c4d836560fbfb0510e2b0ae89a220787255b3",
    "reply/v1.zh.md": "af48ceac3b0e7e68cf87aa51f4b947b30336bed2b5661a7c7d684ce8ef6ac049",
}


def test_every_template_is_sealed_and_unchanged() -> None:
    root = files("echovessel.prompts") / "templates"
    found = {
        f"{folder.name}/{file.name}": sha256(file.read_bytes()).hexdigest()
        for folder in root.iterdir()
        for file in folder.iterdir()
    }

    assert found == SEALED
