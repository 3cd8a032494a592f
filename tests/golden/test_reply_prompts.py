"""State → exact prompt.

After a wanted change `python -m tests.golden.test_reply_prompts` writes the expected files anew: read their diff.
"""

from pathlib import Path

import pytest

from tests.golden.states import STATES
from tests.support.prompting import CATALOG, reply

EXPECTED = Path(__file__).parent / "expected"


def _written(name: str) -> str:
    state, budget = STATES[name]
    prompt = reply(state(), budget, CATALOG)
    messages = [f"======== {m.role.value}\n{m.content}\n" for m in prompt.messages]
    counts = f"======== {prompt.name}, {prompt.tokens} tokens: {dict(prompt.sections)}\n"
    return "".join([*messages, counts])


@pytest.mark.parametrize("name", STATES)
def test_a_state_gives_exactly_this_prompt(name: str) -> None:
    assert _written(name) == (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for each in STATES:
        (EXPECTED / f"{each}.txt").write_text(_written(each), encoding="utf-8")
