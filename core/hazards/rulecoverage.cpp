// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/rulecoverage.h"

namespace jetscope::ruletable {

namespace {

constexpr RuleCoverage kChecked{RuleCoverage::State::Checked, {}};

constexpr RuleCoverage cannotCheck(std::string_view why)
{
    return {RuleCoverage::State::CannotCheck, why};
}

constexpr RuleCoverage doesNotApply(std::string_view why)
{
    return {RuleCoverage::State::DoesNotApply, why};
}

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

RuleCoverage checked(const DeviceFacts &)
{
    return kChecked;
}

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

RuleCoverage changedClocks(const DeviceFacts &)
{
    return cannotCheck("a run compares nothing; sweep checks clocks and temperatures of its rounds, and refuses a "
                       "verdict if they moved");
}

RuleCoverage cuDla(const DeviceFacts &)
{
    return doesNotApply("Jetscope registers memory of its own once, waits for all tasks before it destroys a cuDLA "
                        "device, asks cuDLA for causes, and limits the time of tasks");
}

RuleCoverage wholeAttachments(const DeviceFacts &)
{
    return doesNotApply("Jetscope always attaches whole allocations");
}

RuleCoverage noPrefetches(const DeviceFacts &)
{
    return doesNotApply("Jetscope never calls cudaMemPrefetchAsync");
}

RuleCoverage managedMemoryTried(const DeviceFacts &)
{
    return doesNotApply("Jetscope tries managed memory at start and refuses its memory kinds where that fails");
}

RuleCoverage registrationTried(const DeviceFacts &)
{
    return doesNotApply("Jetscope tries cudaHostRegister at start and refuses registered memory where it fails");
}

RuleCoverage noMemoryPools(const DeviceFacts &)
{
    return doesNotApply("Jetscope uses no memory pools and reserves no address ranges");
}

RuleCoverage noMemoryEstimates(const DeviceFacts &)
{
    return doesNotApply("Jetscope decides nothing by cudaMemGetInfo");
}

RuleCoverage onlyHostFunctions(const DeviceFacts &)
{
    return doesNotApply("Jetscope uses cudaLaunchHostFunc only, and queries an event while it waits for the function");
}

RuleCoverage waitPolicyReadBack(const DeviceFacts &)
{
    return doesNotApply("Jetscope reads the policy back and shows the one in force");
}

RuleCoverage imagesTried(const DeviceFacts &)
{
    return doesNotApply("Jetscope makes EGLImages from textures and camera buffers only, and tries their registration "
                        "at start");
}

RuleCoverage imageFlagsZero(const DeviceFacts &)
{
    return doesNotApply("Jetscope registers EGLImages with flags 0");
}

RuleCoverage imagesNotMapped(const DeviceFacts &)
{
    return doesNotApply("Jetscope never maps a registered EGLImage");
}

RuleCoverage wholeTextures(const DeviceFacts &)
{
    return doesNotApply("Jetscope makes one EGLImage of each complete texture, and asks to preserve its pixels");
}

RuleCoverage eglSyncTried(const DeviceFacts &)
{
    return doesNotApply("Jetscope tries EGLSync both ways at start and refuses it where that fails");
}

RuleCoverage fencesFlushed(const DeviceFacts &)
{
    return doesNotApply(
        "Jetscope flushes after each fence, and calls eglWaitSync with flags 0 on the thread of the context");
}

RuleCoverage syncsOwned(const DeviceFacts &)
{
    return doesNotApply("each EGLSync belongs to an object that destroys it after the wait");
}

RuleCoverage oneFrameMore(const DeviceFacts &)
{
    return doesNotApply("Jetscope allocates one frame more than it uses at the same time");
}

RuleCoverage timeoutsRepeated(const DeviceFacts &)
{
    return doesNotApply("Jetscope repeats and counts calls that time out, and shows the error when there are too many");
}

RuleCoverage oneGpu(const DeviceFacts &)
{
    return doesNotApply("Jetscope tries EGLStreams at start, with both ends on the GPU of the EGL display");
}

RuleCoverage cuptiTried(const DeviceFacts &)
{
    return doesNotApply("Jetscope tries CUPTI in a process of its own and uses it only where the trial succeeds");
}

RuleCoverage anchorsRenewed(const DeviceFacts &)
{
    return doesNotApply("Jetscope renews its anchors and shows the remaining uncertainty of each lane");
}

RuleCoverage overlapHatched(const DeviceFacts &)
{
    return doesNotApply("the timeline hatches work of CUDA and GL that shares the GPU, and figures count its time "
                        "once");
}

RuleCoverage ownPipelineThread(const DeviceFacts &)
{
    return doesNotApply("the pipeline has a thread of its own; the window waits for the GPU only where the driver "
                        "makes no fence");
}

} // namespace jetscope::ruletable
