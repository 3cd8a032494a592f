"""CI may skip nothing; a person without Chromium may."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.rules import ROOT

SKIPPING = {
    "a test": "import pytest\n\ndef test_it(): pytest.skip('no browser')\n",
    "a fixture": "import pytest\n\n@pytest.fixture\ndef f(): pytest.skip('no browser')\n\ndef test_it(f): ...\n",
    "a mark": "import pytest\n\n@pytest.mark.skip('no browser')\ndef test_it(): ...\n",
    "a file": "import pytest\n\npytest.skip('no browser', allow_module_level=True)\n",
}


def _run_pytest(folder: Path, *, ci: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.support.no_skips", "-p", "no:cacheprovider", "-rA", str(folder)],
        cwd=folder,
        env={**os.environ, "CI": ci, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("who", SKIPPING)
def test_in_ci_a_skip_is_a_failure_that_keeps_its_reason(who: str, tmp_path: Path) -> None:
    (tmp_path / "test_skips.py").write_text(SKIPPING[who])

    done = _run_pytest(tmp_path, ci="true")

    assert done.returncode != 0
    assert "no browser" in done.stdout
    assert "CI may skip nothing" in done.stdout


def test_elsewhere_a_skip_is_a_skip(tmp_path: Path) -> None:
    (tmp_path / "test_skips.py").write_text(SKIPPING["a test"] + "\ndef test_other(): ...\n")

    done = _run_pytest(tmp_path, ci="")

    assert done.returncode == 0
    assert "1 passed, 1 skipped" in done.stdout


def test_an_expected_failure_is_not_a_skip(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text("import pytest\n\n@pytest.mark.xfail\ndef test_it(): assert False\n")

    assert _run_pytest(tmp_path, ci="true").returncode == 0
