// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/profile.h"

#include "core/system/cpumodel.h"
#include "core/system/sysfile.h"

#include <array>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

namespace jetscope {

namespace {

// Compute capabilities: from NVIDIA's tables. Thor adds concurrent managed access and pageable access; compute
// capability 7.2 adds host registration (CUDA for Tegra note). DMA-BUFs of pinned memory need CUDA 13 (its headers), as
// Thor has. Pools need CUDA 11.2 (its release notes): Nano and TX2 end with JetPack 4, which has CUDA 10.2.
constexpr std::array<SoftProfile, 5> kProfiles{{
    {"nano", 5, 3, false, false, false, false, false},
    {"tx2", 6, 2, false, false, false, false, false},
    {"xavier", 7, 2, false, false, true, false, true},
    {"orin", 8, 7, false, false, true, false, true},
    {"thor", 11, 0, true, true, true, true, true},
}};

std::string cpuinfo()
{
    std::ifstream file("/proc/cpuinfo");
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

std::span<const SoftProfile> softProfiles()
{
    return kProfiles;
}

const SoftProfile *softProfile(std::string_view name)
{
    for (const SoftProfile &profile : kProfiles)
        if (profile.name == name)
            return &profile;
    return nullptr;
}

std::string softDeviceName(const SoftProfile &profile)
{
    static const std::string model = cpuModelOf(cpuinfo(), lineOf("/proc/device-tree/model"));
    return "software iGPU (" + std::string(profile.name) + " rules) on " + model;
}

DeviceFacts softFacts(const SoftProfile &profile, bool haveDisplay)
{
    DeviceFacts facts;
    facts.id = "soft:" + std::string(profile.name);
    facts.name = softDeviceName(profile);
    facts.software = true;
    facts.integrated = true;
    facts.computeMajor = profile.computeMajor;
    facts.computeMinor = profile.computeMinor;
    facts.concurrentManagedAccess = profile.concurrentManagedAccess;
    facts.pageableMemoryAccess = profile.pageableMemoryAccess;
    for (const auto &[name, value] : std::initializer_list<std::pair<const char *, bool>>{
             {"integrated", true},
             {"concurrentManagedAccess", profile.concurrentManagedAccess},
             {"pageableMemoryAccess", profile.pageableMemoryAccess},
             {"canMapHostMemory", true},
             {"managedMemory", true},
             {"hostRegisterSupported", profile.hostRegister},
             {"memoryPoolsSupported", profile.memoryPools},
             {"hostAllocDmaBufSupported", profile.exportsHostMemory}})
        facts.attributes.push_back({name, value ? 1 : 0, {}});
    facts.mapHostMemory = Capability::yes();
    facts.managedMemory = Capability::yes();
    facts.hostRegister = profile.hostRegister
        ? Capability::yes()
        : Capability::no("cudaHostRegister needs compute capability 7.2 or newer (hostRegisterSupported = 0)");
    const Capability gl = haveDisplay ? Capability::yes() : Capability::no("there is no EGL display");
    facts.eglImage = gl;
    facts.eglSync = gl;
    facts.glInterop = Capability::no("the software iGPU cannot register GL textures; it reaches them through EGLImage");
    facts.eglStream = Capability::no("the software iGPU is no EGLStream producer, and Mesa has no EGLStream");
    facts.eglStreamInput = Capability::no("the software iGPU is no EGLStream consumer, and Mesa has no EGLStream");
    facts.cupti = Capability::no("CUPTI is for NVIDIA's GPUs; the software iGPU stamps its own work");
    facts.kernelStamps = Capability::yes();
    facts.kernelBinaries = Capability::yes();
    facts.streamFlags = Capability::yes();
    facts.graphs = Capability::yes();
    facts.streamPriorities = Capability::no("the software iGPU's streams are threads of one priority");
    facts.greenContexts = Capability::no("the software iGPU has no multiprocessors that could be shared out");
    facts.semaphores =
        Capability::no("the software iGPU imports no semaphores, and Mesa's llvmpipe has no GL_EXT_semaphore_fd");
    facts.nvBuf = Capability::no("NvBufSurface exists on a Jetson only");
    const auto where = [](bool available, const char *reason) {
        return available ? Capability::yes() : Capability::no(reason);
    };
    facts.systemMemory =
        where(profile.pageableMemoryAccess, "kernels cannot read ordinary memory (pageableMemoryAccess = 0)");
    facts.prefetch = where(profile.concurrentManagedAccess,
                           "managed memory cannot be prefetched (concurrentManagedAccess = 0): attach it");
    facts.hostRegisterIo = facts.hostRegister;
    facts.memoryPools =
        where(profile.memoryPools, "cudaMallocAsync came with CUDA 11.2, and the newest CUDA for this board is 10.2");
    facts.dmabuf = where(profile.exportsHostMemory,
                         "CUDA exports no pinned memory as DMA-BUF here (hostAllocDmaBufSupported = 0)");
    return facts;
}

} // namespace jetscope
