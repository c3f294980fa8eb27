// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cuda_runtime_api.h>

#include <string_view>

namespace jetscope {

/// The Error of a failed CUDA runtime call. `expression` is the call as written; its name is shown. Also takes the
/// failure off the thread's last-error slot, so that the next launch does not report it again.
Error cudaFailure(std::string_view expression, cudaError_t code);

/// Whether a call answers that a kernel has died and taken the process's context with it.
bool isContextLost(cudaError_t code);

inline Status cudaStatus(std::string_view call, cudaError_t code)
{
    return code == cudaSuccess ? Status() : Status(cudaFailure(call, code));
}

} // namespace jetscope

/// Leaves the enclosing function with the Error of a CUDA runtime call, if it fails.
#define CUDA_TRY(expression)                                                                                           \
    do {                                                                                                               \
        if (const cudaError_t cudaCode = (expression); cudaCode != cudaSuccess)                                        \
            return ::jetscope::cudaFailure(#expression, cudaCode);                                                     \
    } while (false)
