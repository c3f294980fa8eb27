#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# bench_attach.sh [BUILD] : what `jetscope attach` costs the program. A call without the library, with it but without a
# collector, and recorded; frames of a GL program with and without Jetscope, by turns; the collector's own time; the
# start of a program. Beside each figure stands its goal and whether it holds. Exits with 1 if a figure is more than
# twice its goal, so that a busy machine fails nothing by itself.
set -eu
build=$(cd "${1:-build/dev}" && pwd)
jetscope=$build/app/jetscope
library=$build/app/libjetscope-attach.so
programs=$build/tests/attach
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# under PROGRAM... : runs it under Jetscope; the result stays in $scratch/a.json.
under() {
    rm -f "$scratch/a.json"
    "$jetscope" attach --json "$scratch/a.json" -- "$@"
}
# median : of the numbers on stdin.
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# figure KEY : a number of $scratch/a.json.
figure() { grep -oE "\"$1\":[-0-9.e]+" "$scratch/a.json" | head -n 1 | cut -d: -f2; }
# judge WHAT VALUE GOAL UNIT : prints whether the goal holds; more than twice of it fails.
judge() {
    if awk "BEGIN { exit !($2 <= $3) }"; then
        echo "  goal: $1 at most $3 $4: holds ($2)"
    elif awk "BEGIN { exit !($2 <= 2 * $3) }"; then
        echo "  goal: $1 at most $3 $4: does NOT hold ($2), but is within twice of it"
    else
        echo "  goal: $1 at most $3 $4: FAILS ($2)"
        failed=1
    fi
}
# added FILE : what a recorded function takes beside a bare call, as bench_attachcalls wrote into that file.
added() { sed -E 's/.*recorded function \+?([-0-9.]+) ns.*/\1/' "$scratch/$1"; }

echo "calls:"
printf '  no library:   '; "$programs/bench_attachcalls"
printf '  no collector: '; LD_PRELOAD=$library "$programs/bench_attachcalls" | tee "$scratch/passed"
printf '  recorded:     '; under "$programs/bench_attachcalls" | tee "$scratch/recorded"
echo "  lost: $(grep -oE '"lost":\{[^}]*\}' "$scratch/a.json"), cost as measured in the program: $(figure ns_per_call) ns"
judge "a call that is recorded, beside a bare one" "$(added recorded)" 60 ns
judge "a call that passes through, beside a bare one" "$(added passed)" 15 ns

echo "frames of 256x256 with upload, fence and glFinish, by turns:"
for _ in 1 2 3 4 5 6 7 8 9 10 11; do
    "$programs/jetscope_glloop" 1000 2>&1 >/dev/null | cut -d' ' -f1 >>"$scratch/plain"
    under "$programs/jetscope_glloop" 1000 2>&1 >/dev/null | cut -d' ' -f1 >>"$scratch/attached"
done
plain=$(median <"$scratch/plain")
attached=$(median <"$scratch/attached")
echo "  $plain us without, $attached us with Jetscope: $(awk "BEGIN { printf \"%.4f\", $attached / $plain }")"

# rate : records a second; those of all calls are more than those of the GPU's work.
rate() {
    awk "BEGIN { print int($(grep -oE '"recorded":[0-9]+' "$scratch/a.json" | cut -d: -f2 | sort -g | tail -n 1) * $(figure fps) / 4000) }"
}

echo "the collector at 100,000 records a second, for 4 s:"
for record in "" "--record $scratch/a.jscope"; do
    # shellcheck disable=SC2086
    rm -f "$scratch/a.json" "$scratch/a.jscope" && "$jetscope" attach --json "$scratch/a.json" --no-gpu-times $record -- \
        "$programs/jetscope_cudaprogram" "$programs/toolkit/lib64/libcuda.so.1" rate 4000 >/dev/null
    echo "  ${record:+with a capture: }$(figure collector_cores) cores, $(rate) records a second, $(grep -oE '"lost":\{[^}]*\}' "$scratch/a.json")"
    [ "$(rate)" -ge 95000 ] || { echo "  FAILS: the program did not keep that rate"; failed=1; }
    judge "the collector${record:+ with a capture}" "$(figure collector_cores)" 0.1 cores
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
added=$(($(median <"$scratch/runsunder") - $(median <"$scratch/runs")))
judge "until the program runs, more than without" "$(awk "BEGIN { print $added / 1000 }")" 50 ms
exit "$failed"
