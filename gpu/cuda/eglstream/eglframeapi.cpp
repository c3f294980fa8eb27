// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/eglstream/eglframeapi.h"

namespace jetscope {

const EglFrameApi &realEglFrameApi()
{
    static const EglFrameApi api{cudaGraphicsEGLRegisterImage,          cudaGraphicsUnregisterResource,
                                 cudaGraphicsResourceGetMappedEglFrame, cudaEGLStreamConsumerConnect,
                                 cudaEGLStreamConsumerAcquireFrame,     cudaEGLStreamConsumerReleaseFrame,
                                 cudaEGLStreamConsumerDisconnect};
    return api;
}

} // namespace jetscope
