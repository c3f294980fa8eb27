// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/advicerules.h"

#include "core/settings/memorykinds.h"

#include <algorithm>
#include <map>
#include <string>

namespace jetscope {

namespace {

using Config = PipelineConfig;
using Facts = DeviceFacts;
using enum AdviceEffect;

// --- kinds of piece

/// A piece of this cause and, if any are given, of one of these purposes.
template <PathCause cause, Purpose... purposes>
bool is(const PathShare &share)
{
    return share.cause == cause && (sizeof...(purposes) == 0 || (... || (share.purpose == purposes)));
}

template <auto... kinds>
bool isOneOf(const PathShare &share)
{
    return (... || kinds(share));
}

constexpr auto isInputCopy = is<PathCause::Copy, Purpose::InputCopy>;
constexpr auto isOutputCopy = is<PathCause::Copy, Purpose::OutputCopy>;
/// On a GPU the CPU's share of the upload, on a software rasteriser the whole upload.
constexpr auto isGlUpload = isOneOf<is<PathCause::Upload, Purpose::GlUpload>, is<PathCause::Submit, Purpose::GlUpload>>;
constexpr auto isDraw = is<PathCause::Draw>;
constexpr auto isManagedCopy =
    isOneOf<is<PathCause::Upload, Purpose::ManagedCopy>, is<PathCause::Call, Purpose::ManagedDrain>>;
constexpr auto isSubmit = is<PathCause::Submit>;
constexpr auto isKernel = is<PathCause::Kernel>;
constexpr auto isMapping = is<PathCause::Call, Purpose::GlMap, Purpose::GlUnmap>;
constexpr auto isStreamWork =
    isOneOf<is<PathCause::Call, Purpose::StreamProducer>, is<PathCause::Copy, Purpose::StreamDraw>>;
constexpr auto isCpuStage = is<PathCause::CpuStage>;
constexpr auto isTraceFile = is<PathCause::Capture>;
constexpr auto isCaptureCopy = is<PathCause::Capture, Purpose::CaptureCopy>;

/// Whether a wait is part of a synchronization that another one would replace.
bool synchronizes(Purpose purpose)
{
    switch (purpose) {
    case Purpose::DeviceFrame:
    case Purpose::DevicePoll:
    case Purpose::DeviceStream:
    case Purpose::DeviceAll:
    case Purpose::EngineFrame:
    case Purpose::GlDone:
    case Purpose::QueueOrder:
        return true;
    default:
        return false;
    }
}

/// The cost of synchronization: late wake-ups of threads and queues after a wait, and calls that had nothing to wait
/// for.
bool isHandOver(const PathShare &share)
{
    if (share.cause == PathCause::WakeUp)
        return share.role == LaneRole::Pipeline || share.role == LaneRole::CpuStage;
    if (share.cause == PathCause::LaunchDelay)
        return isGpuLane(share.role);
    return share.cause == PathCause::Call && synchronizes(share.purpose);
}

bool isWakeUp(const PathShare &share)
{
    return share.cause == PathCause::WakeUp && (share.role == LaneRole::Pipeline || share.role == LaneRole::CpuStage);
}

// --- conditions

template <auto member, auto value>
bool has(const Config &config, const Facts &)
{
    return config.*member == value;
}

constexpr auto isCopyBack = has<&Config::output, OutputKind::CopyBack>;
constexpr auto isStream = has<&Config::output, OutputKind::EglStream>;
constexpr auto uploadsByGl = has<&Config::memory, MemoryKind::GlTexture>;
constexpr auto isSerial = has<&Config::cpuStage, CpuStagePlacement::Serial>;

bool isAlways(const Config &, const Facts &)
{
    return true;
}

bool readsPastCache(const Config &config, const Facts &facts)
{
    const TableMemory side = memoryKind(config.memory).gpuSide;
    return side == TableMemory::Pinned || (side == TableMemory::Registered && !facts.gpuCachesRegistered());
}

bool migratesPages(const Config &config, const Facts &facts)
{
    return (config.memory == MemoryKind::Unified || config.memory == MemoryKind::UnifiedAttach) && !facts.integrated;
}

bool isUncachedForCpu(const Config &config, const Facts &facts)
{
    return memoryKind(config.memory).cpuSide == TableMemory::Pinned && !facts.cpuCachesPinned();
}

bool drains(const Config &config, const Facts &facts)
{
    return config.memory == MemoryKind::Unified && !facts.concurrentManagedAccess;
}

/// Whether a thread waits as the wait policy says.
bool waitsByPolicy(const Config &config, const Facts &)
{
    return config.sync == SyncMode::Finish || config.sync == SyncMode::Stream || config.sync == SyncMode::Event
        || config.sync == SyncMode::Flag || config.sync == SyncMode::Graph || config.cpuStage != CpuStagePlacement::Off;
}

bool isCopyBackOfGpu(const Config &config, const Facts &facts)
{
    return isCopyBack(config, facts) && !facts.software;
}

bool isEmulatedCopyBack(const Config &config, const Facts &facts)
{
    return isCopyBack(config, facts) && facts.software;
}

bool sharesMemory(const Config &, const Facts &facts)
{
    return facts.integrated;
}

bool readsInPlaceCached(const Config &, const Facts &facts)
{
    return facts.integrated && facts.gpuCachesRegistered();
}

bool readsInPlaceUncached(const Config &, const Facts &facts)
{
    return facts.integrated && !facts.gpuCachesRegistered();
}

bool isStaged(const Config &config, const Facts &facts)
{
    return config.memory == MemoryKind::Pageable && facts.cpuCachesPinned();
}

bool isStagedForUncached(const Config &config, const Facts &facts)
{
    return config.memory == MemoryKind::Pageable && !facts.cpuCachesPinned();
}

bool attaches(const Config &config, const Facts &facts)
{
    return config.memory == MemoryKind::UnifiedAttach && !facts.concurrentManagedAccess;
}

bool attachesInVain(const Config &config, const Facts &facts)
{
    return config.memory == MemoryKind::UnifiedAttach && facts.concurrentManagedAccess && facts.integrated;
}

bool attachesAcrossABus(const Config &config, const Facts &facts)
{
    return config.memory == MemoryKind::UnifiedAttach && facts.concurrentManagedAccess && !facts.integrated;
}

constexpr PieceRule kPieceRules[] = {
    // If both sides share one memory, a copy is avoidable; over a bus the frame must be transferred anyway.
    {isInputCopy, readsInPlaceCached, "memory", "registered", Gone,
     "GPU and CPU share one memory here, and the GPU reads the frame in place through its cache"},
    {isInputCopy, readsInPlaceCached, "memory", "zero-copy", Replaced,
     "GPU and CPU share one memory here; read in place, the frame goes past the GPU's cache"},
    {isInputCopy, readsInPlaceUncached, "memory", "zero-copy registered", Replaced,
     "GPU and CPU share one memory here; read in place, the frame goes past the GPU's cache"},
    {isInputCopy, sharesMemory, "memory", "unified unified-attach", Replaced,
     "managed memory needs no copy where GPU and CPU share one memory, but calls that hand it over"},
    {isInputCopy, isAlways, "memory", "gl-texture", Replaced, "OpenGL ES uploads the frame instead"},
    {isInputCopy, isAlways, "memory", "nvbuf", Gone, "the GPU reads the camera's own buffer"},
    // The driver copies pageable memory twice, the first time inside the call.
    {isInputCopy, isStaged, "memory", "pinned", Gone, "page-locked memory is copied without the driver's detour"},
    {isSubmit, isStaged, "memory", "pinned", Gone, "copying page-locked memory does not block the call"},
    {isInputCopy, isStagedForUncached, "memory", "pinned", Replaced,
     "page-locked memory is copied without the driver's detour, but this CPU does not cache it"},
    {isCaptureCopy, isAlways, "memory", "nvbuf", Gone, "the frame stays in the camera's own buffer"},
    // Managed memory that the CPU may not touch while a kernel runs.
    {isManagedCopy, drains, "memory", "unified-attach pinned zero-copy registered gl-texture", Replaced,
     "no other memory kind drains the device to copy a frame into managed memory"},
    {isSubmit, attachesInVain, "memory", "unified", Gone,
     "attaching has no effect where CPU and GPU may share managed memory"},
    {isSubmit, attachesAcrossABus, "memory", "unified", Replaced,
     "no calls attach the frame, but its pages may move over the bus in other ways"},
    {isSubmit, attaches, "memory", "pinned zero-copy registered", Replaced, "other memory kinds attach nothing"},
    // Kernels with slow access to their input.
    {isKernel, readsPastCache, "memory", "pinned", Replaced,
     "it reads the frame without the GPU's cache; a copy would avoid that"},
    {isKernel, migratesPages, "memory", "pinned", Replaced,
     "it waits for pages of managed memory; a copy would transfer them in advance"},
    // A CPU that does not cache page-locked memory.
    {isTraceFile, isUncachedForCpu, "memory", "pageable unified-attach", Replaced,
     "this CPU does not cache page-locked memory"},
    {isCpuStage, isUncachedForCpu, "memory", "pageable unified-attach", Replaced,
     "this CPU does not cache page-locked memory"},
    {isGlUpload, uploadsByGl, "memory", "pinned zero-copy registered unified-attach", Replaced,
     "other memory kinds do not upload through OpenGL ES"},
    // The transfer to OpenGL ES.
    // Without the copies there is no wait for them either. A driver may defer an upload until the next draw.
    {isOutputCopy, isCopyBackOfGpu, "output", "eglimage", Gone, "device and OpenGL ES share the texture"},
    {isGlUpload, isCopyBackOfGpu, "output", "eglimage", Gone, "device and OpenGL ES share the texture"},
    {isHandOver, isCopyBackOfGpu, "output", "eglimage", Gone, "without a copy to the host nothing waits for it"},
    {isSubmit, isCopyBackOfGpu, "output", "eglimage", Gone, "neither copy nor upload has to be submitted"},
    {isDraw, isCopyBackOfGpu, "output", "eglimage", Gone, "without an upload no draw has to wait for it"},
    {isOutputCopy, isEmulatedCopyBack, "output", "eglimage", Replaced,
     "the software iGPU copies to reach a texture, too"},
    {isGlUpload, isEmulatedCopyBack, "output", "eglimage", Replaced,
     "the software iGPU copies to reach a texture, too"},
    {isOutputCopy, isCopyBack, "output", "gl-interop eglstream", Replaced,
     "the frame stays on the GPU, at the cost of calls that hand it over"},
    {isGlUpload, isCopyBack, "output", "gl-interop eglstream", Replaced,
     "the frame stays on the GPU, at the cost of calls that hand it over"},
    {isMapping, isAlways, "output", "eglimage", Gone, "an EGLImage stays mapped"},
    {isStreamWork, isAlways, "output", "eglimage", Gone, "an EGLImage needs neither presenting nor a draw of its own"},
    {isHandOver, isStream, "output", "eglimage", Gone, "an EGLImage does not pass through a queue of the driver"},
    {isSubmit, isStream, "output", "eglimage", Gone, "an EGLImage needs neither presenting nor a draw of its own"},
    // The hand-over. The best kind depends on the device, and this table has no data about devices.
    {isHandOver, isAlways, "sync", "", Replaced, "another synchronization waits at another place"},
    {isWakeUp, waitsByPolicy, "wait", "spin yield block", Replaced,
     "another wait policy wakes the thread in another way"},
};

// --- overlap

/// Work that shares a hardware unit cannot overlap: a lane with itself and, on a GPU, all CUDA and OpenGL ES
/// computation. Copies can overlap with computation.
std::string resourceOf(const PathShare &share, const Facts &facts)
{
    const bool computes = share.cause == PathCause::OtherContext
        || (isGpuLane(share.role) && (share.cause == PathCause::Kernel || share.cause == PathCause::Draw));
    return computes && !facts.software ? std::string("GPU") : share.lane;
}

/// Work with a duration of its own. The durations of waits, of delays after waits, and of a flush, in which a driver
/// waits for the GPU, depend on other work.
bool isBusy(const PathShare &share)
{
    return share.cause != PathCause::WakeUp && share.cause != PathCause::LaunchDelay && share.cause != PathCause::Call
        && !is<PathCause::Submit, Purpose::GlFence>(share);
}

/// Upper bound for any overlap: the period is as long as the busiest resource is busy. Unexplained time is not counted
/// as removable.
double besideBusiest(const PathSummary &path, const Facts &facts)
{
    std::map<std::string, double> busy;
    for (const PathShare &share : path.shares)
        if (!share.lane.empty() && isBusy(share))
            busy[resourceOf(share, facts)] += share.share;
    double busiest = 0;
    for (const auto &[resource, share] : busy)
        busiest = std::max(busiest, share);
    return std::clamp(1 - busiest - path.unexplained(), 0.0, 1.0);
}

double streamShare(const PathSummary &path, PathCause cause)
{
    double sum = 0;
    for (const PathShare &share : path.shares)
        sum += share.role == LaneRole::DeviceStream && share.cause == cause ? share.share : 0;
    return sum;
}

/// A frame itself does not get faster, so with m instead of n frames in flight the period is at best n/m of the
/// original.
double byMoreFrames(const PathSummary &path, const Facts &facts, const Config &now, const Config &then)
{
    return std::min(besideBusiest(path, facts), 1 - static_cast<double>(now.framesInFlight) / then.framesInFlight);
}

double byPipelining(const PathSummary &path, const Facts &facts, const Config &, const Config &then)
{
    return std::min(besideBusiest(path, facts), 1 - 1.0 / (then.framesInFlight + 1));
}

double byNotDraining(const PathSummary &path, const Facts &facts, const Config &now, const Config &)
{
    return std::min(besideBusiest(path, facts), 1 - 1.0 / (now.framesInFlight + 1));
}

/// A GPU has separate copy engines, but kernels of one frame rarely leave room for kernels of another.
double byCopyingBeside(const PathSummary &path, const Facts &, const Config &, const Config &)
{
    return std::min(streamShare(path, PathCause::Copy), streamShare(path, PathCause::Kernel));
}

double byMoreThreads(const PathSummary &path, const Facts &, const Config &now, const Config &then)
{
    const double work = streamShare(path, PathCause::Copy) + streamShare(path, PathCause::Kernel);
    return work * (1 - static_cast<double>(now.streams) / then.streams);
}

/// Each wait for a frame also waits for all later ones: frames in flight beyond the second have no benefit.
bool waitsForAllFrames(const Config &config)
{
    return config.sync == SyncMode::Finish || (config.sync == SyncMode::Stream && config.streams == 1);
}

bool waitsForEachFrame(const Config &config, const Facts &facts)
{
    return config.cpuStage != CpuStagePlacement::Serial && !waitsForAllFrames(config) && !migratesPages(config, facts);
}

bool waitsForNextFrameToo(const Config &config, const Facts &facts)
{
    return config.cpuStage != CpuStagePlacement::Serial && waitsForAllFrames(config) && !migratesPages(config, facts);
}

bool migratesPagesOfEachFrame(const Config &config, const Facts &facts)
{
    return config.cpuStage != CpuStagePlacement::Serial && migratesPages(config, facts);
}

bool copiesBeside(const Config &config, const Facts &facts)
{
    return config.cpuStage != CpuStagePlacement::Serial && !facts.software;
}

bool hasThreadsForStreams(const Config &config, const Facts &facts)
{
    return config.cpuStage != CpuStagePlacement::Serial && facts.software;
}

constexpr OverlapRule kOverlapRules[] = {
    // Serial placement processes one frame at a time, regardless of the frames in flight.
    {waitsForEachFrame, "frames-in-flight", "2 3 4", byMoreFrames, Gone,
     "more frames in flight let lanes work at the same time, each on another frame"},
    {waitsForNextFrameToo, "frames-in-flight", "2", byMoreFrames, Gone,
     "with another frame in flight lanes can work at the same time, each on another frame"},
    {migratesPagesOfEachFrame, "frames-in-flight", "2 3 4", byMoreFrames, Replaced,
     "lanes could work at the same time, each on another frame, but pages of more frames move over the bus"},
    {copiesBeside, "streams", "2 3 4", byCopyingBeside, Gone,
     "with more streams the copy of one frame can run beside the kernels of another"},
    {hasThreadsForStreams, "streams", "2 3 4", byMoreThreads, Replaced,
     "each stream of the software iGPU is a thread of its own, beside those of the software rasteriser"},
    // The other placements change the result.
    {isSerial, "cpu-stage", "pipelined", byPipelining, Gone,
     "pipelined, the CPU works on one frame while the GPU does the next; its answer comes a frame later"},
    {drains, "memory", "unified-attach pinned zero-copy registered gl-texture", byNotDraining, Replaced,
     "without a drain before every frame, lanes can work at the same time"},
};

} // namespace

std::span<const PieceRule> pieceRules()
{
    return kPieceRules;
}

std::span<const OverlapRule> overlapRules()
{
    return kOverlapRules;
}

} // namespace jetscope
