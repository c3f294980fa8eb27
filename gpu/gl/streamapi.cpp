// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/streamapi.h"

namespace jetscope {

const EglStreamApi &realEglStreamApi()
{
    static const EglStreamApi api = [] {
        EglStreamApi found;
        lookUp(found.create, "eglCreateStreamKHR");
        lookUp(found.destroy, "eglDestroyStreamKHR");
        lookUp(found.connectTexture, "eglStreamConsumerGLTextureExternalKHR");
        lookUp(found.acquire, "eglStreamConsumerAcquireKHR");
        lookUp(found.release, "eglStreamConsumerReleaseKHR");
        lookUp(found.query, "eglQueryStreamKHR");
        lookUp(found.queryCounter, "eglQueryStreamu64KHR");
        return found;
    }();
    return api;
}

} // namespace jetscope
