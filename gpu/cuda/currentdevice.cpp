// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/currentdevice.h"

#include "gpu/cuda/check.h"

namespace jetscope {

Status makeDeviceCurrent(int ordinal)
{
    thread_local int current = -1;
    if (current == ordinal)
        return {};
    CUDA_TRY(cudaSetDevice(ordinal));
    current = ordinal;
    return {};
}

} // namespace jetscope
