"""Each endpoint as it is: the same question, asked as that one wants to be asked, on a real server on this machine."""

from collections.abc import Iterator

import pytest

from echovessel.adapters.llm.client import Endpoint
from echovessel.adapters.system import SystemClock
from echovessel.core.errors import ModelCut, ModelDown, ModelEmpty, ModelRefusedKey, ModelRejected
from echovessel.core.talk import ChatMessage, ChatRole, Usage
from echovessel.ports.llm import ChatRequest, Finished, Role
from echovessel.testing.contracts.llm import hear
from echovessel.testing.model_dialects import (
    GEMINI_USAGE,
    forbids,
    google_fails,
    google_lists,
    google_says,
    knows_formats,
    openrouter_says,
    refuses_reasoning,
    strict_template,
)
from echovessel.testing.model_scripts import fails, says
from echovessel.testing.model_server import ModelServer
from echovessel.testing.served import Script
from tests.support.settings import llm_settings

SYSTEM, USER, ASSISTANT = ChatRole.SYSTEM, ChatRole.USER, ChatRole.ASSISTANT
TALK = (
    ChatMessage(SYSTEM, "You are 小满."),
    ChatMessage(USER, "晚上好"),
    ChatMessage(ASSISTANT, "你来啦。"),
    ChatMessage(USER, "今天怎么样？"),
)
REQUEST = ChatRequest(role=Role.MAIN, messages=TALK, max_tokens=60, temperature=0.8)
SCHEMA = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
ASKS_JSON = ChatRequest(role=Role.MAIN, messages=TALK, schema=SCHEMA)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def endpoint(server: ModelServer, **settings: object) -> Endpoint:
    return Endpoint(profile="", settings=llm_settings(base_url=server.base_url, **settings), clock=SystemClock())


async def answer(model: Endpoint, request: ChatRequest = REQUEST) -> tuple[str, Finished]:
    said, finished = await hear(model, request)
    return "".join(said), finished


# ---------------------------------------------------------------- roles


@pytest.mark.parametrize(
    ("status", "in_the_stream"), [(400, False), (500, False), (200, True)], ids=["vllm", "llama.cpp", "lm studio"]
)
async def test_a_template_without_a_system_role_is_given_its_words_by_the_user(
    server: ModelServer, status: int, in_the_stream: bool
) -> None:
    template = strict_template(says("很好。"), system=False, status=status, in_the_stream=in_the_stream)
    server.will(template, template, template)
    model = endpoint(server)
    assert (await answer(model))[0] == "很好。"
    assert (await answer(model))[0] == "很好。"
    assert len(server.chats) == 3, "the second answer takes one request: what was learned is kept"
    assert server.chats[-1].messages[0] == {"role": "user", "content": "You are 小满.\n\n晚上好"}


@pytest.mark.parametrize(
    "messages",
    [
        TALK,
        (*TALK, ChatMessage(USER, "还在吗？")),
        (TALK[0], *TALK[2:]),
        (TALK[0], ChatMessage(SYSTEM, "Be kind."), TALK[3]),
        (TALK[2],),
    ],
    ids=["legal", "two in a row", "the persona begins", "two systems", "only the persona"],
)
async def test_the_strictest_template_takes_what_is_sent_the_first_time(
    server: ModelServer, messages: tuple[ChatMessage, ...]
) -> None:
    server.will(strict_template(says("好。")))
    assert (await answer(endpoint(server), ChatRequest(role=Role.MAIN, messages=messages)))[0] == "好。"


# ---------------------------------------------------------------- thinking


@pytest.mark.parametrize(
    ("script", "model"),
    [
        (says("很好。", thinks="用户在问好。"), "deepseek-reasoner"),
        (says("<think>用户在问好。</think>\n\n很好。"), "qwen3:8b"),
        (says("用户在问好。\n</think>\n\n很好。"), "deepseek-r1:8b"),
        (says("[THINK]用户在问好。[/THINK]很好。"), "magistral-small"),
        (openrouter_says("很好。"), "z-ai/glm"),
    ],
    ids=["a field", "tags", "no opening tag", "magistral", "openrouter"],
)
async def test_thinking_is_never_said_and_never_sent_back(server: ModelServer, script: Script, model: str) -> None:
    server.will(script, refuses_reasoning(says("再见。")))
    thinker = endpoint(server, model=model)
    said, finished = await answer(thinker)
    assert said == "很好。"
    assert finished.usage.tokens_out > 0
    again = ChatRequest(role=Role.MAIN, messages=(*TALK, ChatMessage(ASSISTANT, said), ChatMessage(USER, "再见")))
    assert (await answer(thinker, again))[0] == "再见。"


