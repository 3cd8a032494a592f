"""What is wrong with an address, a key or a file is told of the embedder, and never loses its remedy."""

from echovessel.adapters.embed import endpoint_troubles as troubles
from echovessel.adapters.llm.access import Address
from echovessel.adapters.llm.failures import refusal
from echovessel.core.errors import ModelUnreachable


def test_an_error_of_the_model_is_told_of_the_embedder() -> None:
    down = troubles.of(
        ModelUnreachable("The model's address is not a web address.", do="Give embedder.base_url in full.")
    )

    assert down.message == "The embedder's address is not a web address."
    assert down.do.startswith("Give embedder.base_url in full. ")


def test_a_refusal_names_host_status_and_model() -> None:
    address = Address.parse("http://user:secret@box:1234/v1")

    down = troubles.refused(address, "llama3", refusal({"error": "not an embedding model"}, status=422), ["some text"])

    assert down.message == "box:1234 took no text for 'llama3' (422): not an embedding model"
    assert "embedder.model" in down.do
