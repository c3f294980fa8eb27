#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# gpu_check.sh JETSCOPE [SECTION...] : what `jetscope attach` must do on a machine with an NVIDIA GPU, which the other
# tests replace by mocks. Needs the program, its two libraries beside it, nvcc, and for the times CUPTI's headers. It says
# what it checks, what came out and what was expected; the last line is the sum. All sections take about two minutes.
set -u
jetscope=$(realpath "${1:?give the path of jetscope}")
shift
sections=("$@")
[ $# -gt 0 ] || sections=(machine counts times overlap ends cost framecost flood start rows hazards)
root=$(cd "$(dirname "$0")/../.." && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
passed=0

say() { printf '%s\n' "$*"; }
# expect WHAT CONDITION... : the condition is one of [.
expect() {
    local what=$1
    shift
    if [ "$@" ]; then
        passed=$((passed + 1))
        say "  PASS  $what"
    else
        failed=$((failed + 1))
        say "  FAIL  $what (test: $*)"
    fi
}
# about WHAT VALUE REFERENCE RELATIVE ABSOLUTE : within one of the two.
about() {
    local what="$1: $2, reference $3"
    expect "$what (within $4 or $5)" 1 -eq "$(awk "BEGIN { d = $2 - $3; d = d < 0 ? -d : d; print (d <= $5 || d <= $4 * $3) ? 1 : 0 }")"
}
median() { sort -g | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : 0 }'; }
# under NAME OPTIONS... -- PROGRAM... : under Jetscope; the object goes to $scratch/NAME.json.
under() {
    local name=$1
    shift
    rm -f "$scratch/$name.json"
    "$jetscope" attach --json "$scratch/$name.json" "$@"
}
# sum NAME FUNCTIONS : calls of all functions that match.
sum() { grep -oE "\"($2)\":[0-9]+" "$scratch/$1.json" | awk -F: '{ n += $2 } END { print n + 0 }'; }
# part NAME KEY : an inner object; number NAME KEY INNER : a number of it.
part() { grep -oE "\"$2\":\{[^{}]*\}" "$scratch/$1.json" | head -n 1; }
number() { part "$1" "$2" | grep -oE "\"$3\":[0-9.e+-]+" | cut -d: -f2 | head -n 1; }
value() { grep -oE "^$1 [0-9.]+" | cut -d' ' -f2; }

# The program of most sections: nvcc links the runtime statically, so calls are found through dlsym and
# cuGetProcAddress only.
make_launches() {
    [ -x "$scratch/launches" ] || "$nvcc" -O2 -I"$root" -o "$scratch/launches" "$root/tests/attach/gpu/launches.cu" || exit 1
}

# A library that has CUPTI record kernels and writes their times into $scratch/reference, and a program with it.
make_reference() {
    [ -e "$scratch/reference.so" ] || "$nvcc" -O2 -shared -Xcompiler -fPIC -o "$scratch/reference.so" \
        "$root/tests/attach/gpu/reference.c" -lcupti -I"$(dirname "$nvcc")/../extras/CUPTI/include" \
        -L"$(dirname "$nvcc")/../extras/CUPTI/lib64" 2>"$scratch/nvcc"
}
with_cupti() {
    rm -f "$scratch/reference"
    LD_LIBRARY_PATH="$(dirname "$nvcc")/../extras/CUPTI/lib64:${LD_LIBRARY_PATH:-}" REFERENCE="$scratch/reference" \
        CUDA_INJECTION64_PATH="$scratch/reference.so" "$@"
}

check_machine() {
    say "== what this machine allows"
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>&1 | head -n 4
    "$jetscope" attach --probe | sed -n '1,9p'
}

check_counts() {
    say "== 1,000,000 launches are counted exactly"
    make_launches
    launched='cuLaunchKernel|cuLaunchKernelEx|cuLaunchCooperativeKernel'
    for tier in A B; do
        options=()
        [ $tier = B ] && options=(--no-gpu-times)
        said=$(under "exact$tier" "${options[@]}" -- "$scratch/launches" flood 1000000)
        say " tier $tier: the program says $(tr '\n' ' ' <<<"$said")"
        say "   $(grep -oE '"counted":[0-9]+,"exit' "$scratch/exact$tier.json" | cut -d, -f1), $(grep -oE '"recorded":[0-9]+,"refused' "$scratch/exact$tier.json" | cut -d, -f1), $(part "exact$tier" lost)"
        expect "tier $tier: launches counted by the hooks: $(sum "exact$tier" "$launched")" "$(sum "exact$tier" "$launched")" -eq 1000000
        say "   records lost: $(number "exact$tier" lost calls) (0 is the aim; the counts must be exact anyway)"
        # The runtime asks for many functions at its start, in several versions.
        expect "tier $tier: functions without a hook: $(number "exact$tier" lost unhooked)" \
            "$(number "exact$tier" lost unhooked)" -eq 0
        say "   cost: $(part "exact$tier" cost)"
    done
    say " tier A: $(part exactA kernels), $(part exactA submissions), $(part exactA missing)"
    say "   $(grep -oE '"(linked|not_linked)":[0-9]+' "$scratch/exactA.json" | tr '\n' ' '), refused: $(grep -oE '"refused":\[[^]]*\]' "$scratch/exactA.json")"
    kernels=$(number exactA kernels counted)
    dropped=$(number exactA missing no_buffer)
    expect "tier A: kernels that CUPTI delivered: ${kernels:-0}, dropped by CUPTI: ${dropped:-0}" "$((${kernels:-0} + ${dropped:-0}))" -eq 1000000
    expect "tier A: CUPTI dropped none" "${dropped:-1}" -eq 0
}

check_times() {
    say "== kernels have CUPTI's own times"
    make_launches
    if make_reference; then
        for turn in 1 2 3; do
            rm -f "$scratch/times.jscope"
            under times --record "$scratch/times.jscope" -- "$scratch/launches" times 2000 >/dev/null
            with_cupti "$scratch/launches" times 2000 >/dev/null
            for kernel in spin5us spin20us spin100us; do
                "$jetscope" query "$scratch/times.jscope" "SELECT duration_ns FROM spans WHERE name = '$kernel'" >"$scratch/ours"
                grep " $kernel\$" "$scratch/reference" | cut -d' ' -f1 >"$scratch/theirs"
                expect "turn $turn: $kernel: $(wc -l <"$scratch/ours") spans, CUPTI says $(wc -l <"$scratch/theirs")" \
                    "$(wc -l <"$scratch/ours")" -eq "$(wc -l <"$scratch/theirs")"
                about "turn $turn: $kernel: median in ns" "$(median <"$scratch/ours")" "$(median <"$scratch/theirs")" 0.02 500
            done
        done
        say "   busy a frame: $(part times busy_ms_per_frame) ms; a frame has kernels of 5 + 20 + 100 us, each tenth a copy"
        say "   $(grep -oE '"(overlap|headroom)[a-z_]*":("[^"]*"|[0-9.]+|null)' "$scratch/times.json" | tr '\n' ' ')"
        expect "each frame has its three kernels" "$("$jetscope" query "$scratch/times.jscope" \
            "SELECT count(*) FROM (SELECT frame FROM spans WHERE name LIKE 'spin%' GROUP BY frame HAVING count(*) = 3)")" -ge 1999
    else
        say "  SKIPPED: the reference cannot be compiled: $(head -n 1 "$scratch/nvcc")"
    fi
}

check_overlap() {
    say "== the overlap is that of the program's own clock and its kernels' stamps"
    make_launches
    for turn in 1 2 3; do
        said=$(under overlap -- "$scratch/launches" overlap 500 | value overlap)
        seen=$(grep -oE '"overlap":[0-9.]+' "$scratch/overlap.json" | head -n 1 | cut -d: -f2)
        about "turn $turn: overlap" "${seen:-0}" "${said:-1}" 0 0.02
    done
}

# found NAME : what was found under this name.
found() {
    python3 -c 'import json, sys; [print(found["what"], end=" ") for found in json.load(open(sys.argv[1]))["findings"]]' \
        "$scratch/$1.json" || echo unreadable
}

check_rows() {
    say "== copies and sets of rows by CUDA's runtime"
    local mode wanted what
    if ! "$nvcc" -O2 -I"$root" -o "$scratch/rows" "$root/tests/attach/gpu/rows.cu" 2>"$scratch/nvcc"; then
        say "  SKIPPED: it cannot be compiled: $(head -n 1 "$scratch/nvcc")"
        return
    fi
    while read -r mode wanted; do
        under rows --no-gpu-times -- "$scratch/rows" "$mode" 40 </dev/null
        expect "$mode: exit code $?" $? -eq 0
        what=$(found rows)
        expect "$mode: found: ${what:-nothing}, calls $(sum rows 'cuMem(cpy|set)[A-Za-z0-9_]*')" "$what" = "${wanted:+$wanted }"
        expect "$mode: all copies were followed" 0 -eq "$(grep -cE 'CUDA arrays|cudaMemcpyDefault\)' "$scratch/rows.json")"
    done < <("$scratch/rows")
}

# check_hazard NAME FINDING : the program with the mistake and its repaired twin.
check_hazard() {
    local twin code what wanted
    for twin in good bad; do
        # Without the trial concurrentManagedAccess is not known, so that its rules hold here, too.
        under hazard --no-gpu-times -- "$scratch/hazards" libcuda.so.1 "${gl:--}" "$1" $twin 40 </dev/null
        code=$?
        # A mistake may well be an error of CUDA, and is found all the same.
        if [ $code -eq 77 ] || { [ $code -ne 0 ] && [ $twin = good ]; }; then
            say "  SKIPPED $1 $twin: exit code $code (77: a function is missing)"
            continue
        fi
        what=$(found hazard)
        wanted=
        [ $twin = bad ] && wanted="$2 "
        expect "$1, $twin: found: ${what:-nothing}" "$what" = "$wanted"
    done
}

check_hazards() {
    say "== programs with one mistake each, and their repaired twins"
    # What cannot be made without a Jetson's EGL, without a current GL context, or with the mock's handles only.
    local elsewhere=" image-flags sync-late sync-default sync-unrecorded event-of-sync leak-textures free-behind-gl free-unmapped free-presented read-rows "
    # Behind an illegal access the whole device is slow for every program, for minutes: these come last.
    local faults=" free-in-stream " late=() name found gl
    gl=$(ldconfig -p | sed -n 's/.*libGLESv2.so.2.* => //p' | head -n 1)
    if ! cc -O1 -I"$root" -o "$scratch/hazards" "$root/tests/attach/programs/hazards.c" -ldl -lpthread; then
        say "  SKIPPED: there is no C compiler"
        return
    fi
    while read -r name found; do
        [[ $elsewhere == *" $name "* ]] && continue
        if [[ $faults == *" $name "* ]]; then late+=("$name $found"); else check_hazard "$name" "$found"; fi
    done < <("$scratch/hazards")
    under hazard -- "$scratch/hazards" libcuda.so.1 "${gl:--}" managed-frames bad 40
    say "   with the trial: $(grep -oE '"reason":"[^"]*concurrentManagedAccess[^"]*"' "$scratch/hazard.json" | head -n 1)"
    for name in "${late[@]}"; do
        # shellcheck disable=SC2086 # Two words.
        check_hazard $name
    done
}

check_ends() {
    say "== the newest times are not lost when a program ends by _exit"
    make_launches
    for way in exit _exit quick_exit; do
        under ends -- "$scratch/launches" "$way" 2000 >/dev/null
        expect "$way: kernels $(number ends kernels counted)" "$(number ends kernels counted)" -eq 2000
    done
}

check_cost() {
    say "== cost by turns: a kernel of 40 us and a wait, 60,000 times (some 20,000 launches a second)"
    make_launches
    for _ in 1 2 3 4 5; do
        "$scratch/launches" steps 60000 | value seconds >>"$scratch/plain"
        under cost --no-gpu-times -- "$scratch/launches" steps 60000 | value seconds >>"$scratch/tierB"
        under cost -- "$scratch/launches" steps 60000 | value seconds >>"$scratch/tierA"
    done
    plain=$(median <"$scratch/plain")
    say "   launches a second without Jetscope: $(awk "BEGIN { printf \"%.0f\", 60000 / $plain }")"
    for tier in B A; do
        ratio=$(awk "BEGIN { printf \"%.4f\", $(median <"$scratch/tier$tier") / $plain }")
        goal=1.02
        [ $tier = A ] && goal=1.05
        expect "tier $tier: $ratio times the time without Jetscope (goal: at most $goal)" 1 -eq "$(awk "BEGIN { print $ratio <= $goal ? 1 : 0 }")"
        say "   all turns: $(tr '\n' ' ' <"$scratch/tier$tier")s, without: $(tr '\n' ' ' <"$scratch/plain")s"
    done
}

check_framecost() {
    say "== cost by turns: frames of 103 kernels with 10 us of CPU work before each, beside CUPTI alone"
    make_launches
    make_reference || { say "  SKIPPED: the reference cannot be compiled: $(head -n 1 "$scratch/nvcc")"; return; }
    for _ in 1 2 3 4 5 6 7 8 9; do
        "$scratch/launches" frames 1000 | value seconds >>"$scratch/frameplain"
        with_cupti "$scratch/launches" frames 1000 | value seconds >>"$scratch/framecupti"
        under cost --no-gpu-times -- "$scratch/launches" frames 1000 | value seconds >>"$scratch/frameB"
        under cost -- "$scratch/launches" frames 1000 | value seconds >>"$scratch/frameA"
    done
    for what in plain cupti B A; do
        say "   $what: $(median <"$scratch/frame$what") ms a frame ($(tr '\n' ' ' <"$scratch/frame$what"))"
    done
    ratio=$(awk "BEGIN { printf \"%.4f\", $(median <"$scratch/frameB") / $(median <"$scratch/frameplain") }")
    expect "tier B: $ratio times the time without Jetscope (goal: at most 1.03)" 1 -eq "$(awk "BEGIN { print $ratio <= 1.03 ? 1 : 0 }")"
    ratio=$(awk "BEGIN { printf \"%.4f\", $(median <"$scratch/frameA") / $(median <"$scratch/framecupti") }")
    expect "tier A: $ratio times the time with CUPTI alone (goal: at most 1.03)" 1 -eq "$(awk "BEGIN { print $ratio <= 1.03 ? 1 : 0 }")"
    say "   the collector in tier A: $(grep -oE '"collector_cores":[0-9.]+' "$scratch/cost.json")"
}

check_flood() {
    say "== cost by turns: 300,000 empty kernels as fast as possible (no goal; the most that launches can suffer)"
    make_launches
    for _ in 1 2 3; do
        "$scratch/launches" flood 300000 | value seconds >>"$scratch/floodplain"
        under cost --no-gpu-times -- "$scratch/launches" flood 300000 | value seconds >>"$scratch/floodB"
        under cost -- "$scratch/launches" flood 300000 | value seconds >>"$scratch/floodA"
    done
    for what in plain B A; do
        say "   $what: $(awk "BEGIN { printf \"%.2f\", $(median <"$scratch/flood$what") / 0.3 }") us a launch"
    done
}

check_start() {
    say "== start of a program that uses CUDA, by turns (tier A tries CUPTI in another process first, and keeps the result)"
    make_launches
    local way began added
    export XDG_CACHE_HOME=$scratch/cache
    # took FILE COMMAND... : appends the milliseconds of a command to a file.
    took() {
        began=$(date +%s%N)
        "${@:2}" >/dev/null || { expect "$1: the program starts" "$?" -eq 0; return; }
        echo $((($(date +%s%N) - began) / 1000000)) >>"$scratch/$1"
    }
    took starttrial under cost -- "$scratch/launches" steps 1
    for _ in 1 2 3 4 5 6 7; do
        took startplain "$scratch/launches" steps 1
        took startB under cost --no-gpu-times -- "$scratch/launches" steps 1
        took startA under cost -- "$scratch/launches" steps 1
        make_reference && took startcupti with_cupti "$scratch/launches" steps 1
    done
    for way in plain B A trial; do [ -e "$scratch/start$way" ] || return; done
    say "   ms: $(median <"$scratch/startplain") without, $(median <"$scratch/startB") in tier B, $(median <"$scratch/startA") in tier A, $(cat "$scratch/starttrial") with the trial"
    added=$(($(median <"$scratch/startB") - $(median <"$scratch/startplain")))
    expect "tier B adds $added ms (goal: at most 50)" "$added" -le 50
    [ -e "$scratch/startcupti" ] || { say "  SKIPPED: the reference cannot be compiled: $(head -n 1 "$scratch/nvcc")"; return; }
    say "   ms: $(median <"$scratch/startcupti") with a library that has CUPTI record kernels and does nothing else"
    added=$(($(median <"$scratch/startA") - $(median <"$scratch/startcupti")))
    expect "tier A adds $added ms to the start with CUPTI (goal: at most 50)" "$added" -le 50
}

for section in "${sections[@]}"; do "check_$section"; done

say "== $passed passed, $failed failed"
[ $failed -eq 0 ]
