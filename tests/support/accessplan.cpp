// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/accessplan.h"

namespace jetscope::testing {

namespace {

/// "managed, 4488 bytes"
std::string memory(const char *name, std::size_t bytes)
{
    return std::string(name) + ", " + std::to_string(bytes) + " bytes";
}

/// How one memory kind is written down: where the CPU's side lies and where the device's.
struct Kind {
    const char *cpu = "";        ///< What CPU threads outside of the pipeline thread touch.
    const char *device = "";     ///< What kernels touch.
    bool deviceCopies = false;   ///< A copy of the device lies between the two.
    bool pipelineCopies = false; ///< The pipeline thread copies between them.
};

Kind kindOf(MemoryKind kind, bool concurrentManagedAccess)
{
    switch (kind) {
    case MemoryKind::Pageable:
        return {"pageable", "device", true, false};
    case MemoryKind::Pinned:
    case MemoryKind::GlTexture: // Results; frames are another matter.
    case MemoryKind::NvBuf:
        return {"pinned", "device", true, false};
    case MemoryKind::ZeroCopy:
        return {"mapped", "mapped", false, false};
    case MemoryKind::Unified:
        return concurrentManagedAccess ? Kind{"managed", "managed", false, false}
                                       : Kind{"pageable", "managed", false, true};
    case MemoryKind::UnifiedAttach:
        return {"managed", "managed", false, false};
    case MemoryKind::Registered:
        return {"registered", "registered", false, false};
    case MemoryKind::System:
        return {"system", "system", false, false};
    case MemoryKind::UnifiedPrefetch:
        return {"managed", "managed", false, false};
    case MemoryKind::RegisteredIo:
        return {"I/O", "I/O", false, false};
    case MemoryKind::Pool:
        return {"pinned", "pool", true, false};
    case MemoryKind::Dmabuf:
        break;
    }
    return {"exported", "exported", false, false};
}

void planInput(const PlannedRun &run, AccessCounts &plan)
{
    const std::size_t bytes = run.layout.bytes;
    if (run.config.memory == MemoryKind::GlTexture) {
        const std::size_t pitch = run.layout.planes[0].pitch;
        const std::size_t lines = (bytes + pitch - 1) / pitch;
        plan["capture writes " + memory("pageable", bytes)] += run.reads;
        plan["GL queue reads " + memory("pageable", lines * pitch)] += run.frames;
        plan["GL writes image"] += run.frames;
        plan["GL runs a command"] += run.frames;
        plan["GL fence"] += run.frames;
        plan["event of a fence"] += run.frames;
        plan["stream waits for event"] += run.frames;
        plan["launch reads image"] += run.frames;
        return;
    }
    const Kind kind = kindOf(run.config.memory, run.concurrentManagedAccess);
    plan["capture writes " + memory(kind.cpu, bytes)] += run.reads;
    plan["launch reads " + memory(kind.device, bytes)] += run.frames;
    if (kind.deviceCopies) {
        plan["copy reads " + memory(kind.cpu, bytes)] += run.frames;
        plan["copy writes " + memory(kind.device, bytes)] += run.frames;
    }
    if (kind.pipelineCopies) {
        plan["pipeline reads " + memory(kind.cpu, bytes)] += run.frames;
        plan["pipeline writes " + memory(kind.device, bytes)] += run.frames;
    }
}

bool wantsResults(const PipelineConfig &config)
{
    return config.cpuStage == CpuStagePlacement::Serial || config.cpuStage == CpuStagePlacement::Pipelined;
}

void planCpuStage(const PlannedRun &run, AccessCounts &plan)
{
    const Kind kind = kindOf(run.config.memory, run.concurrentManagedAccess);
    if (run.config.cpuStage == CpuStagePlacement::SameInput) {
        const bool texture = run.config.memory == MemoryKind::GlTexture;
        plan["CPU stage reads " + memory(texture ? "pageable" : kind.cpu, run.layout.bytes)] += run.frames;
    }
    if (!wantsResults(run.config))
        return;
    const std::size_t bytes =
        makeImageLayout(PixelFormat::Grey8, (run.layout.width + 1) / 2, (run.layout.height + 1) / 2).bytes;
    plan["launch writes " + memory(kind.device, bytes)] += run.frames;
    if (kind.deviceCopies) {
        plan["copy reads " + memory(kind.device, bytes)] += run.frames;
        plan["copy writes " + memory(kind.cpu, bytes)] += run.frames;
    }
    if (kind.pipelineCopies) {
        plan["pipeline reads " + memory(kind.device, bytes)] += run.frames;
        plan["pipeline writes " + memory(kind.cpu, bytes)] += run.frames;
    }
    plan["CPU stage reads " + memory(kind.cpu, bytes)] += run.frames;
}

void planAttaches(const PlannedRun &run, AccessCounts &plan)
{
    if (run.config.memory != MemoryKind::UnifiedAttach)
        return;
    // A buffer begins as the host's. Four inputs are the capture thread's beside those of the frames in flight, and the
    // CPU stage has a frame of its own.
    const std::uint64_t frameSlots =
        static_cast<std::uint64_t>(run.config.framesInFlight) + (run.config.cpuStage == CpuStagePlacement::Off ? 0 : 1);
    const std::uint64_t trips = run.frames * (wantsResults(run.config) ? 2 : 1);
    plan["attach to stream"] += trips;
    plan["attach to host"] += trips + 4 + frameSlots + (wantsResults(run.config) ? frameSlots : 0);
}

void planOutput(const PlannedRun &run, AccessCounts &plan)
{
    const std::size_t bytes = makeImageLayout(PixelFormat::Rgba8, run.layout.width, run.layout.height).bytes;
    const bool copies = run.config.output == OutputKind::CopyBack;
    if (copies) {
        plan["launch writes " + memory("device", bytes)] += run.frames;
        plan["copy reads " + memory("device", bytes)] += run.frames;
        plan["copy writes " + memory("pinned", bytes)] += run.frames;
        plan["GL queue reads " + memory("pinned", bytes)] += run.frames;
        plan["GL writes texture"] += run.frames;
        plan["GL runs a command"] += run.frames;
    } else {
        plan["launch writes image"] += run.frames;
    }
    // The test reads the output, and it is drawn into the target behind the screen.
    plan[copies ? "GL reads texture" : "GL reads image"] += 2 * run.frames;
    plan["GL writes texture"] += run.frames;
    plan["GL runs a command"] += 2 * run.frames;
}

} // namespace

AccessCounts plannedAccesses(const PlannedRun &run)
{
    AccessCounts plan;
    planInput(run, plan);
    planCpuStage(run, plan);
    planAttaches(run, plan);
    planOutput(run, plan);
    for (const char *each : {"GL fence", "event of a fence", "stream waits for event", "GL wait is made",
                             "GL waits for event", "GL wait is carried out"})
        plan[each] += run.frames;
    return plan;
}

} // namespace jetscope::testing
