"""What an endpoint accepts of the protocol, learned from what it rejects."""

from dataclasses import dataclass, replace

from echovessel.ports.llm import ChatRequest


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which parameters to send. The start is what most endpoints take; each rejection takes one step away from it."""

    usage_in_stream: bool = True
    length_limit: str = "max_tokens"
    temperature: bool = True

    def parameters(self, request: ChatRequest) -> dict[str, object]:
        """The body's fields beside model, messages and stream."""
        fields: dict[str, object] = {}
        if self.usage_in_stream:
            fields["stream_options"] = {"include_usage": True}
        if request.max_tokens is not None:
            fields[self.length_limit] = request.max_tokens
        if request.temperature is not None and self.temperature:
            fields["temperature"] = request.temperature
        return fields

    def after(self, rejection: str) -> "Dialect | None":
        """The dialect to try next, given the words of a 400 or 422; None when they name nothing we could leave out.

        The steps only ever go one way, so that asking again comes to an end.
        """
        words = rejection.lower()
        if self.usage_in_stream and ("stream_options" in words or "include_usage" in words):
            return replace(self, usage_in_stream=False)
        if self.length_limit == "max_tokens" and "max_completion_tokens" in words:
            return replace(self, length_limit="max_completion_tokens")
        if self.temperature and "temperature" in words:
            return replace(self, temperature=False)
        return None
