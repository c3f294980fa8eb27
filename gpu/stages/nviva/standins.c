// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// libjetscope-nviva.so: functions of the CUDA driver by which nvivafilter libraries reach a frame. The child process
// loads it with RTLD_GLOBAL before such a library, so that the library's calls come here and not to the driver. Nothing
// else is done here.
#include "gpu/stages/nviva/nvivaabi.h"

static nviva_stand_ins used;

__attribute__((visibility("default"))) void jetscope_nviva_use(const nviva_stand_ins *functions)
{
    used = *functions;
}

__attribute__((visibility("default"))) int cuGraphicsEGLRegisterImage(void **resource, void *image, unsigned flags)
{
    return used.register_image(resource, image, flags);
}

__attribute__((visibility("default"))) int cuGraphicsResourceGetMappedEglFrame(nviva_egl_frame *frame, void *resource,
                                                                               unsigned index, unsigned level)
{
    return used.mapped_frame(frame, resource, index, level);
}

__attribute__((visibility("default"))) int cuGraphicsUnregisterResource(void *resource)
{
    return used.unregister(resource);
}

__attribute__((visibility("default"))) int cuCtxSynchronize(void)
{
    return used.synchronize();
}
