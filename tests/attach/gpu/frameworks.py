# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
"""frameworks.py KIND ROUNDS: a loop as other people write it, for frameworks_check.sh.

Prints `rounds N` and `period_ms MEAN` of the loop by the program's own clock, and nothing else. Exits with 77 where the
framework is missing or has no GPU. Where a kind warms up, it does so with calls of its own before the loop.

With BLOCK=ROUNDS in the environment the loop runs in blocks of so many rounds, each behind a line of the standard input,
and prints `block_ms MEAN` behind each: programs that run beside each other can so take turns.
"""

import os
import sys
import time

KINDS = {}


def kind(function):
    KINDS[function.__name__.replace("_", "-")] = function
    return function


def loop(rounds, step):
    """Runs the steps, and tells how long one took."""
    block = int(os.environ.get("BLOCK", "0"))
    seconds = 0.0
    for first in range(0, rounds, block or rounds):
        if block:
            sys.stdin.readline()
        numbers = range(first, min(first + (block or rounds), rounds))
        begin = time.perf_counter()
        for number in numbers:
            step(number)
        took = time.perf_counter() - begin
        seconds += took
        if block:
            print("block_ms", took / len(numbers) * 1e3, flush=True)
    print("rounds", rounds)
    print("period_ms", seconds / rounds * 1e3)


def resnet(torch):
    import torchvision

    torch.manual_seed(1)
    return torchvision.models.resnet18(weights=None).eval().cuda()


@kind
def torch_eager(rounds):
    import torch

    model = resnet(torch)
    picture = torch.rand(1, 3, 224, 224).pin_memory()

    def step(_):
        return model(picture.cuda(non_blocking=True)).cpu()

    with torch.inference_mode():
        for number in range(5):
            step(number)
        loop(rounds, step)


@kind
def torch_graph(rounds):
    import torch

    model = resnet(torch)
    host = torch.rand(1, 3, 224, 224).pin_memory()
    picture = host.cuda()
    with torch.inference_mode():
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                model(picture)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = model(picture)

        def step(_):
            picture.copy_(host, non_blocking=True)
            graph.replay()
            return result.cpu()

        loop(rounds, step)


@kind
def torch_compile(rounds):
    import torch

    layers = [torch.nn.Linear(256, 256), torch.nn.GELU(), torch.nn.LayerNorm(256), torch.nn.Linear(256, 64)]
    model = torch.compile(torch.nn.Sequential(*layers).eval().cuda())
    host = torch.rand(64, 256).pin_memory()

    def step(_):
        return model(host.cuda(non_blocking=True)).sum().item()

    with torch.inference_mode():
        for number in range(5):
            step(number)
        loop(rounds, step)


