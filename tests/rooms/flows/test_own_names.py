import pytest

from echovessel.flows.own_names import own_names


@pytest.mark.parametrize(
    ("text", "profile", "told"),
    [
        (
            "Check llm.api_key or llm.api_key_file.",
            "cloud",
            "Check profiles.cloud.api_key or profiles.cloud.api_key_file.",
        ),
        ("Check llm.api_key.", "", "Check llm.api_key."),
        ("Raise llm.daily_cost_cap.", "cloud", "Raise llm.daily_cost_cap."),
        ("Lower prompt.token_budget.", "本地", "Lower prompt.token_budget."),
        ("Check llm.base_url.", "本地", "Check profiles.本地.base_url."),
    ],
)
def test_the_settings_of_a_profile_are_called_by_their_own_names(text: str, profile: str, told: str) -> None:
    assert own_names(text, profile) == told
