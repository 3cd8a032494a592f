import pytest

from echovessel.adapters.config.keys import field_of, fields_of, key_of, nested, sections, split, variable_of


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("llm.model", ("llm", "model")),
        ("llm", ("llm", "")),
        ("profiles", ("profiles", "")),
        ("profiles.cloud", ("profiles.cloud", "")),
        ("profiles.cloud.model", ("profiles.cloud", "model")),
    ],
)
def test_a_key_is_a_table_and_a_name(key: str, parts: tuple[str, str]) -> None:
    assert split(key) == parts


@pytest.mark.parametrize("key", ["llm.model", "profiles.cloud.base_url", "profiles.my_own.api_key"])
def test_a_variable_names_its_key_and_a_key_its_variable(key: str) -> None:
    assert key_of(variable_of(key)) == key
    assert field_of(key) is not None


def test_a_profile_has_the_settings_of_a_connection_and_no_cap() -> None:
    assert field_of("profiles.cloud.price_in") is not None
    assert field_of("profiles.cloud.daily_cost_cap") is None
    assert field_of("llm.daily_cost_cap") is not None
    assert fields_of("nothing") is None


def test_profiles_are_no_section_of_fixed_name() -> None:
    assert "llm" in sections()
    assert "profiles" not in sections()


def test_keys_become_the_tables_of_a_file() -> None:
    flat = {"llm.model": 1, "profiles.a.model": 2, "profiles.a.file": 3}
    assert nested(flat) == {"llm": {"model": 1}, "profiles": {"a": {"model": 2, "file": 3}}}