class Pictures:
    """Random pictures that take their time."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, number):
        import torch

        generator = torch.Generator().manual_seed(number)
        picture = torch.rand(3, 128, 128, generator=generator)
        for _ in range(number % 7):
            picture = picture.sin()
        return picture, number % 10


@kind
def torch_loader(rounds):
    import torch

    torch.manual_seed(1)
    layers = [torch.nn.Conv2d(3, 16, 3, 2), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten()]
    model = torch.nn.Sequential(*layers, torch.nn.Linear(16, 10)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    batch = 8
    loader = torch.utils.data.DataLoader(Pictures(rounds * batch), batch_size=batch, num_workers=4, pin_memory=True)
    begin = time.perf_counter()
    for pictures, labels in loader:
        loss = torch.nn.functional.cross_entropy(model(pictures.cuda(non_blocking=True)), labels.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss.item()
    seconds = time.perf_counter() - begin
    print("rounds", rounds)
    print("period_ms", seconds / rounds * 1e3)


@kind
def cupy_filter(rounds):
    import cupy
    import numpy

    kernel = cupy.ElementwiseKernel("float32 x", "float32 y", "y = x * 0.5f + 1", "halved")
    pictures = [numpy.random.rand(720, 1280).astype(numpy.float32) for _ in range(4)]

    def step(number):
        picture = kernel(cupy.asarray(pictures[number % 4]))
        return float((picture * picture).sum().get()), picture.get()

    for number in range(3):
        step(number)
    loop(rounds, step)


@kind
def jax_step(rounds):
    import jax
    import jax.numpy as jnp
    import numpy

    if jax.default_backend() != "gpu":
        sys.exit(77)

    @jax.jit
    def update(weights, batch):
        return weights - 0.01 * jax.grad(lambda w: jnp.mean((jnp.tanh(batch @ w)) ** 2))(weights)

    weights = jnp.ones((512, 512), jnp.float32)
    batches = [numpy.random.rand(128, 512).astype(numpy.float32) for _ in range(4)]
    for number in range(3):
        weights = update(weights, batches[number]).block_until_ready()

    def step(number):
        nonlocal weights
        weights = update(weights, batches[number % 4])
        weights.block_until_ready()

    loop(rounds, step)


@kind
def triton_add(rounds):
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def add(a, b, out, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(a + at, at < n) + tl.load(b + at, at < n), at < n)

    count = 1 << 20
    a = torch.rand(count, device="cuda")
    b = torch.rand(count, device="cuda")
    out = torch.empty_like(a)

    def step(_):
        add[(triton.cdiv(count, 1024),)](a, b, out, count, BLOCK=1024)
        add[(triton.cdiv(count, 1024),)](out, b, a, count, BLOCK=1024)
        torch.cuda.synchronize()

    for number in range(3):
        step(number)
    loop(rounds, step)


@kind
def onnx_session(rounds):
    import numpy
    import onnxruntime
    from onnx import TensorProto, helper

    if "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        sys.exit(77)
    weights = numpy.random.rand(256, 256).astype(numpy.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Relu", ["h"], ["y"])],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [64, 256])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [64, 256])],
        [helper.make_tensor("w", TensorProto.FLOAT, weights.shape, weights.tobytes(), raw=True)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CUDAExecutionProvider"])
    if session.get_providers()[0] != "CUDAExecutionProvider":
        sys.exit(77)
    batch = numpy.random.rand(64, 256).astype(numpy.float32)
    for _ in range(3):
        session.run(None, {"x": batch})
    loop(rounds, lambda _: session.run(None, {"x": batch}))


@kind
def torch_race(rounds):
    """Pinned memory that one stream still reads is written by another."""
    import torch

    host = torch.rand(1 << 20).pin_memory()
    other = torch.rand(1 << 20, device="cuda")
    device = torch.empty_like(other)
    up, down = torch.cuda.Stream(), torch.cuda.Stream()

    def step(_):
        with torch.cuda.stream(up):
            device.copy_(host, non_blocking=True)
            device.mul_(2)
        with torch.cuda.stream(down):
            host.copy_(other, non_blocking=True)
        torch.cuda.synchronize()

    loop(rounds, step)


@kind
def cupy_race(rounds):
    """The same by CuPy's own calls."""
    import cupy

    size = 4 << 20
    host = cupy.cuda.alloc_pinned_memory(size)
    device = cupy.empty(size, cupy.uint8)
    other = cupy.ones(size, cupy.uint8)
    up = cupy.cuda.Stream(non_blocking=True)
    down = cupy.cuda.Stream(non_blocking=True)

    def step(_):
        device.data.copy_from_host_async(host.ptr, size, up)
        with up:
            device.__iadd__(1)
        other.data.copy_to_host_async(host.ptr, size, down)
        up.synchronize()
        down.synchronize()

    loop(rounds, step)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        print("\n".join(KINDS), file=sys.stderr)
        sys.exit(2)
    try:
        KINDS[sys.argv[1]](int(sys.argv[2]))
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(77)


if __name__ == "__main__":
    main()
