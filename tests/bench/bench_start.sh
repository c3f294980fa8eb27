#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# bench_start.sh [JETSCOPE [ROUNDS]] : how long `jetscope --help` and the first picture of the window take, by turns with
# a program that does nothing. Needs an X server and gcc; see README.md beside this file.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jetscope=${1:-$here/../../build/release/app/jetscope}
rounds=${2:-15}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
gcc -O1 -shared -fPIC "$here/firstframe.c" -o "$scratch/firstframe.so" -ldl
export XDG_CONFIG_HOME=$scratch/config XDG_DATA_HOME=$scratch/data

# took NAME COMMAND... : appends the microseconds of a command.
took() {
    local name=$1 from
    shift
    from=$(date +%s%N)
    "$@" >/dev/null 2>&1
    echo $((($(date +%s%N) - from) / 1000)) >>"$scratch/$name"
}

# middle NAME COLUMN
middle() { cut -d ' ' -f "$2" "$scratch/$1" | sort -n | sed -n "$(((rounds + 1) / 2))p"; }

for ((round = 0; round < rounds; ++round)); do
    took nothing /bin/true
    took help "$jetscope" --help
    LD_PRELOAD="$scratch/firstframe.so libxcb-shm.so.0" timeout 60 "$jetscope" --device soft:orin >>"$scratch/window" 2>/dev/null || true
done
[ "$(wc -l <"$scratch/window")" -eq "$rounds" ] || { echo "the window does not open: is there an X server with shared memory?" >&2; exit 1; }
echo "a program that does nothing: $(middle nothing 1) us"
echo "jetscope --help:             $(middle help 1) us (goal 30000)"
echo "first picture of the window: $(middle window 1) ms (goal 400), $(middle window 2) ms of CPU time"
