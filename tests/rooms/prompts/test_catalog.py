import pytest

from echovessel.prompts.catalog import language, language_of, read_catalog

ONE = {
    "hello/v1.en.md": "=== greet ===\nHello {user}.\n\n=== bye ===\nBye.\n",
    "hello/v1.zh.md": "=== greet ===\n你好,{user}。\n=== bye ===\n再见。\n",
}


def test_a_part_is_filled_in_the_language_asked_for() -> None:
    catalog = read_catalog(ONE)

    assert catalog.get("hello", "zh-Hant-TW").fill("greet", user="小雨") == "你好,小雨。"
    assert catalog.get("hello", "fr").fill("greet", user="Lin") == "Hello Lin."


def test_a_value_that_looks_like_a_slot_stays_as_it_is() -> None:
    assert read_catalog(ONE).get("hello", "en").fill("greet", user="{persona}") == "Hello {persona}."


def test_the_newest_version_speaks() -> None:
    newer = {path.replace("v1", "v10"): text.replace("Hello", "Hi") for path, text in ONE.items()}
    older = {path.replace("v1", "v9"): text for path, text in ONE.items()}

    template = read_catalog({**newer, **older}).get("hello", "en")

    assert (template.stamp, template.fill("greet", user="Lin")) == ("hello@10", "Hi Lin.")


@pytest.mark.parametrize(
    "files",
    [
        {"hello/v1.en.md": ONE["hello/v1.en.md"]},
        {**ONE, "hello/v1.zh.md": "=== greet ===\n你好。\n=== bye ===\n再见。\n"},
        {**ONE, "hello/v2.en.md": ONE["hello/v1.en.md"]},
        {"hello/latest.en.md": ""},
    ],
    ids=["a language is missing", "a slot is missing", "a version is missing", "no version"],
)
def test_files_that_do_not_fit_together_are_refused(files: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="template"):
        read_catalog(files)


def test_a_locale_names_one_of_our_languages() -> None:
    assert [language(x) for x in ("zh", "zh-CN", "ZH_tw", "en-GB", "de", "")] == ["zh", "zh", "zh", "en", "en", "en"]


def test_a_text_is_answered_in_its_own_language_where_its_script_tells_it() -> None:
    assert [language_of(x, "zh-CN") for x in ("好的 ok", "that is fine, 好", "😀")] == ["zh", "en", "zh"]
