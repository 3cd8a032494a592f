"""Every way an endpoint for embeddings can fail, as a sentence with what to do. The key is in none of them."""

from collections.abc import Sequence

from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.failures import Refusal
from echovessel.adapters.llm.quoting import before_the_quote
from echovessel.core.errors import EmbedderDown, ModelDown

_MEANWHILE = "Recall by words works meanwhile."


def of(down: ModelDown) -> EmbedderDown:
    """What is wrong with an address, a key or a model file, told of the embedder."""
    told = down.message.replace("model's", "embedder's").replace("llm.file", "embedder.file")
    return EmbedderDown(told, do=f"{down.do.replace('llm.file', 'embedder.file')} {_MEANWHILE}")


def unreachable(host: str) -> EmbedderDown:
    """No connection, or one that broke."""
    return EmbedderDown(
        f"The embedder at {host} could not be reached.", do=f"Start it, or check embedder.base_url. {_MEANWHILE}"
    )


def too_slow(host: str, seconds: float) -> EmbedderDown:
    """No answer in time."""
    return EmbedderDown(
        f"The embedder at {host} gave no answer in {seconds:g} seconds.",
        do=f"Look at what its server logs, or raise embedder.timeout_s. {_MEANWHILE}",
    )


def garbage(host: str, what: str) -> EmbedderDown:
    """An answer that is none."""
    return EmbedderDown(
        f"{host} answered {what}.",
        do=f"Check embedder.base_url and embedder.model: is it a model for embeddings? {_MEANWHILE}",
    )


def refused(address: Address, model: str, it: Refusal, texts: Sequence[str]) -> EmbedderDown:
    """An HTTP error. What its words repeat of the texts is not told."""
    words = before_the_quote(it.words, texts)
    said = f": {words}" if words else "."
    match it.status:
        case 401 | 403:
            return EmbedderDown(
                f"{address.host} refused the key ({it.status}).",
                do=f"Check embedder.api_key or embedder.api_key_file: is the key whole and valid? {_MEANWHILE}",
            )
        case 404 | 405:
            return EmbedderDown(
                f"{address.host} has no embeddings at {address.shown}, or no model {model!r} ({it.status}){said}",
                do=f"Check embedder.base_url (it usually ends in /v1) and embedder.model. {_MEANWHILE}",
            )
        case status if 300 <= status < 400:
            return EmbedderDown(
                f"{address.host} sends us on to another address ({status}), and we only go where you said.",
                do=f"Put the final address into embedder.base_url; often it begins with https://. {_MEANWHILE}",
            )
        case 429:
            return EmbedderDown(f"{address.host} is busy ({it.status}){said}", do=f"It is tried again. {_MEANWHILE}")
        case status if status < 500:
            return EmbedderDown(
                f"{address.host} took no text for {model!r} ({status}){said}",
                do=f"Check embedder.model: is it a model for embeddings? {_MEANWHILE}",
            )
        case status:
            return EmbedderDown(
                f"{address.host} has a problem of its own ({status}){said}",
                do=f"Look at what its server logs. {_MEANWHILE}",
            )
