// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/eventapi.h"

#include <cuda_egl_interop.h>

namespace jetscope {

const EventApi &realEventApi()
{
    // Lambdas select the C overloads where the runtime's headers add C++ ones.
    static const EventApi api{
        [](cudaEvent_t *event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); },
        [](cudaEvent_t *event, EGLSync sync, unsigned flags) { return cudaEventCreateFromEGLSync(event, sync, flags); },
        [](cudaEvent_t event, cudaStream_t stream) { return cudaEventRecord(event, stream); },
        [](cudaStream_t stream, cudaEvent_t event, unsigned flags) {
            return cudaStreamWaitEvent(stream, event, flags);
        },
        [](cudaEvent_t event) { return cudaEventQuery(event); },
        [](cudaEvent_t event) { return cudaEventSynchronize(event); },
        [](float *ms, cudaEvent_t from, cudaEvent_t to) { return cudaEventElapsedTime(ms, from, to); },
        [](cudaEvent_t event) { return cudaEventDestroy(event); },
        [](EGLDisplay display, EGLenum type, const EGLAttrib *attributes) {
            return eglCreateSync(display, type, attributes);
        },
        [](EGLDisplay display, EGLSync sync, EGLint flags) { return eglWaitSync(display, sync, flags); },
        [](EGLDisplay display, EGLSync sync) { return eglDestroySync(display, sync); },
    };
    return api;
}

} // namespace jetscope
