// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/kernels/passes.h"

namespace jetscope::cuda {

// Where a .cpp file ends and a .cu file begins: one function per input format, so that their kernels compile apart.
cudaError_t marchRgba(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t marchBgr(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t marchNv12(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t marchYuyv(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t marchGrey(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t marchRgb(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t marchUyvy(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t marchYu12(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);
cudaError_t marchYu16(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream);

cudaError_t gaussian15(const PassInput &input, const PassOutput &output, cudaStream_t stream);

} // namespace jetscope::cuda
