"""Where a model endpoint is, and the key that opens it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

from pydantic import SecretStr

from echovessel.core.addresses import without_login
from echovessel.core.errors import ModelRefusedKey, ModelUnreachable

_LONGEST_KEY_FILE = 10_000
_PASTED_TOO_MUCH = ("/chat/completions", "/embeddings")


class Keyed(Protocol):
    """Settings of a section that may hold a key."""

    @property
    def api_key(self) -> SecretStr:
        """The key itself; empty for none."""
        ...

    @property
    def api_key_file(self) -> str:
        """A file that holds it; empty for none."""
        ...


@dataclass(frozen=True, slots=True)
class Address:
    """An endpoint's base URL without a trailing slash, and the host as sentences name it (never a password).

    `endpoint` and `usual` say what should be there and how such an address usually looks; `proxy` is the host of the proxy on
    the way there, if one is.
    """

    url: str
    host: str
    endpoint: str = "an OpenAI-compatible endpoint"
    usual: str = "It usually ends in /v1, for example http://localhost:11434/v1."
    proxy: str = ""

    @property
    def shown(self) -> str:
        """The base URL as sentences give it: without a login or a query."""
        return without_login(self.url).partition("?")[0]

    @classmethod
    def parse(cls, base_url: str, section: str = "llm") -> "Address":
        """Read what the owner typed; a pasted `…/chat/completions` is cut off. Raises ModelUnreachable when it is no URL."""
        url = base_url.strip().rstrip("/")
        for pasted in _PASTED_TOO_MUCH:
            url = url.removesuffix(pasted).rstrip("/")
        parts = _split(url)
        if parts is None or parts.scheme not in {"http", "https"} or not _is_host(parts.hostname):
            raise ModelUnreachable(
                "The model's address is not a web address.",
                do=f"Give {section}.base_url in full, for example http://localhost:11434/v1.",
            )
        return cls(url, without_login(parts.netloc))


def proxy_host(proxy: str) -> str:
    """The host and port of a proxy, without a login; empty for none. Raises ModelUnreachable when it is no address of one."""
    if not proxy:
        return ""
    parts = _split(proxy)
    if parts is None or parts.scheme not in {"http", "https"} or not _is_host(parts.hostname):
        raise ModelUnreachable(
            "The proxy's address is none that we can use.",
            do="Give llm.proxy as http://host:port (http://user:password@host:port if it wants a login), or nothing; of a "
            "SOCKS proxy, name its HTTP port.",
        )
    return without_login(parts.netloc)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # reading it is what checks it
    except ValueError:
        return None
    return parts


def _is_host(host: str | None) -> bool:
    """Whether a resolver can be asked about it: no spaces, and no label it could not encode."""
    if not host or any(c.isspace() for c in host):
        return False
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


def read_key(settings: Keyed, section: str = "llm") -> str:
    """The key to send now, or "" for none: `api_key`, else the text of `api_key_file`, which is read anew each time.

    Raises ModelRefusedKey when the file cannot be read or the key could not travel in a header.
    """
    key = settings.api_key.get_secret_value().strip() or _key_in_file(settings.api_key_file, section)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ModelRefusedKey(
            "The model's key holds characters that no key has.",
            do=f"Copy the key again, alone and in one line, into {section}.api_key or the key file.",
        )
    return key


def _key_in_file(name: str, section: str) -> str:
    if not name:
        return ""
    try:
        with _regular(Path(name).expanduser()).open("rb") as file:
            return file.read(_LONGEST_KEY_FILE).decode("utf-8").strip()
    except (OSError, UnicodeError, RuntimeError) as cause:
        raise ModelRefusedKey(
            f"The key file {name} cannot be read.",
            do=f"Check {section}.api_key_file: the file must exist, be readable by you, and hold the key alone.",
        ) from cause


def _regular(path: Path) -> Path:
    """A file that can be read without waiting, as a pipe cannot; raises OSError for all else."""
    if not path.is_file():
        raise OSError(f"no file: {path}")
    return path
