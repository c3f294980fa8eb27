#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
"""framework_cost.py JETSCOPE [SETS [BLOCKS [ROUNDS [KIND]]]]: what `jetscope attach` costs a program, beside CUPTI alone.

Four processes of a kind of frameworks.py (torch-eager: ResNet-18 with one picture) live beside each other: as it is, with
a library that has CUPTI record kernels and does nothing else, under Jetscope with CUPTI, and under Jetscope without it.
They run on the same two cores by shuffled turns of a block of rounds each, so that what the machine does meanwhile meets all of
them. Each set of processes gives one ratio, of the medians of its blocks; what a process keeps for its life (where its
memory lies) differs between sets. The goals are 1.03 each: Jetscope beside CUPTI alone, and without CUPTI beside nothing.
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from frameworks_check import HERE, make_reference

GOAL = 1.03
WAYS = ["plain", "cupti", "attach", "calls"]
UNCOUNTED = 5  # Blocks at the beginning.
RATIOS = [("with CUPTI, beside CUPTI alone", "attach", "cupti"), ("without CUPTI, beside nothing", "calls", "plain"), ("CUPTI alone, beside nothing", "cupti", "plain")]


class Program:
    def __init__(self, way, kind, rounds, blocks, cores, jetscope, library, cupti, scratch):
        command = ["taskset", "-c", cores, sys.executable, HERE / "frameworks.py", kind, str(rounds * blocks)]
        environment = dict(os.environ, BLOCK=str(rounds))
        if way == "cupti":
            search = f"{cupti}:{os.environ.get('LD_LIBRARY_PATH', '')}"
            environment.update(CUDA_INJECTION64_PATH=str(library), REFERENCE=str(scratch / "kernels"), LD_LIBRARY_PATH=search)
        elif way != "plain":
            switches = ["--no-gpu-times"] if way == "calls" else []
            command = [jetscope, "attach", "--json", scratch / f"{way}.json", *switches, "--", *command]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def block(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("block_ms "):
                return float(line.split()[1])
        raise RuntimeError(f"the program has ended: {self.process.wait()}")

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        return self.process.wait()


def run_set(number, blocks, rounds, kind, cores, jetscope, library, cupti, scratch):
    """The medians of the blocks in ms, by way."""
    for left in scratch.glob("*.json"):
        left.unlink()
    (scratch / "kernels").unlink(missing_ok=True)
    programs = {way: Program(way, kind, rounds, blocks, cores, jetscope, library, cupti, scratch) for way in WAYS}
    periods = {way: [] for way in WAYS}
    for turn in range(blocks):
        order = WAYS[:]
        random.Random(number * blocks + turn).shuffle(order)
        for way in order:
            periods[way].append(programs[way].block())
    for program in programs.values():
        program.end()
    return {way: statistics.median(periods[way][UNCOUNTED:]) for way in WAYS}


def main():
    jetscope = str(pathlib.Path(sys.argv[1]).resolve())
    sets, blocks, rounds = [int(text) for text in (sys.argv[2:5] + ["5", "40", "100"][len(sys.argv[2:5]) :])]
    kind = sys.argv[5] if len(sys.argv) > 5 else "torch-eager"
    cores = sorted(os.sched_getaffinity(0))
    medians = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        library, cupti = make_reference(scratch)
        for number in range(sets):
            own = ",".join(str(core) for core in (cores[-2 * (number % (len(cores) // 2) + 1) :])[:2])
            medians.append(run_set(number, blocks, rounds, kind, own, jetscope, library, cupti, scratch))
            print("set", number + 1, "cores", own, {way: round(value, 4) for way, value in medians[-1].items()}, flush=True)
    for name, way, base in RATIOS:
        ratios = sorted(each[way] / each[base] for each in medians)
        middle = statistics.median(ratios)
        goal = "" if base == "plain" and way == "cupti" else f"; goal {GOAL}: {'holds' if middle <= GOAL else 'does NOT hold'}"
        print(f"{name}: {middle:.4f} ({ratios[0]:.4f} to {ratios[-1]:.4f}) of {sets} sets{goal}")


if __name__ == "__main__":
    main()
