"""`echovessel bench …`: measurements."""

from pathlib import Path
from typing import Annotated

import typer

from echovessel.runtime.commands.options import AsJson

group = typer.Typer(help="Measure.", no_args_is_help=True, rich_markup_mode=None)


@group.command(short_help="Measure recall on talks and questions.")
def recall(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="FOLDER", help="Folders of recall data; none takes our own talks.")
    ] = None,
    name: Annotated[str | None, typer.Option("--set", metavar="NAME", help="Only this set of them.")] = None,
    vectors: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the vectors here, for the next time.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure recall with the real store, embedder and ranker: what comes to mind, and what does when nothing should."""
    from echovessel.runtime.bench_recall import bench_recall

    bench_recall(folders or [], name, vectors, as_json=as_json)


@group.command(short_help="Learn the weights of recall anew.")
def tune(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FOLDER", help="Recall data to learn from beside our own talks."),
    ] = None,
    vectors: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the vectors here, for the next time.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Put the weights where recall takes them from.")] = False,
    as_json: AsJson = False,
) -> None:
    """Learn how much each factor of recall counts, and see how such weights do on talks that they were not learned from."""
    from echovessel.runtime.bench_tune import bench_tune

    bench_tune(folders or [], vectors, write=write, as_json=as_json)


@group.command(short_help="Measure time and space as the talk grows.")
def scale(
    sizes: Annotated[
        str, typer.Option(metavar="SIZES", help="How many messages: of one pair, and from 1m on of 500.")
    ] = "1k,10k,100k,300k",
    as_json: AsJson = False,
) -> None:
    """Measure adding, opening, recall, memory and disk with a made-up talk, beside plain SQLite and NumPy on the same one."""
    from echovessel.runtime.bench_scale import bench_scale

    bench_scale(sizes, as_json=as_json)
