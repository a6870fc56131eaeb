#!/usr/bin/env bash
# Makes the virtual environment of the adapter and prints the engine to select:
#   rprcheck diff --engine "$(adapters/pandas/setup.sh)"
# The package wants numpy before 2.2 and pandas before 3, for which there are
# wheels up to Python 3.13.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:-$here/.venv}
if ! "$venv/bin/python" -c 'import pandas_match_recognize' >/dev/null 2>&1; then
  for python in python3.12 python3.11 python3.13 python3.10 python3 ""; do
    if [ -z "$python" ]; then echo "setup.sh: no Python of version 3.10 to 3.13 with venv was found" >&2; exit 1; fi
    "$python" -c 'import sys, venv; sys.exit(not (3, 10) <= sys.version_info < (3, 14))' >/dev/null 2>&1 || continue
    rm -rf "$venv"
    if "$python" -m venv "$venv" >/dev/null 2>&1; then break; fi
  done
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" >&2
fi
echo "exec:$venv/bin/python $here/adapter.py"
