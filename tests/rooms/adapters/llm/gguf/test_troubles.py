"""The sentences about model files: sizes in gigabytes, and a death by its name."""

from pathlib import Path

from echovessel.adapters.llm.gguf import troubles

PATH = Path("/secret/folder/qwen3-8b.gguf")


def test_memory_is_told_in_gigabytes() -> None:
    it = troubles.too_large(PATH, needed=6 << 30, available=(3 << 30) + (1 << 29))
    assert "needs about 6.0 GB of memory, and 3.5 GB are free" in it.message
    assert "/secret" not in it.message


def test_a_crash_is_told_by_its_signal_or_its_exit_code() -> None:
    assert "(SIGABRT)" in troubles.crashed_loading(PATH, -6).message
    assert "(SIGKILL)" in troubles.crashed_answering(PATH, -9).message
    assert "(exit code 3221225477)" in troubles.crashed_answering(PATH, 3221225477).message


def test_the_engines_own_words_are_passed_on_when_there_are_some() -> None:
    assert troubles.will_not_load(PATH, "").message.endswith("qwen3-8b.gguf.")
    assert troubles.will_not_load(PATH, "no such tensor").message.endswith("qwen3-8b.gguf: no such tensor")
    assert "pip install" in troubles.no_engine().do
    assert "--force-reinstall" in troubles.engine_broken("a library is missing").do
    assert "900 seconds" in troubles.slow_to_load(PATH, 900).message
