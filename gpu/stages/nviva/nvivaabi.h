// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The public binary interface of nvivafilter's libraries (customer_functions.h of NVIDIA's multimedia samples), in
// names of our own, and the few types of cuda.h and cudaEGL.h that such libraries use. C and C++.

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nviva_format { NVIVA_Y8 = 0, NVIVA_U8_V8, NVIVA_RGBA, NVIVA_NONE } nviva_format;

// One frame by its EGLImage. `user` is the library's own and the same for every call.
typedef void (*nviva_gpu_process)(void *egl_image, void **user);
// The planes of one frame by their addresses for the CPU, in arrays of `count`; RGBA has one.
typedef void (*nviva_cpu_process)(void **planes, unsigned *bytes, unsigned *widths, unsigned *heights,
                                  unsigned *pitches, nviva_format *formats, unsigned count, void **user);

typedef struct nviva_functions { // CustomerFunction: mind the order.
    nviva_gpu_process gpu;
    nviva_cpu_process pre;
    nviva_cpu_process post;
} nviva_functions;

// What a library exports: void init(nviva_functions *) and, in newer ones, void deinit(void).

typedef struct nviva_egl_frame { // CUeglFrame
    void *planes[3];
    unsigned width;
    unsigned height;
    unsigned depth;
    unsigned pitch;
    unsigned plane_count;
    unsigned channels;
    int frame_type; // NVIVA_PITCH_FRAME
    int egl_format; // NVIVA_ABGR_FRAME
    int element;    // NVIVA_BYTE_ELEMENT
} nviva_egl_frame;

enum {
    NVIVA_PITCH_FRAME = 1,  // CU_EGL_FRAME_TYPE_PITCH
    NVIVA_ABGR_FRAME = 14,  // CU_EGL_COLOR_FORMAT_ABGR: bytes R, G, B, A.
    NVIVA_BYTE_ELEMENT = 1, // CU_AD_FORMAT_UNSIGNED_INT8
    NVIVA_INVALID_VALUE = 1 // CUDA_ERROR_INVALID_VALUE
};

// What stands in for the driver's functions (libjetscope-nviva.so), which are CUresult of these parameters.
typedef struct nviva_stand_ins {
    int (*register_image)(void **resource, void *egl_image, unsigned flags);
    int (*mapped_frame)(nviva_egl_frame *frame, void *resource, unsigned index, unsigned level);
    int (*unregister)(void *resource);
    int (*synchronize)(void);
} nviva_stand_ins;

// Exported by libjetscope-nviva.so.
void jetscope_nviva_use(const nviva_stand_ins *functions);

#ifdef __cplusplus
}
#endif
