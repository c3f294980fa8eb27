#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# gl_cost.sh JETSCOPE [instructions|time [TURNS [FRAMES]]] : what `jetscope attach` adds to a GL program, beside what apitrace
# adds, which records every call with its data. glmark2-es2 draws FRAMES frames of a scene with 180 draws a frame on llvmpipe:
# alone, under Jetscope and under apitrace, by turns. Measured is the program's own process: its instructions as
# valgrind counts them, which do not depend on other programs of the machine, or its CPU time. The figure is the median of
# the ratios of TURNS turns. Fails if Jetscope adds more than 2 %, or more than a third of what apitrace adds. Skipped (77)
# without glmark2-es2 (Debian package glmark2-es2-x11); apitrace and valgrind are packages of their own.
set -u
# --measured FILE WHAT PROGRAM... : its instructions, or its CPU time in seconds, go to FILE.
if [ "${1:-}" = --measured ]; then
    file=$2
    what=$3
    shift 3
    if [ "$what" = instructions ]; then
        valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-file="$file.log" "$@" >/dev/null 2>&1 || exit
        sed -n 's/.*I *refs: *//p' "$file.log" | tr -d , >"$file"
    else
        TIMEFORMAT='%U %S'
        { time "$@" >/dev/null 2>&1; } 2>"$file.log" || exit
        awk '{ print $1 + $2 }' "$file.log" >"$file"
    fi
    exit
fi
jetscope=$(realpath "${1:?usage: gl_cost.sh JETSCOPE [instructions|time [TURNS [FRAMES]]]}")
what=${2:-instructions}
case $what in
    instructions) turns=${3:-2} frames=${4:-800} ;;
    time) turns=${3:-10} frames=${4:-8000} ;;
    *) exit 2 ;;
esac
self=$(realpath "$0")
command -v glmark2-es2 >/dev/null || {
    echo "glmark2-es2 is not installed (Debian package glmark2-es2-x11)"
    exit 77
}
if [ "$what" = instructions ] && ! command -v valgrind >/dev/null; then
    echo "valgrind is not installed: measure CPU time"
    exit 77
fi
if [ -z "${DISPLAY:-}" ]; then
    exec xvfb-run -a -s "-screen 0 640x480x24" "$self" "$@"
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# No threads of the rasteriser: where they run and wait is what differs most between two runs.
export LIBGL_ALWAYS_SOFTWARE=1 LP_NUM_THREADS=0 vblank_mode=0

program=(glmark2-es2 -s 64x64 --swap-mode immediate -b "ideas:nframes=$frames:duration=1000")
# turn WAY : what it takes, to $scratch/WAY.
turn() {
    local command=("$self" --measured "$scratch/figure" "$what")
    rm -f "$scratch/a.json" "$scratch/gl.trace" "$scratch/figure"
    case $1 in
        alone) "${command[@]}" "${program[@]}" ;;
        attached) "$jetscope" attach --json "$scratch/a.json" -- "${command[@]}" "${program[@]}" ;;
        traced) apitrace trace -a egl -o "$scratch/gl.trace" "${command[@]}" "${program[@]}" ;;
    esac >"$scratch/said" 2>&1
    [ -s "$scratch/figure" ] || { # No figure comes from a program that failed.
        echo "$1: failed:"
        cat "$scratch/said"
        exit 1
    }
    cat "$scratch/figure" >>"$scratch/$1"
    [ "$1" != attached ] || mv "$scratch/a.json" "$scratch/seen.json"
}
ways=(alone attached)
command -v apitrace >/dev/null && ways+=(traced)
turn alone # Fills the cache of shaders.
rm "$scratch/alone"
for ((i = 0; i < turns; ++i)); do
    for ((k = 0; k < ${#ways[@]}; ++k)); do
        turn "${ways[$(((i + k) % ${#ways[@]}))]}"
    done
done

# ratios WAY : of its turns to those of the program alone.
ratios() { paste "$scratch/$1" "$scratch/alone" | awk '{ printf "%.5f\n", $1 / $2 }' | sort -g; }
middle() { awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
quartiles() { awk '{ v[NR] = $1 } END { printf "%.4f to %.4f", v[int((NR + 3) / 4)], v[int((3 * NR + 3) / 4)] }'; }
swaps=$(grep -oE '"eglSwapBuffers":[0-9]+' "$scratch/seen.json" | cut -d: -f2)
echo "$what, $turns turns of $frames frames (seen: ${swaps:-0}): $(sort -g "$scratch/alone" | middle) alone;" \
    "$(grep -oE '"calls":\{[^}]*\}' "$scratch/seen.json" | grep -oE ':[0-9]+' | tr -d : | awk -v f="$frames" '{ n += $1 } END { printf "%.1f", n / f }') hooked calls a frame"
for way in "${ways[@]:1}"; do
    echo "  $way: $(ratios "$way" | middle) times as much (half of the turns: $(ratios "$way" | quartiles))"
done
ours=$(ratios attached | middle)
failed=0
[ "${swaps:-0}" -ge "$frames" ] || { echo "FAIL: not every frame was seen"; failed=1; }
awk "BEGIN { exit !($ours <= 1.02) }" || { echo "FAIL: Jetscope adds more than 2 %"; failed=1; }
if [ -e "$scratch/traced" ]; then
    theirs=$(ratios traced | middle)
    awk "BEGIN { exit !($ours - 1 <= ($theirs - 1) / 3) }" ||
        { echo "FAIL: Jetscope adds more than a third of what apitrace adds"; failed=1; }
else
    echo "apitrace is not installed (Debian package apitrace): not compared"
fi
exit $failed
