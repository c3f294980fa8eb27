// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/passes.h"

namespace jetscope::cuda {

// Where a .cpp file ends and a .cu file begins: one function per input format, so that their kernels compile apart.
cudaError_t launchStreamingRgba(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t launchStreamingBgr(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t launchStreamingNv12(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t launchStreamingYuyv(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t launchStreamingGrey(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t launchStreamingRgb(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t launchStreamingUyvy(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t launchStreamingYu12(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t launchStreamingYu16(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);

cudaError_t gaussian15(const PassInput &input, const PassOutput &output, cudaStream_t stream);

} // namespace jetscope::cuda
