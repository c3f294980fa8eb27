// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/egl/streamapi.h"

namespace jetscope {

namespace {

template <class Function>
void look(Function &function, const char *name)
{
    function = reinterpret_cast<Function>(eglGetProcAddress(name));
}

} // namespace

const EglStreamApi &realEglStreamApi()
{
    static const EglStreamApi api = [] {
        EglStreamApi found;
        look(found.create, "eglCreateStreamKHR");
        look(found.destroy, "eglDestroyStreamKHR");
        look(found.connectTexture, "eglStreamConsumerGLTextureExternalKHR");
        look(found.acquire, "eglStreamConsumerAcquireKHR");
        look(found.release, "eglStreamConsumerReleaseKHR");
        look(found.query, "eglQueryStreamKHR");
        look(found.queryCounter, "eglQueryStreamu64KHR");
        return found;
    }();
    return api;
}

} // namespace jetscope
