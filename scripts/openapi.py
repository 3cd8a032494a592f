"""Print the OpenAPI document as JSON, or write it into the file named as argument. Starts nothing and needs no home."""

import json
import sys
from pathlib import Path

from echovessel.api.app import without_doors
from echovessel.api.openapi import describe


def main(arguments: list[str]) -> None:
    """The same bytes every time for the same code."""
    text = json.dumps(describe(without_doors()), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    if arguments:
        Path(arguments[0]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
