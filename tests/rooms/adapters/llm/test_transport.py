import pytest

from echovessel.adapters.llm.transport import bare_client, connecting_within
from echovessel.testing.model_server import ModelServer


async def test_only_needed_headers_leave_by_no_proxy_of_the_environment(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    headers = {"X-Stainless-OS": "Linux", "anthropic-version": "2023-06-01", "X-Api-Key": "k"}
    async with bare_client(connecting_within(2)) as client:
        await client.get(f"{server.base_url}/models", headers=headers)
    sent = dict(server.asked[0].headers)
    assert sent.pop("user-agent") == "echovessel"
    assert set(sent) <= {"host", "accept", "connection", "x-api-key", "anthropic-version"}


async def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    server.lists = lambda exchange: exchange.whole(307, b"", headers={"Location": f"{server.base_url}/elsewhere"})
    async with bare_client(connecting_within(2)) as client:
        answer = await client.get(f"{server.base_url}/models")
    assert answer.status_code == 307
    assert len(server.asked) == 1
