#!/bin/sh
# Puts the project into .venv: `scripts/setup.sh run` for users, `scripts/setup.sh dev` with what the tests need.
# EXTRAS="onnxruntime paddle" in the environment adds extras (make install EXTRAS=...), each from a lock of its own.
# Does nothing, and needs no network, when the lock file, pyproject.toml and this folder's place are unchanged.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-run}
lock=requirements/$kind.lock
venv=.venv

say() { echo "inklane: $*" >&2; }

suits() {  # PYTHON: is it a version that is supported, and can it make an environment?
    "$1" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        suits "$PYTHON" && { echo "$PYTHON"; return; }
        say "PYTHON=$PYTHON is not a Python 3.11, 3.12 or 3.13 with the modules venv and ensurepip."
        return 1
    fi
    for name in python3 python3.12 python3.11 python3.13 python; do
        if command -v "$name" >/dev/null 2>&1 && suits "$name"; then echo "$name"; return; fi
    done
    say "needs Python 3.11, 3.12 or 3.13 with the modules venv and ensurepip; python3 here is" \
        "$(python3 --version 2>/dev/null || echo missing)."
    say "Install one (Debian, Ubuntu: apt install python3 python3-venv) or name one: make run PYTHON=/path/to/python3"
    return 1
}

case $kind in run | dev) ;; *) say "scripts/setup.sh run|dev, not $kind"; exit 2 ;; esac

extras=$(echo "${EXTRAS:-}" | tr ',' ' ')
for extra in $extras; do
    case $extra in
        onnxruntime | paddle | train) ;;
        *) say "EXTRAS=$extra: there are onnxruntime, paddle and train"; exit 2 ;;
    esac
done

# The locks are complete, so dependencies are not looked at again (rapidocr and others would bring a second OpenCV).
export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1
install_lock() {  # LOCK
    say "installing the packages of $1 (once; later runs need no network)"
    "$venv/bin/python" -m pip install -qq --no-deps --require-hashes --only-binary :all: --requirement "$1"
}

finish() {  # what was asked for besides, then the check that all can be loaded
    for extra in $extras; do
        made_from=$(cksum < "requirements/$extra.lock")
        if [ "$(cat "$venv/.installed-extra-$extra" 2>/dev/null)" != "$made_from" ]; then
            install_lock "requirements/$extra.lock"
            echo "$made_from" > "$venv/.installed-extra-$extra"
        fi
    done
    exec scripts/system_libraries.sh "$venv/bin/python"
}

# What the environment was made from: the files' content rather than their dates, and where this folder is.
wanted=$({ cat "$lock" pyproject.toml; pwd -P; } | cksum)
stamp=$venv/.installed-$kind
# What serves the tests serves users, too.
for have in "$stamp" "$venv/.installed-dev-for-$kind"; do
    if [ -f "$have" ] && [ "$(cat "$have")" = "$wanted" ] && "$venv/bin/python" -c '' 2>/dev/null; then
        finish
    fi
done

if ! { [ -x "$venv/bin/python" ] && suits "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }
then
    python=$(find_python) || exit 1
    say "making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
fi
rm -f "$venv"/.installed-*

install_lock "$lock"
PIP_NO_INDEX=1 "$venv/bin/python" -m pip install -qq --no-deps --no-build-isolation --editable .
echo "$wanted" > "$stamp"
if [ "$kind" = dev ]; then
    { cat requirements/run.lock pyproject.toml; pwd -P; } | cksum > "$venv/.installed-dev-for-run"
fi
finish
