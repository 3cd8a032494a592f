from hypothesis import given
from hypothesis import strategies as st

from echovessel.prompts.identity import fair_shares, identity
from echovessel.prompts.material import ReplyMaterial
from echovessel.prompts.wording import cost, wording
from tests.support.prompting import CATALOG, Talk, block, material, persona, user


def _identity(state: ReplyMaterial, tokens: int = 3000) -> tuple[str, int]:
    made = identity(state, tokens, wording("reply", state, CATALOG, "en"))
    return made.text, cost(made.text)


def test_sections_come_in_order_and_empty_ones_are_left_out() -> None:
    state = material(
        burst=[Talk().said("user", "hi")],
        by=persona(examples="<START>\n{{char}}: Tick."),
        blocks=[block("persona", "A clockmaker."), block("user", "{{user}} has a cat."), block("style", " \n")],
    )

    text, _ = _identity(state)

    headings = [line for line in text.splitlines() if line.startswith("# ")]
    assert headings == ["# Who you are", "# How you sound", "# Rules that always hold", "# What you know of Lin"]
    assert "Lin has a cat." in text
    assert "Mira: Tick." in text


def test_a_huge_block_is_shortened_and_starves_nobody() -> None:
    state = material(
        burst=[Talk().said("user", "hi")],
        blocks=[block("persona", "clock " * 50_000), block("style", "Short sentences."), block("user", "Has a cat.")],
    )

    text, tokens = _identity(state, 1500)

    assert tokens <= 1500
    assert "the program left out" in text
    assert "Short sentences." in text
    assert "Has a cat." in text


def test_the_user_never_said_the_examples_and_a_sentence_begins_with_a_capital() -> None:
    state = material(
        burst=[Talk().said("user", "hi")],
        by=persona(examples="<START>\n{{user}}: Morning.\n{{char}}: Morning, {{user}}."),
        to=user(name=""),
        blocks=[block("persona", "{{user}} writes to {{char}}. {{user}} likes her, and she likes {{user}}.")],
    )

    text, _ = _identity(state)

    assert "Someone: Morning.\nMira: Morning, the user." in text
    assert "The user writes to Mira. The user likes her, and she likes the user." in text


def test_examples_take_what_is_left_and_stay_whole() -> None:
    blocks = [f"<START>\n{{{{char}}}}: example {i} " + "word " * 60 for i in range(40)]
    state = material(burst=[Talk().said("user", "hi")], by=persona(examples="\n".join(blocks)))

    text, tokens = _identity(state, 1200)

    assert tokens <= 1200
    kept = [i for i in range(40) if f"example {i} " in text]
    assert kept == list(range(len(kept)))
    assert 0 < len(kept) < 40
    assert text.count("word " * 59) == len(kept)


@given(st.lists(st.integers(0, 500), max_size=8), st.integers(-10, 1000))
def test_shares_are_fair(wanted: list[int], room: int) -> None:
    shares = fair_shares(wanted, room)

    assert sum(shares) <= max(room, 0)
    assert all(got <= want for got, want in zip(shares, wanted, strict=True))
    if sum(wanted) <= room:
        assert shares == wanted
    starved = [got for got, want in zip(shares, wanted, strict=True) if got < want]
    assert all(
        got <= min(starved, default=got) + len(wanted) for got, want in zip(shares, wanted, strict=True) if got < want
    )