async def test_a_model_that_once_left_out_the_opening_tag_is_held_back_from_then_on(server: ModelServer) -> None:
    leaks = says("用户在问好。</think>很好。")
    server.will(leaks, leaks)
    model = endpoint(server, model="house-blend")
    await answer(model)
    assert (await answer(model))[0] == "很好。"


# ---------------------------------------------------------------- Google


async def test_google_is_spoken_to_and_understood(server: ModelServer) -> None:
    google = google_says("很好。", thought="他在问好。")
    server.will(google, google)
    server.lists = google_lists("gemini-flash", "gemini-pro")
    model = endpoint(server, model="gemini-flash")
    said, finished = await answer(model)
    assert said == "很好。"
    assert finished.usage == Usage(tokens_in=40, tokens_out=56), f"thinking is paid for: {GEMINI_USAGE}"
    assert await model.models() == ("gemini-flash", "gemini-pro")


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (google_fails(400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"), ModelRefusedKey),
        (google_fails(404, "models/gemini-x is not found for API version v1main", "NOT_FOUND"), ModelRejected),
        (google_says("", finish="content_filter: SAFETY"), ModelEmpty),
        (google_says("", finish="content_filter"), ModelEmpty),
        (google_fails(400, "User location is not supported for the API use.", "FAILED_PRECONDITION"), ModelRejected),
    ],
)
async def test_how_google_fails(server: ModelServer, script: Script, kind: type[ModelDown]) -> None:
    server.will(script, script)
    with pytest.raises(kind) as caught:
        await answer(endpoint(server))
    assert caught.type is kind
    if kind is ModelEmpty:
        assert "content filter" in caught.value.message


async def test_a_model_of_google_without_system_prompts(server: ModelServer) -> None:
    server.will(
        google_fails(400, "Developer instruction is not enabled for models/gemma-3-27b-it", "INVALID_ARGUMENT"),
        says("好。"),
    )
    assert (await answer(endpoint(server)))[0] == "好。"
    assert [m["role"] for m in server.chats[-1].messages] == ["user", "assistant", "user"]


# ---------------------------------------------------------------- what others say


async def test_openrouter_counts_what_its_cache_spared_and_took(server: ModelServer) -> None:
    server.will(openrouter_says("很好。"))
    _, finished = await answer(endpoint(server))
    assert finished.usage == Usage(tokens_in=50, tokens_out=5, cached_in=30, cache_written_in=8)


@pytest.mark.parametrize("finish", ["insufficient_system_resource", "network_error"])
async def test_an_answer_that_the_provider_could_not_finish_is_cut(server: ModelServer, finish: str) -> None:
    server.will(says("从前有座山", finish=finish))
    with pytest.raises(ModelCut):
        await answer(endpoint(server))


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("The request was rejected because it was considered high risk", "content_filter"),
        ("Input data may contain inappropriate content.", "data_inspection_failed"),
        ("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", None),
    ],
)
async def test_a_filter_that_refuses_the_prompt_is_called_one(
    server: ModelServer, message: str, code: str | None
) -> None:
    server.will(fails(400, message, code=code))
    with pytest.raises(ModelRejected, match="content filter"):
        await answer(endpoint(server))


@pytest.mark.parametrize("field", ["stream_options", "temperature", "max_tokens"])
async def test_a_field_that_is_forbidden_is_left_out(server: ModelServer, field: str) -> None:
    script = forbids(field, says("好。"))
    server.will(script, script, script)
    model = endpoint(server)
    assert (await answer(model))[0] == "好。"
    assert (await answer(model))[0] == "好。"
    assert len(server.chats) == 3


async def test_a_temperature_that_a_model_does_not_take_is_left_to_it(server: ModelServer) -> None:
    server.will(fails(400, "invalid temperature: only 1 is allowed for this model"), says("好。"))
    assert (await answer(endpoint(server)))[0] == "好。"
    assert "temperature" not in server.chats[-1].body


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("known", "mode"),
    [(("json_schema", "json_object"), "schema"), (("json_object",), "object"), ((), "none")],
    ids=["openai", "deepseek", "plain"],
)
async def test_json_is_asked_for_in_the_strictest_way_that_is_taken(
    server: ModelServer, known: tuple[str, ...], mode: str
) -> None:
    script = knows_formats(says('{"mood": "好"}'), *known)
    server.will(script, script, script, script)
    model = endpoint(server)
    said, finished = await answer(model, ASKS_JSON)
    assert (said, finished.json_mode) == ('{"mood": "好"}', mode)
    asked = len(server.chats)
    assert (await answer(model, ASKS_JSON))[1].json_mode == mode
    assert len(server.chats) == asked + 1
