"""A released template is never edited: its next version is written beside it, and its hash is added here."""

from hashlib import sha256
from importlib.resources import files

SEALED = {
    "keeper/v1.en.md": "fc47e0d4f98101e5342913ebf8cd6856b61df4e6e0113672f3c56cb6bb60dc70",
    "keeper/v1.zh.md": "79d5fa5d5d6b03bf0efed80e07b54b013e6f9d39313ea92db4107d1f5b837892",
    "reply/v1.en.md": "c2e6aab96aeaf2b67ec49264681e915892732b10252fc45ccf677eee2aeab5a5",
    "reply/v1.zh.md": "6a540530268a6654c31477eca3362be793cc3900fc595c48658ccbca5141c95c",
}


def test_every_template_is_sealed_and_unchanged() -> None:
    root = files("echovessel.prompts") / "templates"
    found = {
        f"{folder.name}/{file.name}": sha256(file.read_bytes()).hexdigest()
        for folder in root.iterdir()
        for file in folder.iterdir()
    }

    assert found == SEALED
