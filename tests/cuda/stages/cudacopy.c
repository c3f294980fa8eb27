// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A stage in CUDA memory for tests: copies its input to its output in the stream of the frame.
#include "gpu/stages/jetscope_stage.h"

#include <dlfcn.h>

struct copy { // CUDA_MEMCPY2D
    size_t from_x, from_y;
    int from_memory;
    const void *from_host;
    unsigned long long from_device;
    void *from_array;
    size_t from_pitch;
    size_t to_x, to_y;
    int to_memory;
    void *to_host;
    unsigned long long to_device;
    void *to_array;
    size_t to_pitch;
    size_t width_bytes, height;
};

typedef int (*copy_function)(const struct copy *copy, void *stream);

static const char *plan(const jetscope_setup *setup, jetscope_image *output)
{
    *output = setup->input;
    return setup->memory == JETSCOPE_CUDA ? 0 : "it was set up in other memory";
}

static const char *set_up(const jetscope_setup *setup, void **state)
{
    (void)setup;
    void *const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    *state = driver ? dlsym(driver, "cuMemcpy2DAsync_v2") : 0;
    return *state ? 0 : "there is no driver";
}

static const char *run(void *state, const jetscope_frame *frame)
{
    struct copy copy = {.from_memory = 2, .to_memory = 2}; // CU_MEMORYTYPE_DEVICE
    copy.from_device = (uintptr_t)frame->input.pixels;
    copy.from_pitch = frame->input.pitch;
    copy.to_device = (uintptr_t)frame->output.pixels;
    copy.to_pitch = frame->output.pitch;
    copy.width_bytes = (size_t)frame->input.width * (frame->input.format == JETSCOPE_GREY8 ? 1 : 4);
    copy.height = (size_t)frame->input.height;
    return ((copy_function)state)(&copy, frame->stream) == 0 ? 0 : "cuMemcpy2DAsync failed";
}

static void tear_down(void *state)
{
    (void)state;
}

static const jetscope_stage stage = {
    .version = JETSCOPE_STAGE_VERSION,
    .memory = JETSCOPE_CUDA,
    .reads = TEST_FORMAT,
    .name = "copy",
    .help = "Copies the picture on the device.",
    .plan = plan,
    .set_up = set_up,
    .run = run,
    .tear_down = tear_down,
};

const jetscope_stage *jetscope_stage_get(uint32_t version)
{
    return version == JETSCOPE_STAGE_VERSION ? &stage : 0;
}
