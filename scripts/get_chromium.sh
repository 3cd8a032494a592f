# Install Chromium for the browser tests where that is one command: on Debian, as root.
set -eu

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing Chromium for the browser tests ..."
    apt-get update -q -q
    DEBIAN_FRONTEND=noninteractive apt-get install -q -q -y --no-install-recommends chromium >/dev/null
fi
