// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/rulecoverage.h"

namespace jetscope::ruletable {

namespace {

constexpr RuleCoverage kNoManagedMemory = doesNotApply("the device has no managed memory");

/// An answer for devices on which CPU and GPU must take turns with managed memory.
RuleCoverage whereTurnsAreTaken(const DeviceFacts &facts, RuleCoverage answer)
{
    if (!facts.managedMemory.available)
        return kNoManagedMemory;
    return facts.concurrentManagedAccess
        ? doesNotApply("with concurrentManagedAccess = 1 CPU and GPU may use managed memory at the same time")
        : answer;
}

} // namespace

RuleCoverage managedMemory(const DeviceFacts &facts)
{
    return whereTurnsAreTaken(facts, kChecked);
}

RuleCoverage managedMemoryCopies(const DeviceFacts &facts)
{
    return facts.managedMemory.available ? kChecked : kNoManagedMemory;
}

RuleCoverage eglImages(const DeviceFacts &facts)
{
    return facts.eglImage.available ? kChecked : doesNotApply("the device cannot register EGLImages");
}

RuleCoverage eglSyncs(const DeviceFacts &facts)
{
    return facts.eglSync.available ? kChecked : doesNotApply("the device cannot share EGLSyncs with CUDA events");
}

RuleCoverage eglStreams(const DeviceFacts &facts)
{
    return facts.eglStream.available || facts.eglStreamInput.available ? kChecked
                                                                       : doesNotApply("the device has no EGLStreams");
}

RuleCoverage streamFlags(const DeviceFacts &facts)
{
    return facts.streamFlags.available ? kChecked : doesNotApply("streams of the device write no flags");
}

RuleCoverage semaphores(const DeviceFacts &facts)
{
    return facts.semaphores.available ? kChecked : doesNotApply("the device and OpenGL ES share no semaphores");
}

RuleCoverage graphs(const DeviceFacts &facts)
{
    return facts.graphs.available ? kChecked : doesNotApply("the device captures no graphs");
}

RuleCoverage uncachedPinnedMemory(const DeviceFacts &facts)
{
    return facts.pinnedIsUncached() ? kChecked : doesNotApply("the CPU caches pinned memory on this device");
}

RuleCoverage largeRegistrations(const DeviceFacts &facts)
{
    if (facts.software)
        return doesNotApply("the software iGPU registers regions of any size");
    return facts.hostRegister.available ? kChecked : doesNotApply("the device cannot register host memory");
}

RuleCoverage firstLaunches(const DeviceFacts &facts)
{
    return facts.software ? doesNotApply("the software iGPU compiles no kernels") : kChecked;
}

RuleCoverage memoryPools(const DeviceFacts &facts)
{
    return facts.memoryPools.available ? kChecked : doesNotApply("the device has no memory pools");
}

RuleCoverage pageableMemory(const DeviceFacts &facts)
{
    return facts.systemMemory.available ? doesNotApply("kernels reach ordinary memory on this device") : kChecked;
}

RuleCoverage prefetches(const DeviceFacts &facts)
{
    return facts.prefetch.available ? kChecked : doesNotApply("the device does not prefetch managed memory");
}

RuleCoverage managedMemoryLatency(const DeviceFacts &facts)
{
    return whereTurnsAreTaken(facts, cannotCheck("this needs the times of launches with and without managed memory"));
}

RuleCoverage managedMemoryOwners(const DeviceFacts &facts)
{
    return facts.managedMemory.available
        ? cannotCheck("the order of accesses is checked (O1), but not which thread owns the memory")
        : kNoManagedMemory;
}

RuleCoverage eventHandles(const DeviceFacts &facts)
{
    if (facts.software)
        return doesNotApply("the software iGPU makes its waits without EGL_NV_cuda_event");
    return facts.eglSync.available
        ? cannotCheck("the trial at start shows that the driver accepts the event, but not that GL waits for it")
        : eglSyncs(facts);
}

RuleCoverage vpi(const DeviceFacts &facts)
{
    return facts.software ? doesNotApply("on the software iGPU, VPI stages end before the work behind them begins")
                          : kChecked;
}

} // namespace jetscope::ruletable
