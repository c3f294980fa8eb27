// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// Whether a device supports a feature. `reason` explains a missing feature and is empty when available.
struct Capability {
    bool available = false;
    std::string reason;

    static Capability yes() { return {true, {}}; }
    static Capability no(std::string why) { return {false, std::move(why)}; }
};

/// An attribute of the device as the CUDA driver reports it.
struct DeviceAttribute {
    std::string name;         ///< As in the CUDA runtime: "hostRegisterSupported".
    std::optional<int> value; ///< Empty if it could not be read.
    std::string reason;       ///< Why it is unknown; otherwise empty.
};

/// Free and total memory when the device was opened, as the driver reports them (cudaMemGetInfo).
struct ReportedMemory {
    std::uint64_t freeBytes = 0;
    std::uint64_t totalBytes = 0;
};

/// Properties and capabilities of a device. Determined once by trial when the device is opened, then immutable and
/// readable from every thread. Other code must decide by these members and never by the device's name.
struct DeviceFacts {
    std::string id;       ///< As on the command line: "soft:orin", "cuda:0".
    std::string name;     ///< As displayed: "software iGPU (orin rules) on <CPU model>".
    std::string pciBusId; ///< cudaDeviceGetPCIBusId: "0000:01:00.0"; empty for the software iGPU.
    bool software = false;
    bool integrated = false;
    int computeMajor = 0;
    int computeMinor = 0;

    /// cudaDeviceProp::concurrentManagedAccess (CMA). If false, the CPU may not touch globally attached managed memory
    /// while any kernel runs (CUDA for Tegra note).
    bool concurrentManagedAccess = false;
    bool pageableMemoryAccess = false;

    std::optional<int> driverVersion;             ///< CUDA of the driver: 12060 is 12.6. Empty without a CUDA driver.
    std::optional<int> runtimeVersion;            ///< CUDA runtime that Jetscope is linked to; empty if it is not used.
    std::optional<ReportedMemory> reportedMemory; ///< Empty without a CUDA driver.
    std::vector<DeviceAttribute> attributes;      ///< Every attribute that a rule or a table uses.

    Capability mapHostMemory;     ///< cudaHostAlloc(Mapped): canMapHostMemory.
    Capability managedMemory;     ///< managedMemory, and not a discrete GPU on Tegra.
    Capability hostRegister;      ///< hostRegisterSupported (Linux, CC >= 7.2).
    Capability eglImage;          ///< cudaGraphicsEGLRegisterImage of a GLES texture's image.
    Capability eglSync;           ///< EGLSync <-> event both ways (EGL_NV_cuda_event; Tegra only).
    Capability glInterop;         ///< cudaGraphicsGLRegisterImage.
    Capability eglStream;         ///< CUDA producer -> GL consumer.
    bool eglStreamArrays = false; ///< Whether its frames may be CUDA arrays; otherwise they are pitch-linear memory.
    Capability eglStreamInput;    ///< CUDA producer -> CUDA consumer.
    Capability nvBuf;             ///< NvBufSurface camera buffers.
    Capability systemMemory;      ///< Kernels read malloc'd memory in place: pageableMemoryAccess.
    Capability prefetch;          ///< cudaMemPrefetchAsync of managed memory: concurrentManagedAccess.
    Capability hostRegisterIo;    ///< cudaHostRegister(IoMemory) of ordinary memory.
    Capability memoryPools;       ///< cudaMallocAsync: memoryPoolsSupported.
    Capability dmabuf;            ///< DMA-BUFs of pinned memory: hostAllocDmaBufSupported (CUDA 13).
    Capability cupti;             ///< Times of device work from the CUDA Profiling Tools Interface.
    std::string cuptiLibrary;     ///< The library file that was tried; loaded when CUPTI is used.
    Capability kernelStamps;      ///< Kernels record their own times; on the software iGPU, events are such timestamps.
    Capability kernelBinaries;    ///< Machine code of our kernels; otherwise compiled at first use (rule A22).
    Capability streamFlags;       ///< cuStreamWriteValue32 into memory that the CPU sees.
    Capability graphs;            ///< Stream capture, and graphs made of it.
    Capability streamPriorities;  ///< More than one priority of streams.
    Capability greenContexts;     ///< Contexts with a part of the multiprocessors (CUDA 12.4).
    int multiprocessors = 0;      ///< 0 if the device has none, or they are not known.
    Capability semaphores;        ///< A semaphore that CUDA and OpenGL ES share (GL_EXT_semaphore_fd).

    /// Whether the CPU caches pinned (cudaHostAlloc) memory: from CC 7.2 (CUDA for Tegra note).
    bool cpuCachesPinned() const { return computeMajor * 10 + computeMinor >= 72; }
    /// Whether CPU and GPU share memory, but the CPU does not cache pinned memory (rules A15 and A16).
    bool pinnedIsUncached() const { return integrated && !cpuCachesPinned(); }
    /// Whether the GPU caches registered (cudaHostRegister) memory: an integrated GPU with full system-memory coherency
    /// (pageableMemoryAccess). No GPU caches pinned memory that it reads without a copy: the coherency of an integrated
    /// GPU is one-way for it, and a discrete GPU reads over the bus (CUDA for Tegra note).
    bool gpuCachesRegistered() const { return integrated && pageableMemoryAccess; }
};

} // namespace jetscope
