#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of a fleet on the workers of a Dask cluster.

    packaging/fleet/compare.py DIR --a commit=1.2 --b commit=1.3 --scheduler tcp://HOST:8786

DIR is a folder that every worker reaches by the same name, and Jetscope is installed on each. A worker runs "jetscope
fleet reduce" on a share of the days, with DuckDB's library where it has it. Their lines go into "jetscope fleet
compare" here: it is the method, and its exit code is the one of this script. Options that are not listed go there, too.
"""

import argparse
import logging
import subprocess
import sys

NO_VERDICT = 3


def reduce_part(program, folder, sides, part, count):
    """On a worker: the lines of its share, or why there are none."""
    command = [program, "fleet", "reduce", folder, *sides, "--part", f"{part}/{count}"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as error:
        return b"", f"{program} does not start on a worker ({error.strerror}): name it with --program"
    if done.returncode != 0:
        return b"", done.stderr.decode(errors="replace").strip().removeprefix("jetscope: ")
    return done.stdout, ""


def no_verdict(why):
    print(f"jetscope: no verdict: {why}", file=sys.stderr)
    return NO_VERDICT


def end_dask_log():
    """What is still on its way when parts are cancelled or the connection closes, such as results and heartbeats, ends
    as warnings and exceptions that nobody waits for, which Python would report beside the verdict."""
    logging.disable(logging.CRITICAL)


def compare(client, options, sides, further):
    parts = options.parts or max(1, sum(client.nthreads().values()))
    from dask.distributed import as_completed

    futures = [client.submit(reduce_part, options.program, options.folder, sides, part, parts, pure=False)
               for part in range(parts)]
    lines = []
    for _, (text, why) in as_completed(futures, with_results=True):
        if why:
            end_dask_log()
            client.cancel(futures)
            return no_verdict(why)
        lines.append(text)
    command = [options.here, "fleet", "compare", "-", *sides, *further]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as method:
        try:
            for text in lines:
                method.stdin.write(text)
            method.stdin.close()
        except BrokenPipeError:
            pass  # It has said why.
        return method.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", help="the folder of the fleet, as the workers see it")
    parser.add_argument("--scheduler", required=True, help="where Dask's scheduler is, such as tcp://127.0.0.1:8786")
    parser.add_argument("--a", required=True, help="the old runs, such as commit=1.2")
    parser.add_argument("--b", required=True, help="the new runs")
    parser.add_argument("--metric", help="figures to compare")
    parser.add_argument("--engine", help="what reads the folder on the workers: built-in or duckdb")
    parser.add_argument("--parts", type=int, help="shares of the days (default: one for each thread of the workers)")
    parser.add_argument("--program", default="jetscope", help="Jetscope on the workers")
    parser.add_argument("--here", default="jetscope", help="Jetscope on this machine")
    options, further = parser.parse_known_args()
    sides = ["--a", options.a, "--b", options.b]
    for name in ("metric", "engine"):
        if getattr(options, name):
            sides += [f"--{name}", getattr(options, name)]
    try:
        from dask.distributed import Client
    except ImportError:
        return no_verdict("Dask is not installed: it is Debian's package python3-distributed")
    try:
        client = Client(options.scheduler, timeout=10)
    except (OSError, ValueError) as error:
        return no_verdict(f"the scheduler {options.scheduler} does not answer ({type(error).__name__})")
    with client:
        try:
            return compare(client, options, sides, further)
        finally:
            end_dask_log()


if __name__ == "__main__":
    sys.exit(main())
