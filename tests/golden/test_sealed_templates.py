"""A released template is never edited: its next version is written beside it, and its hash is added here."""

from hashlib import sha256
from importlib.resources import files

SEALED = {
    "keeper/v1.en.md": "fc47e0d4f98101e5342913ebf8cd6856b61df4e6e0113672f3c56cb6bb60dc70",
    "keeper/v1.zh.md": "79d5fa5d5d6b03bf0efed80e07b54b013e6f9d39313ea92db4107d1f5b837892",
    "reply/v1.en.md": "e80885b6944a5ad9917f43b1472c4d836560fbfb0510e2b0ae89a220787255b3",
    "reply/v1.zh.md": "5148ce4d5eb340cd190376b6bb15a695907c21e84aef0ca5ce4082c2ecefcf9b",
}


def test_every_template_is_sealed_and_unchanged() -> None:
    root = files("echovessel.prompts") / "templates"
    found = {
        f"{folder.name}/{file.name}": sha256(file.read_bytes()).hexdigest()
        for folder in root.iterdir()
        for file in folder.iterdir()
    }

    assert found == SEALED
