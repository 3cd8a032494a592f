"""A released template is never edited: its next version is written beside it, and its hash is added here."""

from hashlib import sha256
from importlib.resources import files

SEALED = {
    "keeper/v1.en.md": "6ef5a5f72439cbc4ccffbb71295993e2cbcc93a14e693ec6b09778ff7b5fbe74",
    "keeper/v1.zh.md": "e4df8e5ec833974c5e0fdccf53e7406f50e43665efcc3150130f0bb659045d0c",
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
