"""Backups: whole copies of the database in a folder, each with a manifest that says what it is."""

from echovessel.adapters.backup.folder import folder_of
from echovessel.adapters.backup.making import FolderBackups, back_up_before_upgrade
from echovessel.adapters.backup.restoring import sweep
from echovessel.adapters.backup.servers import ServerBackups

__all__ = ["FolderBackups", "ServerBackups", "back_up_before_upgrade", "folder_of", "sweep"]
