from echovessel.adapters.llm.anthropic.sdk import make_client
from echovessel.testing.anthropic_scripts import says
from echovessel.testing.anthropic_server import AnthropicServer


async def test_the_client_neither_retries_nor_describes_this_computer(server: AnthropicServer) -> None:
    server.will(says("Hi"))
    client = make_client(server.base_url, connect_s=2)
    message = await client.messages.create(
        model="scripted", max_tokens=9, messages=[{"role": "user", "content": "hello"}]
    )

    assert message.content[0].type == "text"
    assert client.max_retries == 0
    assert not [name for name in server.asked[0].headers if name.startswith("x-stainless")]
