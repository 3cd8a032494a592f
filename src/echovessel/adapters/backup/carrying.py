"""Taking a backup elsewhere: to another disk, where it survives this one."""

import shutil
from pathlib import Path

from echovessel.adapters.backup.folder import plain_errors
from echovessel.adapters.backup.manifest import DATABASE, read_manifest, sha256_of
from echovessel.adapters.home import sync_file, sync_folder
from echovessel.core.errors import BackupFailed, BadInput


def must_have_parent(to: Path) -> None:
    """BadInput when the folder above `to` is not there: a disk that is missing is not made up."""
    if not to.absolute().parent.is_dir():
        raise BadInput(
            f"{to.absolute().parent} is not there.",
            field="to",
            do="Is the disk plugged in? If it is only a new folder, make it first.",
        )


def carry(backup: Path, to: Path) -> Path:
    """Copy the folder of a backup into the folder `to`, which is made where only it is missing, and compare; where it lies now.

    BadInput when something of its name is there already; BackupFailed when the copy is not what it should be.
    """
    target, part = to / backup.name, to / f".part-{backup.name}"
    if target.exists():
        raise BadInput(f"{target} is there already.", field="to", do="Name another folder.")
    with plain_errors(to):
        to.mkdir(mode=0o700, exist_ok=True)
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(backup, part)
        manifest = read_manifest(part)
        if manifest is None or sha256_of(part / DATABASE) != manifest.sha256:
            raise BackupFailed(f"The copy in {to} is not what was copied.", do="Check that disk, and try another one.")
        for path in part.iterdir():
            sync_file(path)
        part.rename(target)
        sync_folder(to)
    return target
