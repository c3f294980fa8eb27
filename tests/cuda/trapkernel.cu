// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda/trapkernel.h"

namespace jetscope::testing {

namespace {

__global__ void trap()
{
    asm volatile("trap;");
}

} // namespace

bool launchTrapKernel()
{
    if (cudaSetDevice(0) != cudaSuccess)
        return false;
    trap<<<1, 1>>>();
    return cudaGetLastError() == cudaSuccess;
}

} // namespace jetscope::testing
