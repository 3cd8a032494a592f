"""The anthropic SDK, made to do nothing on its own. Importing this takes seconds: only `line` does, in a thread."""

from anthropic import AsyncAnthropic

from echovessel.adapters.llm.transport import bare_client, connecting_within


def make_client(url: str, connect_s: float, proxy: str = "") -> AsyncAnthropic:
    """A client without retries, traces, or keys and profiles of the environment; keys come with each request."""
    timeout = connecting_within(connect_s)
    client = AsyncAnthropic(
        base_url=url,
        api_key="comes with each request",
        max_retries=0,
        timeout=timeout,
        open_telemetry=False,
        http_client=bare_client(timeout, proxy),
    )
    _ = client.messages, client.models  # importing these takes a moment too
    return client
