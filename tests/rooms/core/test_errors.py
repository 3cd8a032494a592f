from collections.abc import Iterator

from echovessel.core import errors


def kinds(base: type[errors.EchoVesselError] = errors.EchoVesselError) -> Iterator[type[errors.EchoVesselError]]:
    for kind in base.__subclasses__():
        if kind.__module__ == errors.__name__:
            yield kind
            yield from kinds(kind)


def test_every_kind_of_error_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in kinds()]
    assert len(codes) == len(set(codes)) > 10
    assert all(code == code.lower() and " " not in code for code in codes)


def test_an_error_says_what_happened_and_what_to_do() -> None:
    busy = errors.ModelBusy("Too many requests.", do="Wait a minute.", retry_after=60)
    assert (str(busy), busy.message, busy.do, busy.retry_after) == (
        "Too many requests.",
        "Too many requests.",
        "Wait a minute.",
        60,
    )


def test_bad_input_names_its_field() -> None:
    assert errors.BadInput("Empty.", field="text", do="Write something.").field == "text"
