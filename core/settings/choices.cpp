// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/choices.h"

#include "core/enumtable.h"

#include <array>

namespace jetscope {

namespace {

constexpr auto kMemoryKinds = std::to_array<Choice<MemoryKind>>({
    {MemoryKind::Pageable, "pageable", "Pageable + copy",
     "Ordinary memory: nothing to set up, but the driver stages every copy and the call blocks while it does."},
    {MemoryKind::Pinned, "pinned", "Pinned + copy",
     "Page-locked memory: costs one copy a frame, which runs beside kernels; the safe choice on every device."},
    {MemoryKind::ZeroCopy, "zero-copy", "Pinned zero-copy",
     "The GPU reads page-locked memory in place: no copy, but every access goes past the GPU's cache; good for data "
     "that is read once."},
    {MemoryKind::Unified, "unified", "Unified",
     "Managed memory: one pointer for both sides, cached by both; where the CPU may not touch it beside a kernel, it "
     "costs a full drain of the device before every CPU access."},
    {MemoryKind::UnifiedAttach, "unified-attach", "Unified + attach hints",
     "Managed memory handed over by attaching it to its stream or to the CPU: costs two attach calls a frame instead "
     "of a drain; has no effect beyond Unified where CPU and GPU may share managed memory anyway."},
    {MemoryKind::Registered, "registered", "Registered host",
     "The source's own buffer, page-locked where it lies: saves the CPU's copy of the frame, but every GPU access goes "
     "past the GPU's cache."},
    {MemoryKind::GlTexture, "gl-texture", "GL texture",
     "The frame is uploaded by OpenGL ES and read by the device through an EGLImage: costs an upload and a hand-over "
     "from GL; takes work off the device's copy engine."},
    {MemoryKind::NvBuf, "nvbuf", "NvBufSurface",
     "The camera's own hardware buffer: no copy at all and the least work for the CPU; needs a camera that hands its "
     "buffers in, as csi: does on a Jetson."},
    {MemoryKind::System, "system", "System memory",
     "The GPU reads ordinary memory where it lies: no copy and nothing to register; CPU and GPU both cache it on a "
     "board "
     "with full coherency, elsewhere the GPU fetches pages as it touches them."},
    {MemoryKind::UnifiedPrefetch, "unified-prefetch", "Unified + prefetch",
     "Managed memory that is moved to the GPU before its kernels and to the CPU after them: costs two prefetches a "
     "frame instead of page faults; what attach hints are where CPU and GPU may not share managed memory."},
    {MemoryKind::RegisteredIo, "registered-io", "Registered I/O",
     "The source's own buffer, registered as I/O memory, which no side keeps coherent: saves the CPU's copy, and the "
     "GPU reads past its cache; drivers take it for a device's memory, and many refuse ordinary buffers."},
    {MemoryKind::Pool, "pool", "Pinned + pool",
     "Page-locked memory and one copy a frame into device memory of the stream's pool, which is allocated and freed "
     "with each frame: memory follows what is needed, at the cost of two calls a frame."},
    {MemoryKind::Dmabuf, "dmabuf", "DMA-BUF",
     "Page-locked memory of CUDA that a camera's driver imports and writes by itself: no copy at all; a source that "
     "imports no buffers writes it by the CPU."},
});
static_assert(hasEveryRow(kMemoryKinds, &Choice<MemoryKind>::value));

constexpr auto kOutputKinds = std::to_array<Choice<OutputKind>>({
    {OutputKind::EglImage, "eglimage", "EGLImage",
     "Device and OpenGL ES share one texture: no copy; the hand-over must be ordered by the synchronization."},
    {OutputKind::GlInterop, "gl-interop", "GL interop",
     "The device maps the GL texture for every frame: costs a map and an unmap, which order both sides by themselves."},
    {OutputKind::EglStream, "eglstream", "EGLStream",
     "Frames are presented to a stream that GL takes them from: costs one draw into a texture; suits separate "
     "processes."},
    {OutputKind::CopyBack, "copy-back", "Copy back",
     "The frame is copied to the CPU and uploaded to GL again: costs two copies a frame and works everywhere; the "
     "baseline to compare with."},
});
static_assert(hasEveryRow(kOutputKinds, &Choice<OutputKind>::value));

constexpr auto kSyncModes = std::to_array<Choice<SyncMode>>({
    {SyncMode::Finish, "finish", "Finish",
     "glFinish and cudaDeviceSynchronize: simple and safe, but the CPU stands still until everything is done."},
    {SyncMode::Stream, "stream", "Stream",
     "cudaStreamSynchronize: the CPU stands still for this frame's stream only, so other streams go on."},
    {SyncMode::Event, "event", "Event",
     "cudaEventSynchronize: the CPU waits for the one result it needs and for nothing queued after it."},
    {SyncMode::Poll, "poll", "Poll",
     "cudaEventQuery between other work: never blocks in a call, but the polling takes CPU time and adds latency."},
    {SyncMode::Callback, "callback", "Callback",
     "cudaLaunchHostFunc hands the frame over: no CPU thread waits, but a driver thread has to wake up every frame."},
    {SyncMode::EglSync, "eglsync", "EGLSync",
     "GPU queues wait for each other through EGLSync: costs two small objects a frame and no CPU wait; the way to take "
     "where the device has it."},
    {SyncMode::Implicit, "implicit", "Implicit",
     "Mapping and unmapping the GL texture orders both sides: costs nothing beyond GL interop; only that output has "
     "it."},
    {SyncMode::None, "none", "None",
     "No ordering at all: costs nothing and gives wrong pictures sooner or later; for seeing what a hazard looks "
     "like."},
    {SyncMode::Flag, "flag", "Flag",
     "The GPU writes a number that the CPU watches (cuStreamWriteValue32): the fastest to notice, but a thread that "
     "waits long spins or looks again after short naps."},
    {SyncMode::Graph, "graph", "Graph",
     "cudaGraphLaunch starts all work of a frame by one call, and the CPU waits for its event: saves calls where a "
     "frame has many copies and kernels, costs one capture for each set of buffers."},
    {SyncMode::External, "external", "External",
     "CUDA and OpenGL ES wait for each other by semaphores that both imported (GL_EXT_semaphore): no CPU wait, as with "
     "EGLSync, on drivers that have no EGLSync."},
});
static_assert(hasEveryRow(kSyncModes, &Choice<SyncMode>::value));

constexpr auto kWaitPolicies = std::to_array<Choice<WaitPolicy>>({
    {WaitPolicy::Auto, "auto", "Auto",
     "The driver chooses between spinning and yielding: a fair default; the policy really in force is shown beside "
     "it."},
    {WaitPolicy::Spin, "spin", "Spin",
     "The waiting thread spins: reacts fastest, costs a whole core and can starve other threads."},
    {WaitPolicy::Yield, "yield", "Yield",
     "The waiting thread spins but lets others run: kinder to them than spinning, with less certain latency."},
    {WaitPolicy::Block, "block", "Block",
     "The waiting thread sleeps until the device wakes it: costs some microseconds of latency and frees the core."},
});
static_assert(hasEveryRow(kWaitPolicies, &Choice<WaitPolicy>::value));

constexpr auto kCpuStagePlacements = std::to_array<Choice<CpuStagePlacement>>({
    {CpuStagePlacement::Off, "off", "Off", "No CPU stage: costs nothing; shows the GPU's side alone."},
    {CpuStagePlacement::Serial, "serial", "This result, serial",
     "The CPU works on this frame's result while the GPU has nothing to do: shortest latency, no overlap."},
    {CpuStagePlacement::Pipelined, "pipelined", "Previous result, pipelined",
     "The CPU works on the previous frame's result beside the GPU: full overlap for one frame more of latency."},
    {CpuStagePlacement::SameInput, "same-input", "Same input, concurrent",
     "CPU and GPU read the same input at the same time: full overlap with no added latency, if the memory kind allows "
     "both to read."},
});
static_assert(hasEveryRow(kCpuStagePlacements, &Choice<CpuStagePlacement>::value));

constexpr auto kStreamPriorities = std::to_array<Choice<StreamPriority>>({
    {StreamPriority::Normal, "normal", "Normal", "As other programs: costs nothing; their work and ours take turns."},
    {StreamPriority::High, "high", "High",
     "The GPU begins the pipeline's kernels before waiting ones of lower priority: shortens frames beside work of the "
     "same process, and delays that."},
    {StreamPriority::Low, "low", "Low",
     "The pipeline's kernels give way to all others of the process: for seeing what a more urgent neighbour costs."},
});
static_assert(hasEveryRow(kStreamPriorities, &Choice<StreamPriority>::value));

struct SharePart {
    GpuShare share;
    double part;
};
constexpr auto kShareParts = std::to_array<SharePart>({
    {GpuShare::All, 1},
    {GpuShare::ThreeQuarters, 0.75},
    {GpuShare::Half, 0.5},
    {GpuShare::Quarter, 0.25},
    {GpuShare::Eighth, 0.125},
});
static_assert(hasEveryRow(kShareParts, &SharePart::share));

constexpr auto kGpuShares = std::to_array<Choice<GpuShare>>({
    {GpuShare::All, "all", "All", "All multiprocessors: the fastest alone; others may take any of them meanwhile."},
    {GpuShare::ThreeQuarters, "three-quarters", "3/4",
     "Three quarters of the multiprocessors (a green context): leaves a quarter to others for certain."},
    {GpuShare::Half, "half", "1/2",
     "Half of the multiprocessors (a green context): leaves half to others for certain."},
    {GpuShare::Quarter, "quarter", "1/4",
     "A quarter of the multiprocessors (a green context): kernels that fill a GPU take up to four times as long."},
    {GpuShare::Eighth, "eighth", "1/8",
     "An eighth of the multiprocessors (a green context): for finding the smallest share that holds the period."},
});
static_assert(hasEveryRow(kGpuShares, &Choice<GpuShare>::value));

constexpr auto kBesides = std::to_array<Choice<Beside>>({
    {Beside::Nothing, "nothing", "Nothing", "Jetscope runs nothing beside the pipeline: costs nothing."},
    {Beside::Cpu, "cpu", "CPU copies",
     "Half of the CPU's cores copy memory without a pause: shows what a busy memory bus costs the pipeline."},
    {Beside::Copies, "copies", "GPU copies",
     "The GPU copies its own memory in another stream of this process: costs bandwidth and, on some GPUs, turns."},
    {Beside::Context, "context", "Second context",
     "Kernels of a second context fill memory: contexts share a GPU by time slices, so frames wait for their turn."},
});
static_assert(hasEveryRow(kBesides, &Choice<Beside>::value));

constexpr auto kGpuTimes = std::to_array<Choice<GpuTime>>({
    {GpuTime::Auto, "auto", "Best available",
     "The best source that this device has, in the order of this list; the lane's name says which one is in use."},
    {GpuTime::Cupti, "cupti", "CUPTI",
     "Start and end of every kernel and copy as the hardware stamped them; needs NVIDIA's profiling library and the "
     "permission to use it, and no other profiler on the process."},
    {GpuTime::Stamped, "stamped", "Stamped by kernels",
     "Jetscope's kernels write their own times, at the cost of a store; copies and OpenGL are only bounded by what "
     "happened before and after them."},
    {GpuTime::Bounds, "bounds", "Bounds",
     "Nothing is added to the device's work: each piece ran somewhere between its submission and the moment at which "
     "it was seen complete."},
    {GpuTime::Events, "events", "Pairs of events",
     "cudaEventRecord around each piece of work, as many programs do: an upper bound that counts what others do on the "
     "GPU and makes frames longer; for seeing what it does."},
});
static_assert(hasEveryRow(kGpuTimes, &Choice<GpuTime>::value));

constexpr auto kCpuWorks = std::to_array<Choice<CpuWork>>({
    {CpuWork::Canny, "canny", "Canny", "Edges: a medium load that grows with the picture; a typical first step."},
    {CpuWork::Contours, "contours", "Contours",
     "Outlines as polygons: a heavier load that varies with the picture's content."},
    {CpuWork::Histogram, "histogram", "Histogram",
     "Counts of grey values: a light load that reads every pixel once, so it shows the memory's own cost."},
});
static_assert(hasEveryRow(kCpuWorks, &Choice<CpuWork>::value));

} // namespace

double partOf(GpuShare share)
{
    return kShareParts[static_cast<std::size_t>(share)].part;
}

template <>
std::span<const Choice<StreamPriority>> choices<StreamPriority>()
{
    return kStreamPriorities;
}
template <>
std::span<const Choice<GpuShare>> choices<GpuShare>()
{
    return kGpuShares;
}
template <>
std::span<const Choice<Beside>> choices<Beside>()
{
    return kBesides;
}
template <>
std::span<const Choice<MemoryKind>> choices<MemoryKind>()
{
    return kMemoryKinds;
}
template <>
std::span<const Choice<OutputKind>> choices<OutputKind>()
{
    return kOutputKinds;
}
template <>
std::span<const Choice<SyncMode>> choices<SyncMode>()
{
    return kSyncModes;
}
template <>
std::span<const Choice<WaitPolicy>> choices<WaitPolicy>()
{
    return kWaitPolicies;
}
template <>
std::span<const Choice<CpuStagePlacement>> choices<CpuStagePlacement>()
{
    return kCpuStagePlacements;
}
template <>
std::span<const Choice<GpuTime>> choices<GpuTime>()
{
    return kGpuTimes;
}
template <>
std::span<const Choice<CpuWork>> choices<CpuWork>()
{
    return kCpuWorks;
}

} // namespace jetscope
