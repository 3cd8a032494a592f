"""`echovessel bench …`: measurements."""

from pathlib import Path
from typing import Annotated

import typer

from echovessel.runtime.commands.options import AsJson

group = typer.Typer(help="Measure.", no_args_is_help=True, rich_markup_mode=None)


@group.command(short_help="Measure recall on a folder of conversations and questions.")
def recall(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of recall data.")],
    name: Annotated[str, typer.Option("--set", metavar="NAME", help="Which set of it.")],
    as_json: AsJson = False,
) -> None:
    """Measure recall with the real store, embedder and ranker, on a folder of conversations and questions."""
    from echovessel.runtime.bench_recall import bench_recall

    bench_recall(folder, name, as_json=as_json)


@group.command(short_help="Measure time and space as the talk grows.")
def scale(
    sizes: Annotated[
        str, typer.Option(metavar="SIZES", help="How many messages, such as 1k,10k,1m; 1m are of 500 pairs.")
    ] = "1k,10k,100k",
    as_json: AsJson = False,
) -> None:
    """Measure adding, opening, recall, memory and disk with a made-up talk, beside plain SQLite and NumPy on the same one."""
    from echovessel.runtime.bench_scale import bench_scale

    bench_scale(sizes, as_json=as_json)
