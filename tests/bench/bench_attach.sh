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

# With apitrace, which records every call with its data: what else there is to see the calls of a GL program.
if command -v glmark2-es2 >/dev/null && [ -n "${DISPLAY:-}" ]; then
    echo "glmark2-es2, frames a second of one scene, by turns:"
    apitraced() {
        rm -f "$scratch/gl.trace"
        apitrace trace -a egl -o "$scratch/gl.trace" "$@" 2>/dev/null
    }
    glmark() { "$@" glmark2-es2 -s 320x240 -b build:duration=2 --swap-mode immediate | grep -oE 'FPS: [0-9]+' | cut -d' ' -f2; }
    # times FPS : the time of a frame as a multiple of that without either.
    times() { awk "BEGIN { printf \"%.4f\", $plain / $1 }"; }
    for _ in 1 2 3 4 5 6 7; do
        glmark env >>"$scratch/glplain"
        glmark under >>"$scratch/glattached"
        if command -v apitrace >/dev/null; then glmark apitraced >>"$scratch/glapitrace"; fi
    done
    plain=$(median <"$scratch/glplain")
    attached=$(median <"$scratch/glattached")
    echo "  $plain without, $attached with Jetscope: $(times "$attached") times the time"
    if [ -s "$scratch/glapitrace" ]; then
        apitrace=$(median <"$scratch/glapitrace")
        echo "  $apitrace with apitrace: $(times "$apitrace") times the time;" \
            "Jetscope adds $(awk "BEGIN { printf \"%.3f\", (1 / $attached - 1 / $plain) / (1 / $apitrace - 1 / $plain) }") of what it adds"
    else
        echo "  apitrace is not installed or does not run (Debian package apitrace)"
    fi
fi

echo "the collector at 100,000 records a second, for 4 s:"
for record in "" "--record $scratch/a.jscope"; do
    # shellcheck disable=SC2086
    rm -f "$scratch/a.json" "$scratch/a.jscope" && "$jetscope" attach --json "$scratch/a.json" --no-gpu-times $record -- \
        "$programs/jetscope_cudaprogram" "$programs/toolkit/lib64/libcuda.so.1" rate 4000 >/dev/null
    echo "  ${record:+with a capture: }$(figure collector_cores) cores, $(grep -oE '"lost":\{[^}]*\}' "$scratch/a.json")"
done

echo "until a program runs, and until it has ended (medians of 21 turns, with the start of Jetscope itself):"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
    before=$(date +%s%N); runs=$(date +%s%N); ended=$(date +%s%N)
    echo $(((runs - before) / 1000)) >>"$scratch/runs"
    echo $(((ended - before) / 1000)) >>"$scratch/ends"
    before=$(date +%s%N); runs=$(under date +%s%N 2>/dev/null); ended=$(date +%s%N)
    echo $(((runs - before) / 1000)) >>"$scratch/runsunder"
    own=$(date +%s%N); "$jetscope" --version >/dev/null; later=$(date +%s%N)
    echo $(((later - own) / 1000)) >>"$scratch/own"
    own=$(date +%s%N); runs=$(LD_PRELOAD=$library date +%s%N)
    echo $(((runs - own) / 1000)) >>"$scratch/preloaded"
    echo $(((ended - before) / 1000)) >>"$scratch/endsunder"
done
echo "  runs after $(median <"$scratch/runs") us without, $(median <"$scratch/runsunder") us with Jetscope, whose own start takes $(median <"$scratch/own") us (--version)"
echo "  runs after $(median <"$scratch/preloaded") us with the library alone"
echo "  has ended after $(median <"$scratch/ends") us without, $(median <"$scratch/endsunder") us with Jetscope"
