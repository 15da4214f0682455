#!/bin/sh
# Computes the lock files again after a change of pyproject.toml: names, versions and hashes, for every platform and
# Python that is supported, no addresses. Versions stay as they are unless asked otherwise:
#
#   make lock                          only what the change demands
#   make lock ARGS=--upgrade           everything to its newest release
#   make lock ARGS="--upgrade-package numpy"
#
# requirements/dev.lock   run and dev dependencies, resolved together
# requirements/run.lock   the part of it that a user needs
# requirements/EXTRA.lock   the same with an extra: what `make install EXTRAS=EXTRA` installs
set -eu
cd "$(dirname "$0")/.."

if [ -n "${UV:-}" ]; then :
elif command -v uv >/dev/null 2>&1; then UV=uv
else
    [ -x .venv/bin/uv ] || .venv/bin/python -m pip install --quiet uv
    UV=.venv/bin/uv
fi

compile() {  # OUTPUT, then further arguments
    out=$1
    shift
    "$UV" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
        --excludes requirements/exclude.txt --custom-compile-command "make lock" \
        --output-file "$out" pyproject.toml requirements/build.txt "$@"
    if grep -nE '://|^-|file:|(^|[[:space:]])/' "$out" | grep -v '^[0-9]*:#'; then
        echo "$out: addresses do not belong into a lock file (see above)" >&2
        exit 1
    fi
}

compile requirements/dev.lock --extra dev "$@"
# The smaller locks take their versions from the larger one, so that all fit one environment.
compile requirements/run.lock --constraint requirements/dev.lock
for extra in onnxruntime paddle; do
    compile "requirements/$extra.lock" --extra "$extra" --constraint requirements/dev.lock
done
# paddle2onnx needs an older onnx than the tests have.
compile requirements/train.lock --extra train --constraint requirements/run.lock
