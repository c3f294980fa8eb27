// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jetscope {

/// Something a device can or cannot do. `reason` says why not and is empty when available.
struct Capability {
    bool available = false;
    std::string reason;

    static Capability yes() { return {true, {}}; }
    static Capability no(std::string why) { return {false, std::move(why)}; }
};

/// What a device is and can do. Found once by trying when the device is opened, then immutable, so
/// it may be read from every thread. Conditions elsewhere are on these attributes, never on names.
struct DeviceFacts {
    std::string id;   ///< As on the command line: "soft:orin", "cuda:0".
    std::string name; ///< As shown: "software iGPU (orin rules) on <CPU model>".
    bool software = false;
    bool integrated = false;
    int computeMajor = 0;
    int computeMinor = 0;

    /// cudaDeviceProp::concurrentManagedAccess (CMA). Where false the CPU may not touch managed memory
    /// that is attached globally while any kernel runs (CUDA for Tegra note).
    bool concurrentManagedAccess = false;
    bool pageableMemoryAccess = false;

    Capability mapHostMemory;     ///< cudaHostAlloc(Mapped): canMapHostMemory.
    Capability managedMemory;     ///< managedMemory, and not a discrete GPU on Tegra.
    Capability hostRegister;      ///< hostRegisterSupported (Linux, CC >= 7.2).
    Capability eglImage;          ///< cudaGraphicsEGLRegisterImage of a GLES texture's image.
    Capability eglSync;           ///< EGLSync <-> event both ways (EGL_NV_cuda_event; Tegra only).
    Capability glInterop;         ///< cudaGraphicsGLRegisterImage.
    Capability eglStream;         ///< CUDA producer -> GL consumer.
    bool eglStreamArrays = false; ///< Its frames may be CUDA arrays; else they are pitch-linear memory.
    Capability eglStreamInput;    ///< CUDA producer -> CUDA consumer.
    Capability nvBuf;             ///< NvBufSurface camera buffers.
    Capability cupti;             ///< Times of device work from the CUDA Profiling Tools Interface.
    std::string cuptiLibrary;     ///< The file that was tried, to be loaded when CUPTI is used.
    Capability kernelStamps;      ///< Kernels write their own times; on the software iGPU events are such stamps.

    /// Whether the CPU caches pinned (cudaHostAlloc) memory: from CC 7.2 (CUDA for Tegra note).
    bool cpuCachesPinned() const { return computeMajor * 10 + computeMinor >= 72; }
    /// Whether the GPU caches host memory it reaches without a copy: a discrete GPU reads over the bus
    /// and an integrated one does not until system-memory coherency (pageableMemoryAccess) comes.
    bool gpuCachesPinned() const { return integrated && pageableMemoryAccess; }
};

} // namespace jetscope
