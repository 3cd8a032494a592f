"""A released template is never edited: its next version is written beside it, and its hash is added here."""

from hashlib import sha256
from importlib.resources import files

SEALED = {
    "keeper/v1.en.md": "fc47e0d4f98101e5342913ebf8cd6856b61df4e6e0113672f3c56cb6bb60dc70",
    "keeper/v1.zh.md": "79d5fa5d5d6b03bf0efed80e07b54b013e6f9d39313ea92db4107d1f5b837892",
    "reply/v1.en.md": "bb31a064d37bda991dadba327b1d8de095192a716c5cc06bd3bfaf754d28fed5",
    "reply/v1.zh.md": "4f3b8f47920bc6345fc769c1296fff15498f5c351f179311b29af84f00c3db6c",
}


def test_every_template_is_sealed_and_unchanged() -> None:
    root = files("echovessel.prompts") / "templates"
    found = {
        f"{folder.name}/{file.name}": sha256(file.read_bytes()).hexdigest()
        for folder in root.iterdir()
        for file in folder.iterdir()
    }

    assert found == SEALED
