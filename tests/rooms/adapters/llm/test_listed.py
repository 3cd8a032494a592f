import pytest

from echovessel.adapters.llm.listed import Listed, listed
from echovessel.adapters.llm.piece import NotTheProtocol


@pytest.mark.parametrize(
    ("listed", "tokens"),
    [
        ({"id": "m", "max_model_len": 32768}, 32768),
        ({"id": "m", "context_length": 8192}, 8192),
        ({"id": "m", "context_window": 131072}, 131072),
        ({"id": "m", "max_context_length": 65536, "loaded_context_length": 4096}, 4096),
        ({"id": "m", "max_input_tokens": 200000, "max_tokens": 64000}, 200000),
        ({"id": "m", "meta": {"n_ctx": 2048, "n_ctx_train": 8192}}, 2048),
        ({"id": "m", "context_length": 0, "meta": None}, None),
        ({"id": "m"}, None),
        ({"id": "m", "context_length": "unknown", "meta": "none", "max_input_tokens": 4096}, 4096),
        ({"id": "m", "context_length": True, "meta": {"n_ctx": [1]}}, None),
    ],
)
def test_how_much_a_model_holds_is_read_under_each_servers_name(listed: dict[str, object], tokens: int | None) -> None:
    assert Listed.model_validate(listed).context_tokens == tokens


def test_an_odd_entry_hides_no_other() -> None:
    assert [one.id for one in listed([{"id": "m"}, {"id": 7}, "n", {"id": "o"}])] == ["m", "o"]
    assert listed([]) == []
    with pytest.raises(NotTheProtocol):
        listed([{"object": "file"}])
