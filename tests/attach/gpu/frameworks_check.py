#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
"""frameworks_check.py JETSCOPE [KIND...]: what `jetscope attach` says of programs that use PyTorch, CuPy, JAX and others.

Each kind of frameworks.py runs with a library that has CUPTI record kernels and does nothing else, and under Jetscope.
Compared are the rounds that the program counts itself with the frames that Jetscope found, the path of a frame with its
mean period, kernels and their time with CUPTI's own, and the findings with what was planted. Needs a GPU, nvcc and CUPTI's
headers. The last line is the sum.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KINDS = [
    ("torch-eager", 300),
    ("torch-graph", 1000),
    ("torch-compile", 1000),
    ("torch-loader", 100),
    ("cupy-filter", 500),
    ("jax-step", 300),
    ("triton-add", 1000),
    ("onnx-session", 500),
    ("torch-race", 200),
    ("cupy-race", 200),
]
FRAMES_WITHIN = 0.02
PATH_WITHIN = 0.01
LONGEST_S = 120


class Check:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def expect(self, what, holds):
        self.passed += holds
        self.failed += not holds
        print("  PASS " if holds else "  FAIL ", what, flush=True)


def cuda_folder():
    nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    return pathlib.Path(nvcc).resolve().parent.parent


def make_reference(scratch):
    cupti = cuda_folder() / "extras" / "CUPTI"
    library = scratch / "reference.so"
    subprocess.run(
        [cuda_folder() / "bin" / "nvcc", "-O2", "-shared", "-Xcompiler", "-fPIC", "-o", library, HERE / "reference.c"]
        + ["-I", cupti / "include", "-L", cupti / "lib64", "-lcupti"],
        check=True,
    )
    return library, cupti / "lib64"


def said(output):
    return {line.split()[0]: float(line.split()[1]) for line in output.splitlines() if len(line.split()) == 2}


def run_reference(kind, rounds, library, cupti, scratch):
    """What the program says, how many kernels CUPTI saw, and their time in ms; None where it cannot run."""
    kernels = scratch / "kernels"
    kernels.unlink(missing_ok=True)
    search = f"{cupti}:{os.environ.get('LD_LIBRARY_PATH', '')}"
    environment = dict(os.environ, CUDA_INJECTION64_PATH=str(library), REFERENCE=str(kernels), LD_LIBRARY_PATH=search)
    done = subprocess.run(
        [sys.executable, HERE / "frameworks.py", kind, str(rounds)], env=environment, capture_output=True, text=True, timeout=LONGEST_S
    )
    if done.returncode != 0:
        print("  cannot run:", done.returncode, done.stderr.strip()[-300:])
        return None
    times = [int(line.split(" ", 1)[0]) for line in kernels.read_text().splitlines()]
    return said(done.stdout), len(times), sum(times) / 1e6


def run_attached(jetscope, kind, rounds, scratch, keep):
    result = scratch / "a.json"
    result.unlink(missing_ok=True)
    command = [jetscope, "attach", "--json", result]
    if keep:
        command += ["--record", pathlib.Path(keep) / f"{kind}.jscope"]
    done = subprocess.run(
        command + ["--", sys.executable, HERE / "frameworks.py", kind, str(rounds)],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
    )
    if keep:
        (pathlib.Path(keep) / f"{kind}.txt").write_text(done.stdout + done.stderr)
        shutil.copy(result, pathlib.Path(keep) / f"{kind}.json")
    return said(done.stdout), json.loads(result.read_text())


def judge(check, kind, rounds, reference, attached):
    program, kernels, kernel_ms = reference
    own, seen = attached
    frames = seen["frames"]
    check.expect(f"frames {frames}, rounds {rounds} ({seen['frame_source']})", abs(frames - rounds) <= FRAMES_WITHIN * rounds)
    mean = (seen["period_ms"] or {}).get("mean") or 0
    path = sum(piece["ms"] for piece in seen["path"] or [])
    check.expect(f"path {path:.4f} ms of a mean period of {mean:.4f}", mean > 0 and abs(path - mean) <= PATH_WITHIN * mean)
    print(f"        period by the program: {program['period_ms']:.4f} ms with CUPTI, {own['period_ms']:.4f} under Jetscope")
    print(f"        before the first frame {seen['before_first_frame_s']:.2f} s, behind {seen['behind_last_frame_s']:.2f} s")
    gpu = seen["gpu"]
    check.expect(f"kernels {gpu['kernels']['counted']}, by CUPTI {kernels}", gpu["kernels"]["counted"] == kernels)
    check.expect(f"lost {seen['lost']['calls']} calls, unhooked {seen['lost']['unhooked']}", seen["lost"]["calls"] == 0)
    busy = gpu["busy_ms_per_frame"]
    print(f"        GPU busy a frame {busy}, kernels by CUPTI {kernel_ms / rounds:.4f} ms a round of the whole run")
    hazards = [found["what"] for found in seen["findings"] if found["what"].startswith("hazard")]
    if kind.endswith("-race"):
        check.expect(f"the planted race: {hazards}", len(hazards) > 0)
    else:
        check.expect(f"no hazard: {hazards}", not hazards)


def main():
    jetscope = str(pathlib.Path(sys.argv[1]).resolve())
    wanted = sys.argv[2:]
    keep = os.environ.get("KEEP")
    check = Check()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        library, cupti = make_reference(scratch)
        for kind, rounds in KINDS:
            if wanted and kind not in wanted:
                continue
            print(f"== {kind}, {rounds} rounds", flush=True)
            reference = run_reference(kind, rounds, library, cupti, scratch)
            if reference:
                judge(check, kind, rounds, reference, run_attached(jetscope, kind, rounds, scratch, keep))
    print(f"== {check.passed} passed, {check.failed} failed")
    sys.exit(check.failed > 0)


if __name__ == "__main__":
    main()
