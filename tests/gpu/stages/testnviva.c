// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Libraries for nvivafilter, one for each TEST_MODE: a good one, and those that break the contract in one way each. The
// memory of the made-up device is that of the host.
#include "gpu/stages/nviva/nvivaabi.h"

#include <stdlib.h>
#include <unistd.h>

enum mode {
    GOOD,
    SLOPPY, // Registers and never gives back.
    NEVER_REGISTERS,
    WRONG_IMAGE,
    CRASHES,
    CRASHES_THIRD,
    HANGS,
    ENDS,
    CRASHES_INIT,
    HANGS_INIT,
    NO_FUNCTIONS,
    NO_INIT
};

int cuGraphicsEGLRegisterImage(void **resource, void *image, unsigned flags);
int cuGraphicsResourceGetMappedEglFrame(nviva_egl_frame *frame, void *resource, unsigned index, unsigned level);
int cuGraphicsUnregisterResource(void *resource);
int cuCtxSynchronize(void);

static void hang(void)
{
    for (;;)
        pause();
}

static void require(int condition)
{
    if (!condition)
        abort();
}

// Turns red around.
static void gpu_process(void *image, void **user)
{
    static int calls;
    nviva_egl_frame frame;
    void *resource = 0;
    *user = &calls;
    ++calls;
    if (TEST_MODE == CRASHES || (TEST_MODE == CRASHES_THIRD && calls == 3))
        abort();
    if (TEST_MODE == HANGS)
        hang();
    if (TEST_MODE == ENDS)
        exit(0);
    if (TEST_MODE == NEVER_REGISTERS)
        return;
    if (TEST_MODE == WRONG_IMAGE) {
        require(cuGraphicsEGLRegisterImage(&resource, &frame, 0) != 0);
        return;
    }
    require(cuGraphicsEGLRegisterImage(&resource, image, 0) == 0);
    require(cuGraphicsResourceGetMappedEglFrame(&frame, image, 0, 0) != 0); // That is no resource.
    require(cuGraphicsResourceGetMappedEglFrame(&frame, resource, 0, 0) == 0);
    require(cuCtxSynchronize() == 0);
    require(frame.frame_type == NVIVA_PITCH_FRAME && frame.egl_format == NVIVA_ABGR_FRAME && frame.plane_count == 1);
    for (unsigned y = 0; y < frame.height; ++y)
        for (unsigned x = 0; x < frame.width; ++x)
            ((unsigned char *)frame.planes[0])[y * frame.pitch + 4 * x] ^= 255;
    require(cuCtxSynchronize() == 0);
    if (TEST_MODE == SLOPPY)
        return;
    require(cuGraphicsUnregisterResource(resource) == 0);
    require(cuGraphicsUnregisterResource(resource) != 0); // It is gone.
}

static void turn(void **planes, const unsigned *heights, const unsigned *pitches, unsigned channel)
{
    for (unsigned i = channel; i < heights[0] * pitches[0]; i += 4)
        ((unsigned char *)planes[0])[i] ^= 255;
}

// Turns green around.
static void pre_process(void **planes, unsigned *bytes, unsigned *widths, unsigned *heights, unsigned *pitches,
                        nviva_format *formats, unsigned count, void **user)
{
    (void)user;
    require(count == 1 && formats[0] == NVIVA_RGBA && bytes[0] == pitches[0] * heights[0]);
    require(pitches[0] >= 4 * widths[0]);
    turn(planes, heights, pitches, 1);
}

// Turns blue around.
static void post_process(void **planes, unsigned *bytes, unsigned *widths, unsigned *heights, unsigned *pitches,
                         nviva_format *formats, unsigned count, void **user)
{
    (void)bytes, (void)widths, (void)formats, (void)count, (void)user;
    turn(planes, heights, pitches, 2);
}

#ifdef TEST_NO_INIT
void another_init(nviva_functions *functions)
#else
void init(nviva_functions *functions)
#endif
{
    if (TEST_MODE == CRASHES_INIT)
        abort();
    if (TEST_MODE == HANGS_INIT)
        hang();
    if (TEST_MODE == NO_FUNCTIONS)
        return;
    functions->gpu = gpu_process;
    functions->pre = pre_process;
    functions->post = post_process;
}

void deinit(void) {}
