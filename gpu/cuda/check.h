// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cuda_runtime_api.h>

#include <string_view>

namespace jetscope {

/// The Error of a failed CUDA runtime call. `expression` is the source text of the call; its function name is shown.
/// Also clears the thread's last error, so that the next launch does not report it again.
Error cudaFailure(std::string_view expression, cudaError_t code);

/// Whether the code means that a kernel has failed and the process's context is lost.
bool isContextLost(cudaError_t code);

inline Status cudaStatus(std::string_view call, cudaError_t code)
{
    return code == cudaSuccess ? Status() : Status(cudaFailure(call, code));
}

} // namespace jetscope

/// Returns the Error of a failed CUDA runtime call from the enclosing function.
#define CUDA_TRY(expression)                                                                                           \
    do {                                                                                                               \
        if (const cudaError_t cudaCode = (expression); cudaCode != cudaSuccess)                                        \
            return ::jetscope::cudaFailure(#expression, cudaCode);                                                     \
    } while (false)
