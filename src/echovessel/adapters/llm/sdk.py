"""The openai SDK, made to do nothing on its own. Importing this takes about a second: only `line` does, in a thread."""

from openai import AsyncOpenAI

from echovessel.adapters.llm.transport import bare_client, connecting_within


def make_client(url: str, connect_s: float, proxy: str = "") -> AsyncOpenAI:
    """A client without retries, redirects, kept connections, or proxies of the environment; keys come with each request."""
    timeout = connecting_within(connect_s)
    client = AsyncOpenAI(
        base_url=url,
        api_key="comes with each request",
        max_retries=0,
        timeout=timeout,
        http_client=bare_client(timeout, proxy),
    )
    _ = client.chat.completions, client.models  # importing these takes a moment too
    return client
