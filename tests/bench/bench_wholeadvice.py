#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
"""bench_wholeadvice.py PROGRAM DEVICE [N [SEED [SECONDS]]] : follows advice by whole processes.

Draws N choices that the device has, runs each with --try, and compares the choice that was fastest there with the first
ones by whole processes, by turns. Prints a row for each, and the sum. Ends early when SECONDS are over.
"""
import json
import math
import random
import statistics
import subprocess
import sys
import time

PAIRS = 5
CHOICES = {
    "memory": "pageable pinned zero-copy unified unified-attach registered gl-texture".split(),
    "output": "eglimage gl-interop eglstream copy-back".split(),
    "sync": "finish stream event poll callback implicit".split(),
    "wait": "auto spin yield block".split(),
    "cpu-stage": "off serial pipelined same-input".split(),
    "cpu-work": "canny contours histogram".split(),
}
FILTERS = "identity gaussian5 gaussian15 sobel threshold sharpen invert".split()
HEIGHTS = [480, 720, 1080]


class Refused(Exception):
    """The device does not have one of the choices."""


class Runner:
    def __init__(self, program, device):
        self.program = program
        self.device = device

    def run(self, choices, height, frames, options=()):
        source = f"synthetic:?size={height * 16 // 9 // 2 * 2}x{height}&rate=max"
        command = [self.program, "run", "--json", "--device", self.device, "--source", source, "--frames", str(frames), *options]
        for key, value in choices.items():
            command += ["--" + key, value]
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
        if done.returncode == 2:
            raise Refused(done.stderr)
        if done.returncode:
            sys.exit(done.stderr)
        return json.loads(done.stdout)

    def periods(self, both, height, frames):
        """Logarithms of the second one's period over the first one's; the first pair warms up."""
        logs = []
        for pair in range(PAIRS + 1):
            order = (0, 1) if pair % 2 == 0 else (1, 0)
            rates = {which: self.run(both[which], height, frames)["fps"] for which in order}
            logs.append(math.log(rates[0] / rates[1]))
        return logs[1:]


def draw(numbers):
    choices = {key: numbers.choice(values) for key, values in CHOICES.items()}
    choices["filters"] = ",".join(numbers.choice(FILTERS) for _ in range(numbers.randrange(4))) or "none"
    choices["frames-in-flight"] = str(numbers.randint(1, 4))
    choices["streams"] = str(numbers.randint(1, int(choices["frames-in-flight"])))
    return choices, numbers.choice(HEIGHTS)


def verdict_of(logs):
    """The verdict, the median and its noise, at least 1 %."""
    median = statistics.median(logs)
    spread = statistics.median(abs(each - median) for each in logs) * 1.4826 / math.sqrt(len(logs))
    noise = max(0.01, 2 * spread)
    return "faster" if median < -noise else "slower" if median > noise else "no difference", median, noise


def follow(runner, choices, height):
    """The verdict on the best advice, and its row."""
    run = runner.run(choices, height, 300, ["--try"])
    name = f"{height}p {' '.join(choices.values())}"
    faster = [a for a in run["advice"] if a["metric"] == "period" and a["tried"] and a["tried"]["verdict"] == "faster"]
    if not faster:
        return "without advice", name
    best = min(faster, key=lambda advice: advice["tried"]["ratio"])
    advised = choices | {best["key"].replace("_", "-"): best["value"].replace("+", ",")}
    logs = runner.periods((choices, advised), height, max(300, int(run["fps"] * 0.6)))
    verdict, median, noise = verdict_of(logs)
    change = f"{best['key']}={best['value']}: tried {best['tried']['ratio']:.3f}, whole {math.exp(median):.3f} (±{noise:.3f})"
    return verdict, f"{name}: {change}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    runner = Runner(sys.argv[1], sys.argv[2])
    wanted, seed, seconds = [int(value) for value in (sys.argv[3:] + ["20", "5", "100000"][len(sys.argv) - 3:])]
    numbers = random.Random(seed)
    begin = time.monotonic()
    sums = {}
    while sum(sums.values()) < wanted and time.monotonic() - begin < seconds:
        try:
            verdict, row = follow(runner, *draw(numbers))
        except Refused:
            continue
        sums[verdict] = sums.get(verdict, 0) + 1
        print(f"{row}: {verdict}", flush=True)
    print(f"{sum(sums.values())} configurations:", ", ".join(f"{count} {verdict}" for verdict, count in sorted(sums.items())))


if __name__ == "__main__":
    main()
