// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What jetscope-sched uses of nvgpu, the kernel's driver of a Jetson's GPU, and what the stand-in of the tests gives.
// Sources: include/uapi/linux/nvgpu.h, drivers/gpu/nvgpu/os/linux/fecs_trace_linux.c (the device of context switches)
// and ioctl_ctrl.c (the device of the GPU) of NVIDIA's kernels 4.9, 5.10 and 5.15. Not verified on hardware.

#include <assert.h>
#include <stdint.h>
#include <sys/ioctl.h>

// The devices of context switches and of the GPU: JetPack 6 and later; before.
#define JSA_NVGPU_DEVICES(X)                                                                                           \
    X("/dev/nvgpu/igpu0/ctxsw", "/dev/nvgpu/igpu0/ctrl")                                                               \
    X("/dev/nvhost-ctxsw-gpu", "/dev/nvhost-ctrl-gpu")
#define JSA_NVGPU_MISSING                                                                                              \
    "this kernel has no device for them: it is not a Jetson's, or was built without CONFIG_NVGPU_FECS_TRACE"

// read() gives whole entries.
struct jsa_context_switch {
    uint8_t tag; // jsa_context_tag, and others
    uint8_t vmid;
    uint16_t sequence; // Of all entries, those that nvgpu has dropped, too; goes around.
    uint32_t context;  // As FECS numbers them.
    uint64_t pid;      // Of the process; 0 if it is not known.
    uint64_t ns;       // Of PTIMER, the GPU's own clock, in steps of 32.
};

struct jsa_gpu_time {
    uint64_t ns; // Of PTIMER.
    uint64_t reserved;
};

static_assert(sizeof(struct jsa_context_switch) == 24 && sizeof(struct jsa_gpu_time) == 16, "as in nvgpu.h");

#define JSA_CONTEXTS_ENABLE _IO('C', 1)
#define JSA_CONTEXTS_DISABLE _IO('C', 2)
#define JSA_GPU_TIME _IOWR('G', 25, struct jsa_gpu_time)
