"""Errors choose a behaviour and name the remedy.

Stop (`ConfigError`), back off (`PortDown`), tell the caller (`BadInput`, `NotFound`, `Conflict`), give up the work
because someone else owns it now (`FenceLost`).
"""

from typing import ClassVar


class EchoVesselError(Exception):
    """Base of all our errors: a stable `code`, a sentence for a person, and `do`, what they can do about it."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, do: str) -> None:
        super().__init__(message)
        self.message = message
        self.do = do


class ConfigError(EchoVesselError):
    """Stop: the configuration or the home cannot be used as it is."""

    code = "config"


class StoreUnusable(ConfigError):
    """Stop: the database is corrupt, newer than this program, or in use by another; the file is left as it is."""

    code = "store-unusable"


class BadInput(EchoVesselError):
    """Tell the caller: `field` holds something we cannot take; nothing was written."""

    code = "bad-input"

    def __init__(self, message: str, *, field: str, do: str) -> None:
        super().__init__(message, do=do)
        self.field = field


class NotFound(EchoVesselError):
    """Tell the caller: there is no such thing, or it belongs to someone else (we do not say which)."""

    code = "not-found"


class Conflict(EchoVesselError):
    """Tell the caller: the thing is in a state that does not allow this now."""

    code = "conflict"


class FenceLost(EchoVesselError):
    """Give up quietly: the lease ran out or another worker holds the token; nothing was written."""

    code = "fence-lost"

    def __init__(self, subject: str) -> None:
        super().__init__(f"The lease on {subject} is no longer ours.", do="Nothing to do: its new owner carries on.")


class PortDown(EchoVesselError):
    """Back off: something outside us did not answer. `retry_after` is seconds, when the other side named it."""

    code = "port-down"

    def __init__(self, message: str, *, do: str, retry_after: float | None = None) -> None:
        super().__init__(message, do=do)
        self.retry_after = retry_after


class StoreDown(PortDown):
    """The database cannot do it now; nothing was written. The subclasses say why, where that is known."""

    code = "store-down"


class DiskFull(StoreDown):
    """There is no room on the disk: nothing more can be kept until there is."""

    code = "disk-full"


class DiskReadOnly(StoreDown):
    """The disk, or the database on it, may only be read."""

    code = "disk-read-only"


class DiskFailing(StoreDown):
    """The system could not read from or write to the disk."""

    code = "disk-failing"


class StoreGone(StoreDown):
    """The file of the database is not where it was: what would be written now, nobody would find again."""

    code = "store-gone"


class BackupFailed(PortDown):
    """A backup could not be made, written anew or removed: its folder or disk did not let us."""

    code = "backup-failed"


class EmbedderDown(PortDown):
    """The embedder could not be loaded or failed; keyword recall goes on without it."""

    code = "embedder-down"


class ModelDown(PortDown):
    """A model did not give a usable answer; the subclasses say how, each with a code the page explains."""

    code = "model-failed"


class ModelUnreachable(ModelDown):
    """No connection could be made to the endpoint."""

    code = "model-unreachable"


class ModelRefusedKey(ModelDown):
    """The endpoint answered 401 or 403."""

    code = "model-refused-key"


class ModelBusy(ModelDown):
    """The endpoint answered 429 (after our retries), or 529/503 with retry-after."""

    code = "model-busy"


class ModelRejected(ModelDown):
    """The endpoint answered another 4xx: unknown model, context too long, unsupported parameter."""

    code = "model-rejected"


class ModelTimeout(ModelDown):
    """No token within the time allowed."""

    code = "model-timeout"


class ModelCut(ModelDown):
    """The stream ended in the middle without a finish reason."""

    code = "model-cut"


class ModelEmpty(ModelDown):
    """The endpoint answered, but without any text."""

    code = "model-empty"


class ModelGarbage(ModelDown):
    """The endpoint answered something that is not the protocol."""

    code = "model-garbage"


class ModelFileUnusable(ModelDown):
    """The model file cannot be run: it is missing, broken or too large, or what runs it is not installed."""

    code = "model-file"


class DailyCapReached(ModelDown):
    """The owner's daily spending cap is reached; no request was made."""

    code = "daily-cap"
