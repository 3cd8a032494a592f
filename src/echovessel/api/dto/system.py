"""The machine room: status, settings, usage, jobs and imports."""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError, Url

from echovessel.api.dto.base import LINE, Id, Input, Instant, Listing, Since, View
from echovessel.ports.front import Check, ImportReport, Verdict
from echovessel.ports.llm import ProbeResult
from echovessel.ports.records import Job, JobState, Spent
from echovessel.ports.settings import Settings


class Health(View):
    """Well."""

    status: Literal["ok"] = "ok"


class ModelStatus(View):
    """The model that speaks; without one the keeper answers."""

    connected: bool
    base_url: str
    model: str


class EmbedderStatus(View):
    """What finds by meaning. `name` is empty when there is none: then keywords alone find."""

    name: str
    waiting: int = Field(description="Messages without a vector yet; counted up to 1000.")


class SpentView(View):
    """Sum of the cost ledger."""

    calls: int
    tokens_in: int
    tokens_out: int
    cached_in: int = Field(description="Of the prompt tokens, those read from a provider's cache.")
    cache_written_in: int = Field(description="Of the prompt tokens, those put into a provider's cache.")
    cost: float = Field(description="In the currency of the price settings.")

    @classmethod
    def of(cls, spent: Spent) -> Self:
        """The view of a sum of the ledger."""
        return cls(
            calls=spent.calls,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            cached_in=spent.cached_in,
            cache_written_in=spent.cache_written_in,
            cost=spent.cost,
        )


class Cap(View):
    """The daily caps; 0 is no cap."""

    cost: float
    tokens: int


class Status(View):
    """How the vessel is."""

    version: str
    model: ModelStatus
    embedder: EmbedderStatus
    home: str = Field(description="Where the data is kept.")
    daily: SpentView = Field(description="Spent since midnight in your zone.")
    cap: Cap


class Usage(SpentView):
    """What model calls cost since an instant."""

    since: Instant


class UsageQuery(Input):
    """Since when."""

    since: Since | None = Field(None, description="Default: midnight in your zone.")


class JobView(View):
    """Work for later."""

    id: Id
    kind: str
    key: str
    state: JobState
    due_at: Instant
    attempts: int
    last_error: str

    @classmethod
    def of(cls, job: Job) -> Self:
        """The view of a stored job."""
        return cls(
            id=job.id,
            kind=job.kind,
            key=job.key,
            state=job.state,
            due_at=job.due_at,
            attempts=job.attempts,
            last_error=job.last_error,
        )


class JobList(Listing[JobView]):
    """Jobs, those due first ahead."""


class JobsQuery(Input):
    """Which jobs."""

    state: Literal["due", "leased", "done", "parked"] | None = None
    limit: int = Field(100, ge=1, le=500, strict=False)


class CheckView(View):
    """One thing that was looked at."""

    name: str = Field(examples=["database"])
    verdict: Verdict
    found: str
    do: str = Field(description="What to do about it; empty when nothing.")

    @classmethod
    def of(cls, check: Check) -> Self:
        """The view of a check."""
        return cls(name=check.name, verdict=check.verdict, found=check.found, do=check.do)


class CheckList(Listing[CheckView]):
    """Everything that was looked at."""


class ImportView(View):
    """What an import did."""

    added: int
    already_there: int
    refused: list[str] = Field(description="Lines that could not be taken, each with its reason.")
    first_at: Instant | None
    last_at: Instant | None

    @classmethod
    def of(cls, report: ImportReport) -> Self:
        """The view of a report."""
        return cls(
            added=report.added,
            already_there=report.already_there,
            refused=list(report.refused),
            first_at=report.first_at,
            last_at=report.last_at,
        )


class ImportQuery(Input):
    """How to read the file."""

    me: Annotated[str, Field(max_length=100), LINE] | None = Field(None, description="Which of the speakers is you.")
    dry_run: bool = Field(False, strict=False, description="Only say what would be added.")


class CardQuery(Input):
    """The card's file name, for messages about it."""

    filename: Annotated[str, Field(max_length=255), LINE] = Field("card", examples=["mira.png"])


# ---------------------------------------------------------------- settings


def _endpoint(text: str) -> str:
    """An http(s) address with a host and without a user name or password; or empty."""
    if not text:
        return text
    try:
        url = Url(text)
    except ValueError as cause:
        raise PydanticCustomError("url", "It is not a web address.") from cause
    if url.scheme not in {"http", "https"} or not url.host:
        raise PydanticCustomError("url", "It is not an http:// or https:// address.")
    if url.username or url.password:
        raise PydanticCustomError("url", "It holds a user name or password.")
    return text.rstrip("/")


_ENDPOINT_EXAMPLE = "http://127.0.0.1:11434/v1"

