from typing import cast

from openai.types.chat import ChatCompletionUserMessageParam

from echovessel.adapters.llm.sdk import make_client
from echovessel.testing.model_scripts import says
from echovessel.testing.model_server import ModelServer

HELLO = [cast("ChatCompletionUserMessageParam", {"role": "user", "content": "hello"})]


async def test_the_official_client_reads_the_model_server_whole_and_streamed(server: ModelServer) -> None:
    server.will(says("Good evening."), says("Good evening.", thinks="a guest"))
    client = make_client(server.base_url, connect_s=2)

    whole = await client.chat.completions.create(model="scripted", messages=HELLO)
    stream = await client.chat.completions.create(
        model="scripted", messages=HELLO, stream=True, stream_options={"include_usage": True}
    )
    chunks = [chunk async for chunk in stream]

    assert whole.choices[0].message.content == "Good evening."
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "Good evening."
    assert chunks[-1].usage == whole.usage
    assert [model.id async for model in client.models.list()] == ["scripted"]


async def test_the_client_neither_retries_nor_describes_this_computer(server: ModelServer) -> None:
    server.will(says("Hi"))
    client = make_client(server.base_url, connect_s=2)
    await client.chat.completions.create(model="scripted", messages=HELLO)

    assert client.max_retries == 0
    assert not [name for name in server.asked[0].headers if name.startswith("x-")]
