"""The machine room: status, usage, jobs and imports."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import Field

from echovessel.api.dto.base import LINE, Id, Input, Instant, Listing, Since, View
from echovessel.api.dto.talk import TroubleView
from echovessel.ports.front import Check, ImportReport, Verdict
from echovessel.ports.llm import JsonMode, ProbeResult
from echovessel.ports.records import Job, JobState, Spent


class Health(View):
    """Well."""

    status: Literal["ok"] = "ok"


class ModelStatus(View):
    """The model that speaks; without one the keeper answers."""

    connected: bool
    profile: str = Field(description="The name of its connection; empty for the section `llm`.")
    base_url: str
    file: str
    model: str
    fallback: list[str] = Field(description="The connections that are tried after it, in this order.")


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
    troubles: list[TroubleView] = Field(
        description="What keeps it from working as it should, each with a remedy: a wrong settings file, a disk that is full."
    )


class SpentOnView(SpentView):
    """What one model took."""

    profile: str = Field(description="The name of its connection; empty for the section `llm`.")
    model: str


class Usage(SpentView):
    """What model calls cost since an instant."""

    since: Instant
    by_model: list[SpentOnView] = Field(description="The same by connection and model, the dearest first.")


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


class LlmTestView(View):
    """It answered. Without a model's name only the list of models was asked for."""

    model: str = Field(description="The model that answered; empty when none was asked.")
    models: list[str] = Field(description="What the endpoint offers; may be empty.")
    first_token_s: float | None = Field(description="Null when no model was asked.")
    tokens_per_s: float | None = Field(description="Null when the answer was too short to tell, or came at once.")
    context_tokens: int | None = Field(description="What the model holds; null when nobody says.")
    json_mode: JsonMode | None = Field(
        description="What holds an answer to JSON: a schema, the form alone, or nothing; null when no model was asked."
    )
    worries: list[TroubleView] = Field(description="What works, and will disappoint: each with its code and a remedy.")

    @classmethod
    def of(cls, result: ProbeResult) -> Self:
        """The view of a connection test."""
        return cls(
            model=result.model,
            models=list(result.models),
            first_token_s=result.first_token_s,
            tokens_per_s=result.tokens_per_s,
            context_tokens=result.context_tokens,
            json_mode=result.json_mode,
            worries=[TroubleView.of(worry) for worry in result.worries],
        )

    @classmethod
    def listed(cls, models: Sequence[str]) -> Self:
        """The view of a list of models, none of which was asked."""
        return cls(
            model="",
            models=list(models),
            first_token_s=None,
            tokens_per_s=None,
            context_tokens=None,
            json_mode=None,
            worries=[],
        )
