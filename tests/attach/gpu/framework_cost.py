#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
"""framework_cost.py JETSCOPE [TURNS [ROUNDS [KIND]]]: what `jetscope attach` costs a program, beside CUPTI alone.

A kind of frameworks.py (torch-eager: ResNet-18 with one picture) runs by shuffled turns as it is, with a library that has
CUPTI record kernels and does nothing else, under Jetscope with CUPTI, and under Jetscope without it. The program tells the
period of its own loop. The goals are 1.03 each: Jetscope beside CUPTI alone, and without CUPTI beside nothing.
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from frameworks_check import HERE, LONGEST_S, make_reference, said

GOAL = 1.03


def period(kind, rounds, way, jetscope, library, cupti, scratch):
    command = [sys.executable, HERE / "frameworks.py", kind, str(rounds)]
    environment = dict(os.environ)
    if way == "cupti":
        (scratch / "kernels").unlink(missing_ok=True)
        search = f"{cupti}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        environment.update(CUDA_INJECTION64_PATH=str(library), REFERENCE=str(scratch / "kernels"), LD_LIBRARY_PATH=search)
    elif way != "plain":
        (scratch / "a.json").unlink(missing_ok=True)
        switches = ["--no-gpu-times"] if way == "calls" else []
        command = [jetscope, "attach", "--json", scratch / "a.json", *switches, "--", *command]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST_S)
    return said(done.stdout)["period_ms"]


def interval(ratios):
    """The median with an interval of at least 95 % by order statistics; of fewer than 6, the least and the greatest."""
    ratios = sorted(ratios)
    count = len(ratios)
    drop = 0
    probability = 0.5**count
    total = probability
    while 2 * total <= 0.05 and drop < count // 2:
        drop += 1
        probability *= (count - drop + 1) / drop
        total += probability
    low = max(drop - 1, 0)
    return statistics.median(ratios), ratios[low], ratios[count - 1 - low]


def main():
    jetscope = str(pathlib.Path(sys.argv[1]).resolve())
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    kind = sys.argv[4] if len(sys.argv) > 4 else "torch-eager"
    ways = ["plain", "cupti", "attach", "calls"]
    periods = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        library, cupti = make_reference(scratch)
        for turn in range(turns):
            order = ways[:]
            random.Random(turn).shuffle(order)
            for way in order:
                periods[way].append(period(kind, rounds, way, jetscope, library, cupti, scratch))
            print("turn", turn + 1, {way: round(periods[way][-1], 4) for way in ways}, flush=True)
    for way in ways:
        print(f"{way:8} {statistics.median(periods[way]):.4f} ms, {min(periods[way]):.4f} to {max(periods[way]):.4f}")
    for name, way, base in [("with CUPTI, beside CUPTI alone", "attach", "cupti"), ("without CUPTI, beside nothing", "calls", "plain")]:
        middle, low, high = interval([a / b for a, b in zip(periods[way], periods[base])])
        held = "holds" if middle <= GOAL else "does NOT hold"
        print(f"{name}: {middle:.4f} ({low:.4f} to {high:.4f}) of {turns} turns; goal {GOAL}: {held}")


if __name__ == "__main__":
    main()