BaseUrl = Annotated[
    str,
    Field(max_length=2000, description="Empty: no model.", examples=[_ENDPOINT_EXAMPLE]),
    LINE,
    AfterValidator(_endpoint),
]
ModelName = Annotated[str, Field(max_length=200, examples=["qwen3:8b"]), LINE]
_SENDABLE = "[!-~]*"


def _sendable(key: SecretStr) -> SecretStr:
    if re.fullmatch(_SENDABLE, key.get_secret_value()) is None:
        raise PydanticCustomError("string_pattern_mismatch", "No request can carry it.", {"pattern": _SENDABLE})
    return key


Key = Annotated[SecretStr, Field(max_length=4000, strict=False), AfterValidator(_sendable)]


class LlmView(View):
    """The model's settings. The key itself is never answered."""

    base_url: str
    model: str
    small_model: str
    api_key_set: bool
    first_token_timeout_s: float
    idle_timeout_s: float
    retries: int
    max_reply_tokens: int
    temperature: float | None
    price_in: float
    price_out: float
    daily_cost_cap: float
    daily_token_cap: int


class EmbedderView(View):
    """Which embedder makes vectors; changed in config.toml."""

    name: str


class TurnSettingsView(View):
    """How a turn is taken."""

    debounce_s: float


class PromptSettingsView(View):
    """How long a prompt may be."""

    token_budget: int
    history_share: float
    recall_share: float


class SettingsView(View):
    """The settings that the page shows."""

    llm: LlmView
    embedder: EmbedderView
    turn: TurnSettingsView
    prompt: PromptSettingsView

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The view of the settings in force, without secrets."""
        llm = settings.llm
        shown = llm.model_dump(include=set(LlmView.model_fields))
        key_set = bool(llm.api_key.get_secret_value() or llm.api_key_file)
        return cls(
            llm=LlmView(api_key_set=key_set, **shown),
            embedder=EmbedderView(name=settings.embedder.name),
            turn=TurnSettingsView(debounce_s=settings.turn.debounce_s),
            prompt=PromptSettingsView(**settings.prompt.model_dump()),
        )


class LlmChange(Input):
    """Settings of the model. Another `base_url` without a new `api_key` forgets the saved key: it belongs to the old one."""

    base_url: BaseUrl | None = None
    model: ModelName | None = None
    small_model: ModelName | None = None
    api_key: Key | None = Field(None, description="Empty forgets the saved one.")
    first_token_timeout_s: float | None = Field(None, gt=0, le=3600)
    idle_timeout_s: float | None = Field(None, gt=0, le=3600)
    retries: int | None = Field(None, ge=0, le=5)
    max_reply_tokens: int | None = Field(None, ge=1, le=1_000_000)
    temperature: float | None = Field(None, ge=0, le=2, description="Null leaves the endpoint's default.")
    price_in: float | None = Field(None, ge=0, le=1e9)
    price_out: float | None = Field(None, ge=0, le=1e9)
    daily_cost_cap: float | None = Field(None, ge=0, le=1e9)
    daily_token_cap: int | None = Field(None, ge=0, le=10**12)


class TurnChange(Input):
    """How a turn is taken."""

    debounce_s: float | None = Field(None, ge=0, le=30)


class PromptChange(Input):
    """How long a prompt may be."""

    token_budget: int | None = Field(None, ge=500, le=10_000_000)
    history_share: float | None = Field(None, gt=0, lt=1)
    recall_share: float | None = Field(None, ge=0, lt=1)


class SettingsChange(Input):
    """What to change; what is left out stays. Where the daemon listens and where data is kept is changed in config.toml."""

    llm: LlmChange | None = None
    turn: TurnChange | None = None
    prompt: PromptChange | None = None

    def values(self) -> dict[str, Any]:
        """`section.key` → value, for what was sent. A null leaves the setting as it is, but for `temperature`."""
        values: dict[str, Any] = {}
        for section in ("llm", "turn", "prompt"):
            part: LlmChange | TurnChange | PromptChange | None = getattr(self, section)
            for key, value in part.model_dump(exclude_unset=True).items() if part else ():
                if value is not None or key == "temperature":
                    values[f"{section}.{key}"] = value
        return values


class LlmTest(Input):
    """Settings to try without saving them. Without a key the saved one is used, but only for the saved `base_url`."""

    base_url: Annotated[
        str, Field(min_length=1, max_length=2000, examples=[_ENDPOINT_EXAMPLE]), LINE, AfterValidator(_endpoint)
    ]
    model: ModelName = ""
    api_key: Key | None = None


class LlmTestView(View):
    """It answered. Without a model's name only the list of models was asked for."""

    model: str = Field(description="The model that answered; empty when none was asked.")
    models: list[str] = Field(description="What the endpoint offers; may be empty.")
    first_token_s: float | None = Field(description="Null when no model was asked.")

    @classmethod
    def of(cls, result: ProbeResult) -> Self:
        """The view of a connection test."""
        return cls(model=result.model, models=list(result.models), first_token_s=result.first_token_s)
