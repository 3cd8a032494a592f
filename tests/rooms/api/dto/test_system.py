"""Views and changes of the machine room."""

from datetime import UTC, datetime

import pytest
from pydantic import SecretStr, ValidationError

from echovessel.api.dto.system import ImportView, JobView, LlmTest, LlmTestView, SettingsChange, SettingsView, SpentView
from echovessel.core.ids import JobId
from echovessel.ports.front import ImportReport
from echovessel.ports.llm import ProbeResult
from echovessel.ports.records import Job, JobState, Spent
from echovessel.ports.settings import Settings

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_settings_are_shown_without_their_secrets() -> None:
    settings = Settings.model_validate(
        {"llm": {"api_key": "sk-secret", "api_key_file": "private.txt"}, "database": {"url": "postgresql://u:pw@h/d"}}
    )
    shown = SettingsView.of(settings).model_dump_json()

    assert SettingsView.of(settings).llm.api_key_set
    assert not [secret for secret in ("sk-secret", "private.txt", "pw") if secret in shown]


@pytest.mark.parametrize(("llm", "is_set"), [({}, False), ({"api_key": "k"}, True), ({"api_key_file": "f"}, True)])
def test_a_key_is_set_by_value_or_by_file(llm: dict[str, str], is_set: bool) -> None:
    assert SettingsView.of(Settings.model_validate({"llm": llm})).llm.api_key_set is is_set


def test_a_change_holds_what_was_sent() -> None:
    change = SettingsChange.model_validate(
        {"llm": {"model": "m", "small_model": None, "temperature": None, "api_key": "k"}, "turn": {"debounce_s": 0}}
    )

    assert change.values() == {
        "llm.model": "m",
        "llm.temperature": None,
        "llm.api_key": SecretStr("k"),
        "turn.debounce_s": 0,
    }
    assert SettingsChange().values() == {}


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (" http://127.0.0.1:11434/v1/ ", "http://127.0.0.1:11434/v1"),
        ("https://模型.example/v1", "https://模型.example/v1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_addresses_of_models(sent: str, kept: str) -> None:
    assert LlmTest(base_url=sent, model="m").base_url == kept


@pytest.mark.parametrize(
    "sent",
    ["", "x", "127.0.0.1:9", "ftp://h", "file:///etc/passwd", "javascript:alert(1)", "http://", "http://u:p@h", "a\nb"],
)
def test_what_is_no_address_of_a_model(sent: str) -> None:
    with pytest.raises(ValidationError):
        LlmTest(base_url=sent, model="m")


def test_reports_jobs_sums_and_probes() -> None:
    report = ImportReport(added=1, already_there=2, refused=("line 3: no",), first_at=AT, last_at=None)
    job = Job(id=JobId("j"), kind="scrub", key="s", user_id=None, due_at=AT, state=JobState.PARKED, attempts=3)

    assert ImportView.of(report).refused == ["line 3: no"]
    assert (JobView.of(job).state, JobView.of(job).attempts) == ("parked", 3)
    assert SpentView.of(Spent(calls=1, tokens_in=2, tokens_out=3, cost=0.5)).cost == 0.5
    assert LlmTestView.of(ProbeResult(model="m", models=("m", "n"), first_token_s=0.2)).models == ["m", "n"]
