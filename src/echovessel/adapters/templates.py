"""Reads the template files that ship with the program."""

from importlib.resources import files

from echovessel.prompts.catalog import Catalog, read_catalog


def load_catalog() -> Catalog:
    """The catalog of all templates in the package."""
    root = files("echovessel.prompts") / "templates"
    return read_catalog(
        {
            f"{folder.name}/{file.name}": file.read_text(encoding="utf-8")
            for folder in root.iterdir()
            if folder.is_dir()
            for file in folder.iterdir()
        }
    )
