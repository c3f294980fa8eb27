#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# inside_outside.sh JETSCOPE [DEVICE [FRAMES]] : runs of Jetscope's own pipeline, as it measures itself and as `jetscope attach`
# sees it. The number of frames must be the same. With GPU times of CUPTI also the time of all kernels of a frame (median,
# within 1 us) and the overlap (within two points; where one side knows it only between bounds, because GL takes part, both
# ranges must meet): CUPTI has one user at a time, so the figures of the inside are of a run of its own right before, with
# the same kernels. What a device cannot show is said and not compared. DEVICE is cuda:0 if not given. On a CUDA device one
# filter is an own kernel on surfaces, and its times are compared, too, and those of the copies: within 1 us or, because the
# bus is not as steady from run to run, 5 %. Prints a table; exits with 1 if something differs.
set -u
jetscope=$(realpath "${1:?usage: inside_outside.sh JETSCOPE [DEVICE [FRAMES]]}")
device=${2:-cuda:0}
frames=${3:-200}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# row WHAT INSIDE OUTSIDE GOOD
row() {
    local verdict=same
    [ "$4" = 1 ] || { verdict=DIFFERENT; failed=1; }
    printf '%-44s %14s %14s  %s\n' "$1" "$2" "$3" "$verdict"
}
left_out() { printf '%-44s %s\n' "$1" "not compared: $2"; }
within() { awk "BEGIN { d = $1 - $2; print (d < 0 ? -d : d) <= $3 ? 1 : 0 }"; }
median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }
# figure FILE KEY : a number of an object; empty for null.
figure() { grep -oE "\"$2\":[-0-9.e+]+" "$1" | head -n 1 | cut -d: -f2; }

# frames_of FILE : of the object itself, not of one in it.
frames_of() { grep -oE '"frame_(source|ms)":("[^"]*"|\{[^}]*\}|null),"frames":[0-9]+' "$1" | grep -oE '[0-9]+$'; }

# Kernels of a CUDA device are in ranges of NVTX, one a frame; the software device uploads each frame once.
wish='nvtx:frame *'
times=cupti
beside=bounds
# Enough work of the GPU for an overlap: there is none where one side is busy for less than 2 % of the time.
size=1920x1080
own=$(realpath "$(dirname "$0")/../../gpu/stages/examples/emboss.cu")
filters=gaussian15,gaussian15,gaussian15,gaussian15,cu:$own,gaussian15,gaussian15,gaussian15
if [[ $device == soft* ]]; then
    wish=call:glTexSubImage2D
    times=auto
    beside=auto
    size=640x360
    filters=gaussian5
fi
run=("$jetscope" run --memory pinned --output copy-back --source "synthetic:?size=$size" --filters "$filters" --frames "$frames" --json --device "$device")
if ! "${run[@]}" --gpu-time $times --record "$scratch/inside.jscope" >"$scratch/inside.json" 2>"$scratch/errors" ||
    ! "$jetscope" attach --frame "$wish" --json "$scratch/outside.json" --record "$scratch/outside.jscope" -- \
        "${run[@]}" --gpu-time $beside >"$scratch/beside.json" 2>"$scratch/errors"; then
    cat "$scratch/errors"
    exit 1
fi
inside=$scratch/inside.json
outside=$scratch/outside.json
grep -oE '"device":"[^"]*"' "$inside" | head -n 1
printf '%-44s %14s %14s\n' '' inside outside
ours=$(frames_of "$scratch/beside.json")
theirs=$(frames_of "$outside")
row frames "${ours:-none}" "${theirs:-none}" "$([ -n "$ours" ] && [ "$ours" = "$theirs" ] && echo 1 || echo 0)"

# busy SIDE : time of the kernels of a frame in ns, the median.
busy() {
    "$jetscope" query "$scratch/$1.jscope" "SELECT sum(duration_ns) FROM spans
        WHERE category = 'kernel' AND name <> 'memset' AND frame >= 0 GROUP BY frame" | median
}
# same_times WHAT INSIDE OUTSIDE : the median of a piece of work by its names on both sides.
same_times() {
    local ours theirs
    ours=$(span_ns inside "$2")
    theirs=$(span_ns outside "$3")
    row "$1" "${ours:-none}" "${theirs:-none}" "$(within "${ours:-0}" "${theirs:-1e9}" "${4:-1000}")"
}
# same_copies WHAT INSIDE OUTSIDE
same_copies() { same_times "$1" "$2" "$3" "$(span_ns inside "$2" | awk '{ print $1 * 0.05 > 1000 ? $1 * 0.05 : 1000 }')"; }
span_ns() {
    "$jetscope" query "$scratch/$1.jscope" "SELECT duration_ns FROM spans WHERE name = '$2' AND frame >= 0" | median
}
# reason FILE : why there is no overlap.
reason() { grep -oE '"overlap_reason":"[^"]*"' "$1" | head -n 1 | cut -d'"' -f4; }
if ! grep -q '"times":"cupti"' "$outside"; then
    why=$(grep -oE '"tier":"A"[^}]*|"reason":"[^"]*","tier":"A"' "$outside" | grep -oE '"reason":"[^"]*"' | head -n 1 | cut -d'"' -f4)
    left_out kernels "no hardware times outside: ${why:-none}"
    left_out overlap "no hardware times outside"
else
    same_times "${own##*/}, ns (median)" "${own##*/}" jetscope_grey_filter
    same_times 'into its array, ns (median)' 'copy into array' 'copy device to array'
    same_times 'out of its array, ns (median)' 'copy out of array' 'copy array to device'
    same_copies 'upload, ns (median)' 'copy to device' 'copy to device'
    same_copies 'copy back, ns (median)' 'copy output to host' 'copy to host'
    ours=$(busy inside)
    theirs=$(busy outside)
    row 'kernels of a frame, ns (median)' "${ours:-none}" "${theirs:-none}" "$(within "${ours:-0}" "${theirs:-1e9}" 1000)"
    # bound FILE WHICH : of the overlap, which is its own bound where it is known.
    bound() { local known; known=$(figure "$1" overlap); echo "${known:-$(figure "$1" "overlap_$2")}"; }
    ours=$(bound "$inside" at_least)
    oursmost=$(bound "$inside" at_most)
    theirs=$(bound "$outside" at_least)
    theirsmost=$(bound "$outside" at_most)
    if [ -z "$ours" ] || [ -z "$theirs" ]; then
        left_out overlap "inside: ${ours:-$(reason "$inside")}; outside: ${theirs:-$(reason "$outside")}"
    else
        row 'overlap' "$ours-$oursmost" "$theirs-$theirsmost" \
            "$(awk "BEGIN { print (($ours <= $theirsmost + 0.02) && ($oursmost >= $theirs - 0.02)) ? 1 : 0 }")"
    fi
fi
exit $failed
