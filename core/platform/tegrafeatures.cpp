// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/tegrafeatures.h"

#include "core/platform/cudaversion.h"

namespace jetscope {

namespace {

using enum FeatureState;

constexpr std::string_view kNote = "CUDA for Tegra Application Note, CUDA Features Not Supported on Tegra";
constexpr std::string_view kRelease = "CUDA for Tegra Application Note, newer editions";

std::string capabilityText(const DeviceFacts &facts)
{
    return "compute capability " + std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor);
}

struct Ruling {
    FeatureState state;
    std::string why;
};

Ruling onDiscreteGpu(std::string_view feature)
{
    return {Supported, "integrated = 0: the note's limit of " + std::string(feature) + " is one of integrated GPUs"};
}

/// A restriction of integrated GPUs that a release of CUDA lifted, for some compute capability.
Ruling liftedBy(const DeviceFacts &facts, int version, int capability, std::string_view feature)
{
    if (!facts.integrated)
        return onDiscreteGpu(feature);
    if (facts.computeMajor * 10 + facts.computeMinor < capability)
        return {Unsupported,
                capabilityText(facts) + " is less than " + std::to_string(capability / 10) + "."
                    + std::to_string(capability % 10)};
    if (!facts.driverVersion)
        return {Unknown, "the version of the CUDA driver is unknown; it decides (" + cudaVersionText(version) + ")"};
    const std::string have = "the driver's CUDA is " + cudaVersionText(*facts.driverVersion);
    return *facts.driverVersion >= version ? Ruling{Supported, have + ", at least " + cudaVersionText(version)}
                                           : Ruling{Unsupported, have + ", older than " + cudaVersionText(version)};
}

Ruling hostRegister(const DeviceFacts &facts)
{
    return facts.hostRegister.available ? Ruling{Supported, "a registration succeeded when it was tried"}
                                        : Ruling{Unsupported, facts.hostRegister.reason};
}

Ruling systemAtomics(const DeviceFacts &facts)
{
    if (!facts.integrated)
        return onDiscreteGpu("atomics");
    return {facts.cpuCachesPinned() ? Supported : Unsupported, capabilityText(facts)};
}

Ruling managedOnDiscrete(const DeviceFacts &facts)
{
    if (facts.integrated)
        return {Supported, "integrated = 1: the limit is one of discrete GPUs in a Tegra system"};
    return facts.managedMemory.available ? Ruling{Supported, "an allocation succeeded when it was tried"}
                                         : Ruling{Unsupported, facts.managedMemory.reason};
}

Ruling prefetches(const DeviceFacts &facts)
{
    return facts.concurrentManagedAccess ? Ruling{Supported, "concurrentManagedAccess = 1"}
                                         : Ruling{Unsupported, "concurrentManagedAccess = 0"};
}

/// Supported from the boards with concurrent managed access on; no attribute is documented for it.
Ruling managementLibrary(const DeviceFacts &facts)
{
    if (!facts.integrated)
        return onDiscreteGpu("NVML");
    constexpr int kFirst = 110;
    return facts.computeMajor * 10 + facts.computeMinor >= kFirst
        ? Ruling{Supported, capabilityText(facts) + ", at least 11.0"}
        : Ruling{Unsupported, capabilityText(facts) + " is less than 11.0"};
}

Ruling remoteAccess(const DeviceFacts &facts)
{
    if (!facts.integrated)
        return onDiscreteGpu("RDMA");
    return {Unknown, "the editions of the note differ: older ones exclude it, newer ones describe it"};
}

Ruling onlyDiscrete(const DeviceFacts &facts, std::string_view feature)
{
    return facts.integrated ? Ruling{Unsupported, "integrated = 1"} : onDiscreteGpu(feature);
}

Ruling runtimeCompilation(const DeviceFacts &facts)
{
    if (!facts.integrated)
        return onDiscreteGpu("compilation at run time");
    return {Discouraged, "integrated = 1: it takes CPU time and memory bandwidth from other work"};
}

std::string compileText(const DeviceFacts &facts)
{
    const std::string number = std::to_string(facts.computeMajor) + std::to_string(facts.computeMinor);
    return "compile for this GPU: nvcc --generate-code arch=compute_" + number + ",code=sm_" + number;
}

Ruling experimental(const DeviceFacts &facts)
{
    return facts.integrated ? Ruling{Discouraged, "integrated = 1: experimental"} : onDiscreteGpu("CUB");
}

} // namespace

std::string_view nameOf(FeatureState state)
{
    switch (state) {
    case Supported:
        return "supported";
    case Unsupported:
        return "not supported";
    case Discouraged:
        return "not recommended";
    case Unknown:
        return "unknown";
    }
    return "";
}

std::vector<TegraFeature> tegraFeatures(const DeviceFacts &facts)
{
    constexpr int kCuda11_5 = 11050;
    constexpr int kCuda12_5 = 12050;
    constexpr int kCuda13 = 13000;
    std::vector<TegraFeature> features;
    const auto add = [&features](std::string_view name, const Ruling &verdict, std::string alternative,
                                 std::string_view source = kNote) {
        features.push_back({name, verdict.state, verdict.why, std::move(alternative), source});
    };
    add("cudaHostRegister", hostRegister(facts), "allocate with cudaHostAlloc or cudaMallocHost");
    add("system-wide atomics", systemAtomics(facts), "use atomics of the device, and order CPU and GPU by events");
    add("unified memory on a discrete GPU", managedOnDiscrete(facts), "use device memory and copies of pinned memory");
    add("cudaMemPrefetchAsync", prefetches(facts), "attach the memory with cudaStreamAttachMemAsync");
    add("NVML", managementLibrary(facts), "tegrastats, or Jetscope's counters of the board", kRelease);
    add("CUDA IPC of events", liftedBy(facts, kCuda11_5, 70, "CUDA IPC"), "EGLStream or NvSci", kRelease);
    add("CUDA IPC of memory", liftedBy(facts, kCuda13, 110, "CUDA IPC"), "EGLStream or NvSci", kRelease);
    add("RDMA", remoteAccess(facts), "copy through pinned memory");
    add("compilation at run time (PTX, NVRTC)", runtimeCompilation(facts), compileText(facts));
    add("Multi-Process Service (MPS)", liftedBy(facts, kCuda12_5, 0, "MPS"), "one process with several streams",
        kRelease);
    add("peer-to-peer access", onlyDiscrete(facts, "peer-to-peer access"), "copy through pinned memory");
    add("nvGRAPH", {Unsupported, "the library was discontinued"}, "cuGraph, or code of your own");
    add("CUB", experimental(facts), "Thrust, or kernels of your own");
    return features;
}

} // namespace jetscope
