# Stop with a plain sentence where Python is missing, too old, or without venv.
set -eu
python="${PYTHON:-python3}"

if ! command -v "$python" >/dev/null 2>&1; then
    echo "EchoVessel needs Python 3.11 or newer, and \"$python\" was not found." >&2
    echo "Install it, or name another one: make run PYTHON=python3.12" >&2
    exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "EchoVessel needs Python 3.11 or newer; \"$python\" is $("$python" -V 2>&1)." >&2
    echo "Install a newer one, or name it: make run PYTHON=python3.12" >&2
    exit 1
fi
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "This Python cannot make virtual environments: its venv module is missing." >&2
    echo "On Debian and Ubuntu: apt-get install python3-venv" >&2
    exit 1
fi
