#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# bench_attach.sh [BUILD] : what `jetscope attach` costs the program. A call without the library, with it but without a
# collector, and recorded; frames of a GL program with and without Jetscope, by turns; the start of a program; the
# collector's own time.
set -eu
build=$(cd "${1:-build/dev}" && pwd)
jetscope=$build/app/jetscope
library=$build/app/libjetscope-attach.so
programs=$build/tests/attach
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# under PROGRAM... : runs it under Jetscope; the result stays in $scratch/a.json.
under() {
    rm -f "$scratch/a.json"
    "$jetscope" attach --json "$scratch/a.json" -- "$@"
}
# median : of the numbers on stdin.
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# figure KEY : a number of $scratch/a.json.
figure() { grep -oE "\"$1\":[-0-9.e]+" "$scratch/a.json" | head -n 1 | cut -d: -f2; }

echo "calls:"
printf '  no library:   '; "$programs/bench_attachcalls"
printf '  no collector: '; LD_PRELOAD=$library "$programs/bench_attachcalls"
printf '  recorded:     '; under "$programs/bench_attachcalls"
echo "  lost: $(grep -oE '"lost":\{[^}]*\}' "$scratch/a.json"), cost as measured in the program: $(figure ns_per_call) ns"

echo "frames of 256x256 with upload, fence and glFinish, by turns:"
for _ in 1 2 3 4 5 6 7 8 9 10 11; do
    "$programs/jetscope_glloop" 1000 2>&1 >/dev/null | cut -d' ' -f1 >>"$scratch/plain"
    under "$programs/jetscope_glloop" 1000 2>&1 >/dev/null | cut -d' ' -f1 >>"$scratch/attached"
done
plain=$(median <"$scratch/plain")
attached=$(median <"$scratch/attached")
echo "  $plain us without, $attached us with Jetscope: $(awk "BEGIN { printf \"%.4f\", $attached / $plain }")"

if command -v glmark2-es2 >/dev/null && [ -n "${DISPLAY:-}" ]; then
    echo "glmark2-es2, frames a second of one scene, by turns:"
    glmark() { "$@" glmark2-es2 -s 320x240 -b build:duration=2 --swap-mode immediate | grep -oE 'FPS: [0-9]+' | cut -d' ' -f2; }
    for _ in 1 2 3 4 5; do
        glmark env >>"$scratch/glplain"
        glmark under >>"$scratch/glattached"
    done
    plain=$(median <"$scratch/glplain")
    attached=$(median <"$scratch/glattached")
    echo "  $plain without, $attached with Jetscope: $(awk "BEGIN { printf \"%.4f\", $plain / $attached }") times the time"
fi

echo "start and end of a program that does nothing:"
for _ in 1 2 3 4 5 6 7 8 9 10 11; do
    before=$(date +%s%N); /bin/true; between=$(date +%s%N); under /bin/true; after=$(date +%s%N)
    echo $(((between - before) / 1000)) >>"$scratch/short"
    echo $(((after - between) / 1000)) >>"$scratch/long"
done
echo "  $(median <"$scratch/short") us without, $(median <"$scratch/long") us with Jetscope (which starts itself, too)"
