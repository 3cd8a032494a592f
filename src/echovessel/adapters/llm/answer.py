"""One answer as it grows: what was said aloud, and what the ledger wants to know at its end."""

from echovessel.adapters.llm.piece import Piece
from echovessel.adapters.llm.thinking import ThinkFilter, shows_its_thinking
from echovessel.core.talk import Usage
from echovessel.core.text import estimate_tokens
from echovessel.core.usage import estimate_usage
from echovessel.ports.llm import ChatRequest, Delta, Finished, JsonMode, Thought

LONGEST_ANSWER = 100_000
"""Characters, thinking included; a model that goes on is cut there."""


class Answer:
    """Takes in the pieces of one answer to `request`; `model` is its name until the endpoint says a better one."""

    def __init__(self, request: ChatRequest, model: str, *, unopened: bool = False) -> None:
        self._request = request
        self._model = model
        self._thinking = ThinkFilter(unopened=unopened)
        self._usage: Usage | None = None
        self._json_mode: JsonMode = "none"
        self._heard: list[str] = []
        self._said: list[str] = []
        self._length = 0
        self.spoke = False
        self.cut_short = False
        self.finish = ""

    @property
    def prompt(self) -> tuple[str, ...]:
        """The texts that were sent."""
        return tuple(message.content for message in self._request.messages)

    @property
    def began(self) -> bool:
        """Whether anything of it came, be it thinking: then it is not asked for again."""
        return self._length > 0

    @property
    def too_long(self) -> bool:
        """Whether it goes on and on."""
        return self._length > LONGEST_ANSWER

    @property
    def showed_thinking(self) -> bool:
        """Whether thinking was said, as its opening tag was missing; the model's next answers are held back for that."""
        return shows_its_thinking("".join(self._said))

    def hear(self, piece: Piece) -> list[Delta | Thought]:
        """Take in a piece; what of it is to be said, and how much is not, if anything."""
        self._model = piece.model or self._model
        self._usage = piece.usage or self._usage
        self._json_mode = piece.json_mode or self._json_mode
        self.finish = piece.finish or self.finish
        self._length += len(piece.speech) + len(piece.thought)
        self._heard += (piece.thought, piece.speech)
        held = self._thinking.thought_apart() if piece.thought else ""
        said = self._say(held + self._thinking.feed(piece.speech))
        unsaid = piece.thought if said else piece.thought + piece.speech
        return [*said, Thought(estimate_tokens(unsaid))] if unsaid else [*said]

    def end(self) -> list[Delta]:
        """What is left to say at the end."""
        return self._say(self._thinking.finish())

    def _say(self, text: str) -> list[Delta]:
        self.spoke = self.spoke or bool(text)
        self._said.append(text)
        return [Delta(text)] if text else []

    def finished(self) -> Finished:
        """The event that ends it; what the endpoint did not count is estimated."""
        usage = self._usage or estimate_usage(self._request.messages, "".join(self._heard))
        cut_short = self.cut_short or self.finish == "length"
        return Finished(model=self._model, usage=usage, cut_short=cut_short, json_mode=self._json_mode)
