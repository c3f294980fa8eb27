// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/hazardwords.h"

#include "core/enumtable.h"
#include "core/hazards/hazard.h"
#include "core/recording/span.h"
#include "core/text/shorttext.h"

#include <array>

namespace jetscope {

namespace {

struct AllocationRow {
    Allocation allocation;
    const char *name;
};
constexpr std::array kAllocations{
    AllocationRow{Allocation::Pageable, "pageable memory"}, AllocationRow{Allocation::Device, "device memory"},
    AllocationRow{Allocation::Pinned, "pinned memory"},     AllocationRow{Allocation::PinnedMapped, "mapped memory"},
    AllocationRow{Allocation::Managed, "managed memory"},   AllocationRow{Allocation::Registered, "registered memory"},
    AllocationRow{Allocation::System, "system memory"},     AllocationRow{Allocation::RegisteredIo, "I/O memory"},
    AllocationRow{Allocation::Pool, "pool memory"},         AllocationRow{Allocation::Exported, "exported memory"},
};
static_assert(hasEveryRow(kAllocations, &AllocationRow::allocation));

struct AccessRow {
    AccessKind kind;
    const char *noun;
    const char *subject; ///< At the start of a sentence, in the plural or with a verb in the third person.
    bool plural;
};
constexpr std::array kAccesses{
    AccessRow{AccessKind::Cpu, "CPU access", "the CPU", false},
    AccessRow{AccessKind::Kernel, "kernels", "kernels", true},
    AccessRow{AccessKind::Copy, "copy", "a copy in a stream", false},
    AccessRow{AccessKind::GlCommand, "GL commands", "GL commands", true},
    AccessRow{AccessKind::View, "GL commands of the window", "the window's GL commands", true},
};
static_assert(hasEveryRow(kAccesses, &AccessRow::kind));

struct ThreadRow {
    LaneRole role;
    const char *name;
};
constexpr std::array kThreads{
    ThreadRow{LaneRole::Capture, "the capture thread"},    ThreadRow{LaneRole::Pipeline, "the pipeline thread"},
    ThreadRow{LaneRole::CpuStage, "the CPU stage thread"}, ThreadRow{LaneRole::DeviceStream, "the thread of a stream"},
    ThreadRow{LaneRole::GlQueue, "the GL thread"},         ThreadRow{LaneRole::Engine, "an engine"},
    ThreadRow{LaneRole::View, "the view thread"},          ThreadRow{LaneRole::Tool, "a thread outside the trace"},
};
static_assert(hasEveryRow(kThreads, &ThreadRow::role));

const AccessRow &rowOf(const MemoryAccess &access)
{
    return kAccesses[static_cast<std::size_t>(access.kind)];
}

const char *verbOf(const MemoryAccess &access)
{
    return access.access == Access::Write ? "write" : "read";
}

/// "kernels write", "the CPU reads"
std::string clauseOf(const MemoryAccess &access)
{
    return std::string(rowOf(access).subject) + " " + verbOf(access) + (rowOf(access).plural ? "" : "s");
}

} // namespace

std::string memoryWords(Allocation allocation, std::size_t bytes)
{
    return std::string(kAllocations[static_cast<std::size_t>(allocation)].name) + ", " + std::to_string(bytes)
        + " bytes";
}

std::string imageWords(int width, int height)
{
    return "image shared with GL, " + std::to_string(width) + "x" + std::to_string(height);
}

std::string accessText(const HazardAccess &access)
{
    return access.what + " on " + access.queue + ", " + (access.access == Access::Write ? "a write" : "a read")
        + (access.frame == kNoFrame ? std::string() : ", frame " + std::to_string(access.frame));
}

std::string accessWords(const MemoryAccess &access)
{
    return rowOf(access).noun;
}

std::string threadWords(LaneRole role)
{
    return kThreads[static_cast<std::size_t>(role)].name;
}

std::string conflictWords(const MemoryAccess &first, const MemoryAccess &second)
{
    return capitalized(clauseOf(second)) + " memory that " + rowOf(first).subject + " may still " + verbOf(first)
        + ": no synchronization, event or fence orders the two";
}

std::string touchWords(RuleId rule, const MemoryAccess &touch)
{
    const std::string what = "The CPU " + std::string(verbOf(touch)) + "s ";
    if (rule == RuleId::A4)
        return what
            + "managed memory whose attachment to the host may not be complete: the attach is work of its stream";
    if (rule == RuleId::A3)
        return what + "new managed memory while kernels run: it is attached to all streams until it is attached anew";
    if (rule == RuleId::A2)
        return what
            + "managed memory that kernels in flight also read: with concurrentManagedAccess = 0 the CPU may not "
              "even read it";
    return what
        + "managed memory that kernels may be using: with concurrentManagedAccess = 0 a Jetson ends the process "
          "with a bus error here";
}

std::string launchedIntoWords(const MemoryAccess &scope)
{
    return "Kernels are launched while the CPU " + std::string(verbOf(scope))
        + "s managed memory: with concurrentManagedAccess = 0 the next access ends the process with a bus error";
}

std::string freedWords(bool isImage, const MemoryAccess &last)
{
    return std::string(isImage ? "An image is unregistered" : "Memory is freed or unregistered") + " that "
        + rowOf(last).subject + " may still " + verbOf(last) + ": its work is not known to be complete";
}

std::string respecifiedWords(const MemoryAccess &work)
{
    return std::string("A texture is given new storage while ") + rowOf(work).subject + " may still " + verbOf(work)
        + " its image: the work uses memory that the texture no longer has";
}

std::string orphanedWords(const MemoryAccess &next)
{
    return capitalized(clauseOf(next))
        + " an image whose texture was given new storage: the work uses memory that the texture no longer has";
}

std::string outOfTurnWords(FrameTurn turn, const MemoryAccess &next)
{
    const std::string what = capitalized(clauseOf(next)) + " a frame that ";
    if (turn == FrameTurn::Presented)
        return what + "belongs to an EGLStream: it was presented and not taken back";
    if (turn == FrameTurn::Released)
        return what + "was released to its EGLStream: the producer may be writing it";
    return what + "was acquired from an EGLStream: a consumer may only read it";
}

std::string releasedWords(const MemoryAccess &work)
{
    return "A frame is released to its EGLStream in a stream that does not wait for its last use: "
        + std::string(rowOf(work).subject) + " may still " + verbOf(work) + " it";
}

std::string repeatWords(AccessKind kind)
{
    const AccessRow &row = kAccesses[static_cast<std::size_t>(kind)];
    return capitalized(row.subject) + (row.plural ? " use" : " uses")
        + " a frame that the EGLStream gave once more: its number is that of the frame before";
}

std::string atomicsWords()
{
    return "The CPU makes atomic operations on pinned memory, which it does not cache on this device";
}

std::string readAgainWords()
{
    return "The CPU reads bytes of pinned memory once more: it does not cache them on this device, so that each read "
           "is as slow as the first";
}

std::string compiledWords()
{
    return "The driver compiles the kernels when they are first used: this build has no machine code for the device";
}

std::string spinningWords(LaneRole role)
{
    return "The " + threadWords(role) + " spins while it waits for the GPU, and other threads take its CPU core away";
}

std::string refusedWords()
{
    return "The driver refuses to register a region of 4 MB or more";
}

std::string ownedWords(Attach attach)
{
    return attach == Attach::Host ? "A kernel uses managed memory that is attached to the host"
                                  : "A kernel uses managed memory that is attached to another stream";
}

std::string reattachedWords()
{
    return "Managed memory is attached anew while a host function has still to tell that its kernels are complete";
}

std::string costWords(bool pageable)
{
    return pageable ? "An asynchronous copy uses pageable memory: it is staged and may block the thread"
                    : "A copy uses managed memory: the call waits until it is complete";
}

std::string prefetchWords()
{
    return "Managed memory is prefetched where concurrentManagedAccess is 0: the call fails, and an attachment does "
           "what "
           "was meant";
}

std::string poolEmptyWords()
{
    return "A frame allocates from a pool what a synchronization gave back to the system: the pool has no release "
           "threshold";
}

std::string freedInStreamWords(const MemoryAccess &next)
{
    return capitalized(clauseOf(next)) + " memory of a pool that was freed before: other work may have it";
}

std::string notReachedWords(const MemoryAccess &next)
{
    return capitalized(clauseOf(next))
        + " ordinary memory in place, which this device does not reach "
          "(pageableMemoryAccess = 0)";
}

std::string discardedWords(const MemoryAccess &next)
{
    return capitalized(clauseOf(next)) + " memory whose content a prefetch discarded: nothing wrote it since";
}

std::string vpiWords(const char *what)
{
    return std::string(what) + " is put into a stream while work of VPI in it may be unfinished";
}

QueueKind queueKindOf(std::string_view queue)
{
    return queue.starts_with(kStreamName) ? QueueKind::Stream
        : queue.starts_with(kGlQueueName) ? QueueKind::Gl
                                          : QueueKind::Cpu;
}

std::string vpiReadWords(LaneRole role)
{
    return "The " + threadWords(role) + " locks an array of VPI while work on it may be unfinished";
}

} // namespace jetscope
