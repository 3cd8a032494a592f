import pytest
import tomlkit

from echovessel.adapters.config.writing import put


@pytest.mark.parametrize(
    ("before", "key", "value", "after"),
    [
        ("", "llm.model", "a", '[llm]\nmodel = "a"\n'),
        ('# mine\n[llm]\nmodel = "a"  # old\n', "llm.model", "b", '# mine\n[llm]\nmodel = "b"  # old\n'),
        ('[llm]\nmodel = "a"\n', "llm.model", None, "[llm]\n"),
        ("", "profiles.x.model", "a", '[profiles.x]\nmodel = "a"\n'),
        ("[profiles.x]\nretries = 1\n", "profiles.x", None, ""),
        ("[profiles.x]\n# hers\nretries = 1\n", "profiles.x.retries", 2, "[profiles.x]\n# hers\nretries = 2\n"),
        ("profiles.x.retries = 1\n", "profiles.x.retries", 2, "profiles.x.retries = 2\n"),
        ("[profiles]\nx = {retries = 1}\n", "profiles.x.retries", 2, "[profiles]\nx = {retries = 2}\n"),
        ("", "llm.model", None, "[llm]\n"),
    ],
)
def test_one_value_changes_and_the_rest_stays(before: str, key: str, value: object, after: str) -> None:
    document = tomlkit.parse(before)
    put(document, key, value)
    assert tomlkit.dumps(document) == after
