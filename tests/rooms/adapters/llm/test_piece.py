from echovessel.adapters.llm.piece import ErrorInside, NotTheProtocol


def test_what_is_wrong_with_an_answer_says_what_it_is_instead() -> None:
    assert NotTheProtocol("a web page").what == "a web page"
    assert ErrorInside({"message": "out of memory"}).error == {"message": "out of memory"}
