"""Settings as the page shows and changes them. A key is never shown; nor is the login of an address or a proxy."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError, Url

from echovessel.api.dto.base import LINE, Input, View
from echovessel.core.addresses import without_login
from echovessel.ports.settings import LONGEST_PROFILE_NAME, PROFILE_NAME, ModelSettings, Settings

_ENDPOINT_EXAMPLE = "http://127.0.0.1:11434/v1"
_SENDABLE = "[!-~]*"

Kind = Literal["auto", "openai", "anthropic", "gguf"]
ChosenProfile = Annotated[str, Field(max_length=LONGEST_PROFILE_NAME, pattern=f"^({PROFILE_NAME})?$")]
"""The name of a profile, or empty for the section `llm`."""


def _profile_name(name: str) -> str:
    if len(name) > LONGEST_PROFILE_NAME or re.fullmatch(PROFILE_NAME, name) is None:
        raise PydanticCustomError("profile_name", "It cannot name a profile.")
    return name


NewProfile = Annotated[str, AfterValidator(_profile_name)]


def _address(text: str) -> str:
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


def _sendable(key: SecretStr) -> SecretStr:
    if re.fullmatch(_SENDABLE, key.get_secret_value()) is None:
        raise PydanticCustomError("string_pattern_mismatch", "No request can carry it.", {"pattern": _SENDABLE})
    return key


BaseUrl = Annotated[
    str,
    Field(max_length=2000, description="Empty: no endpoint.", examples=[_ENDPOINT_EXAMPLE]),
    LINE,
    AfterValidator(_address),
]
Proxy = Annotated[
    str,
    Field(max_length=2000, description="A proxy that wants a password is written into config.toml."),
    LINE,
    AfterValidator(_address),
]
File = Annotated[str, Field(max_length=2000, examples=["~/models/small.gguf"]), LINE]
ModelName = Annotated[str, Field(max_length=200, examples=["qwen3:8b"]), LINE]
Key = Annotated[SecretStr, Field(max_length=4000, strict=False), AfterValidator(_sendable)]


class ModelView(View):
    """A connection to a model. The key itself is never answered."""

    speaks: Literal["openai", "anthropic", "gguf"] | None = Field(
        description="How it is spoken to; null: it names no model."
    )
    kind: Kind
    base_url: str = Field(description="Without its user name and password.")
    file: str
    model: str
    small_model: str
    api_key_set: bool
    proxy: str = Field(description="Without its user name and password.")
    context_tokens: int
    first_token_timeout_s: float
    idle_timeout_s: float
    reply_timeout_s: float
    retries: int
    max_reply_tokens: int
    temperature: float | None
    price_in: float
    price_out: float
    price_cached_in: float | None
    price_cache_written_in: float | None

    @classmethod
    def of(cls, settings: ModelSettings) -> Self:
        """The view of a connection, without secrets."""
        shown = settings.model_dump(include=set(cls.model_fields)) | {
            "speaks": settings.speaks,
            "api_key_set": bool(settings.api_key.get_secret_value() or settings.api_key_file),
            "base_url": without_login(settings.base_url),
            "proxy": without_login(settings.proxy),
        }
        return cls.model_validate(shown)


class LlmView(ModelView):
    """The connection of the section `llm`, which model speaks, and what all of them may cost."""

    profile: str = Field(description="The profile that speaks; empty: the connection of this section.")
    fallback: list[str] = Field(description="Profiles that are tried in this order when the model does not answer.")
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
    profiles: dict[str, ModelView] = Field(description="More connections, by name.")
    embedder: EmbedderView
    turn: TurnSettingsView
    prompt: PromptSettingsView

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The view of the settings in force, without secrets."""
        return cls(
            llm=LlmView.of(settings.llm),
            profiles={name: ModelView.of(profile) for name, profile in settings.profiles.items()},
            embedder=EmbedderView(name=settings.embedder.name),
            turn=TurnSettingsView(debounce_s=settings.turn.debounce_s),
            prompt=PromptSettingsView(**settings.prompt.model_dump()),
        )


class ModelChange(Input):
    """Settings of a connection. Another address without a new `api_key` forgets the saved key: it belongs to the old one."""

    kind: Kind | None = None
    base_url: BaseUrl | None = None
    file: File | None = Field(None, description="A model file on the daemon's machine; empty: none.")
    model: ModelName | None = None
    small_model: ModelName | None = None
    api_key: Key | None = Field(None, description="Empty forgets the saved one.")
    proxy: Proxy | None = None
    context_tokens: int | None = Field(None, ge=0, le=10_000_000, description="0: as many as the model says itself.")
    first_token_timeout_s: float | None = Field(None, gt=0, le=3600)
    idle_timeout_s: float | None = Field(None, gt=0, le=3600)
    reply_timeout_s: float | None = Field(None, gt=0, le=3600)
    retries: int | None = Field(None, ge=0, le=5)
    max_reply_tokens: int | None = Field(None, ge=1, le=1_000_000)
    temperature: float | None = Field(None, ge=0, le=2, description="Null leaves the endpoint's default.")
    price_in: float | None = Field(None, ge=0, le=1e9)
    price_out: float | None = Field(None, ge=0, le=1e9)
    price_cached_in: float | None = Field(None, ge=0, le=1e9, description="Null: the same as `price_in`.")
    price_cache_written_in: float | None = Field(None, ge=0, le=1e9, description="Null: the same as `price_in`.")


class LlmChange(ModelChange):
    """Settings of the section `llm`."""

    profile: ChosenProfile | None = Field(None, description="Empty: the connection of this section speaks.")
    fallback: tuple[NewProfile, ...] | None = Field(None, max_length=20, strict=False)
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


_MAY_BE_NONE = frozenset({"temperature", "price_cached_in", "price_cache_written_in"})


class SettingsChange(Input):
    """What to change; what is left out stays. Where the daemon listens and where data is kept is changed in config.toml."""

    llm: LlmChange | None = None
    profiles: dict[NewProfile, ModelChange | None] | None = Field(
        None, max_length=20, description="By name: what to change, or to make; null takes the profile away."
    )
    turn: TurnChange | None = None
    prompt: PromptChange | None = None

    def values(self) -> dict[str, Any]:
        """`section.key` → value, for what was sent. A null leaves a setting as it is, unless it may be left out: then it is, as
        is a whole profile."""
        values: dict[str, Any] = {
            f"profiles.{name}": None for name, part in (self.profiles or {}).items() if part is None
        }
        for table, part in self._parts():
            for key, value in part.model_dump(exclude_unset=True).items():
                if value is not None or key in _MAY_BE_NONE:
                    values[f"{table}.{key}"] = value
        return values

    def _parts(self) -> Iterator[tuple[str, Input]]:
        sections: Mapping[str, Input | None] = {"llm": self.llm, "turn": self.turn, "prompt": self.prompt}
        profiles = {f"profiles.{name}": part for name, part in (self.profiles or {}).items()}
        return ((table, part) for table, part in (*sections.items(), *profiles.items()) if part)


class LlmTest(Input):
    """A connection to try without saving it. Without a key the saved one is used, but only for the address it was saved for."""

    profile: ChosenProfile = Field(
        "", description="Whose saved key and settings are used; empty: those of the section `llm`."
    )
    kind: Kind = "auto"
    base_url: BaseUrl = ""
    file: File = ""
    model: ModelName = ""
    api_key: Key | None = None
    proxy: Proxy | None = Field(None, description="Left out: as it is saved.")
