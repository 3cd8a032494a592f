import time

from echovessel.memory.phrases import Found, Phrases


def test_words_are_found_whole_and_characters_anywhere() -> None:
    phrases = Phrases([("ann", 1), ("小雨", 2), ("new york", 3)])

    assert list(phrases.find("ann met anna in new york")) == [Found(0, 3, 1), Found(16, 24, 3)]
    assert list(phrases.find("我妹妹小雨来了")) == [Found(3, 5, 2)]


def test_the_longest_wins_and_nothing_within_it_is_found_again() -> None:
    phrases = Phrases([("妈", "m"), ("妈妈", "mm"), ("best friend", "bf"), ("friend", "f")])

    assert [found.value for found in phrases.find("妈妈和妈, my best friend, a friend")] == ["mm", "m", "bf", "f"]


def test_a_phrase_cut_off_by_the_end_is_none() -> None:
    assert list(Phrases([("new york city", 1), ("new", 2)]).find("new york")) == [Found(0, 3, 2)]


def test_a_second_value_takes_the_place_of_the_first_and_nothing_is_no_phrase() -> None:
    phrases = Phrases([("a", 1), ("a", 2), ("", 3), ("!", 4)])

    assert [found.value for found in phrases.find("a!")] == [2]


def test_five_hundred_names_cost_no_more_than_five() -> None:
    text = "昨天和小雨还有 Anna 一起去吃饭, then we met Bob at the station " * 20
    few, many = (Phrases((f"name{n}", n) for n in range(count)) for count in (5, 500))

    assert _seconds(many, text) < 5 * _seconds(few, text)


def _seconds(phrases: Phrases[int], text: str) -> float:
    def once() -> float:
        begin = time.process_time()
        list(phrases.find(text))
        return time.process_time() - begin

    return min(once() for _ in range(5))
