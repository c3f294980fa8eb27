// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/passes.h"

#include "gpu/cuda/kernels/cudafilters.h"
#include "gpu/cuda/kernels/streaminglaunch.h"

#include <vector>

namespace jetscope {

namespace {

struct OwnKernel {
    PassKind kind;
    PassLaunch launch;
};

/// Passes that are not stages of the streaming kernel.
std::vector<OwnKernel> &ownKernels()
{
    static std::vector<OwnKernel> kernels = {{PassKind::Gaussian15, cuda::gaussian15}};
    return kernels;
}

} // namespace

cudaError_t launchPass(PassKind kind, const PassInput &input, const PassOutput &output, cudaStream_t stream)
{
    for (const OwnKernel &own : ownKernels())
        if (own.kind == kind)
            return own.launch(input, output, stream);
    switch (input.format) {
    case PixelFormat::Rgba8:
        return cuda::launchStreaming<PixelFormat::Rgba8>(kind, input, output, stream);
    case PixelFormat::Bgr8:
        return cuda::launchStreaming<PixelFormat::Bgr8>(kind, input, output, stream);
    case PixelFormat::Nv12:
        return cuda::launchStreaming<PixelFormat::Nv12>(kind, input, output, stream);
    case PixelFormat::Yuyv:
        return cuda::launchStreaming<PixelFormat::Yuyv>(kind, input, output, stream);
    case PixelFormat::Grey8:
        return cuda::launchStreaming<PixelFormat::Grey8>(kind, input, output, stream);
    case PixelFormat::Rgb8:
        return cuda::launchStreaming<PixelFormat::Rgb8>(kind, input, output, stream);
    case PixelFormat::Uyvy:
        return cuda::launchStreaming<PixelFormat::Uyvy>(kind, input, output, stream);
    case PixelFormat::Yu12:
        return cuda::launchStreaming<PixelFormat::Yu12>(kind, input, output, stream);
    case PixelFormat::Yu16:
        return cuda::launchStreaming<PixelFormat::Yu16>(kind, input, output, stream);
    }
    return cudaErrorInvalidValue;
}

Status addCudaFilter(Filter filter, PassLaunch launch)
{
    JETSCOPE_TRY_ASSIGN(const PassKind kind, addPass(filter));
    ownKernels().push_back({kind, launch});
    return {};
}

} // namespace jetscope
