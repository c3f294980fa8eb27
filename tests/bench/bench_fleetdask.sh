#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# bench_fleetdask.sh JETSCOPE DIR : compares two builds of the fleet in DIR, which bench_fleet made, by DuckDB in process
# and by two workers of Dask on this machine, and says the times. The verdicts must be equal. See README.md.
set -euo pipefail
jetscope=$1 fleet=$2
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../packaging/fleet" && pwd)
place=$(mktemp -d)
servers=()
# shellcheck disable=SC2317 # Called by the trap.
cleanup() {
    kill "${servers[@]}" 2>/dev/null || true
    wait
    rm -rf "$place"
}
trap cleanup EXIT

dask-scheduler --host 127.0.0.1 --port 0 --no-dashboard >"$place/scheduler" 2>&1 &
servers+=($!)
until address=$(grep -o -m 1 'tcp://127\.0\.0\.1:[0-9]*' "$place/scheduler"); do sleep 0.1; done
for worker in 1 2; do
    dask-worker "$address" --host 127.0.0.1 --nthreads 1 --no-dashboard --no-nanny --local-directory "$place" \
        >"$place/worker$worker" 2>&1 &
    servers+=($!)
done
until [ "$(grep -c 'Register worker' "$place/scheduler")" -eq 2 ]; do sleep 0.1; done

sides=(--a commit=old --b commit=new)
timed() { # NAME COMMAND...
    local name=$1 before
    shift
    before=$(date +%s.%N)
    "$@" >"$place/$name.json" 2>/dev/null || [ $? -eq 1 ] # Worse.
    echo "$name: $(awk -v a="$before" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }') s"
}
timed duckdb "$jetscope" fleet compare "$fleet" "${sides[@]}" --json
timed dask "$scripts/compare.py" "$fleet" "${sides[@]}" --json --scheduler "$address" --program "$jetscope" --here "$jetscope"
cmp "$place/duckdb.json" "$place/dask.json" && echo "the verdicts are equal"
