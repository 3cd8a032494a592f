from echovessel.adapters.templates import load_catalog


def test_the_package_brings_every_template_in_both_languages() -> None:
    catalog = load_catalog()

    assert {name for name, _ in catalog.templates} == {"reply", "keeper"}
    assert {locale for _, locale in catalog.templates} == {"zh", "en"}
