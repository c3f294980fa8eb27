// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/wastefinder.h"

#include "core/attach/format/calltable.h"
#include "core/attach/read/copyrows.h"

#include <algorithm>
#include <cstdio>

namespace jetscope {

namespace {

constexpr std::size_t kMaxHostCopies = 16;
constexpr std::size_t kMaxNamed = 4;           ///< Names of a finding, and none.
constexpr std::size_t kMaxFollowed = 1024;     ///< Processes.
constexpr std::uint64_t kMinAddress = 0x10000; ///< Smaller "pointers" are offsets in a buffer object.

std::string decimal(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

MemoryAccess range(std::uint64_t address, std::uint64_t bytes)
{
    MemoryAccess access;
    access.offset = address;
    access.bytes = bytes;
    return access;
}

/// At least a byte a pixel.
MemoryAccess pixelsRead(const AttachEvent &event)
{
    const auto &argument = event.argument;
    return range(argument[2], (argument[0] & UINT32_MAX) * (argument[1] & UINT32_MAX));
}

/// What a copy between host and device touches of the host's memory.
MemoryAccess hostBytes(const AttachEvent &event)
{
    const CopyRows rows = copyRowsOf(event);
    const bool toHost = event.argument[4] == JSA_COPY_TO_HOST;
    MemoryAccess access = range(event.argument[toHost ? 1 : 2], rows.rows == 0 ? 0 : rows.bytes);
    if (const std::uint64_t pitch = toHost ? rows.toPitch : rows.fromPitch; rows.rows > 1 && pitch >= rows.bytes) {
        access.rows = rows.rows;
        access.pitch = pitch;
    }
    return access;
}

} // namespace

struct WasteFinder::Row {
    std::string_view what;
    std::string_view calls; ///< "registrations of buffers"
    std::string_view fix;
    bool cuda = false;  ///< Needs CUDA calls to be seen; otherwise those of EGL and GL.
    bool priced = true; ///< The price is the time inside of the calls; else the GPU's, where hardware times tell it.
    FindingGrade grade = FindingGrade::Seen;
    bool ofAccesses = false; ///< It needs the addresses or the directions of copies.
    bool ofWaits = false;    ///< It needs all that waits for events; graphs may, too.
};

const std::array<WasteFinder::Row, WasteFinder::kKinds> WasteFinder::kRows = {{
    {"registration-per-frame", "registrations of buffers and images",
     "register each buffer once and keep the registration", false, true},
    {"allocation-per-frame", "allocations of memory or texture storage", "allocate once and use the memory again",
     false, true},
    {"finish-per-frame", "calls that wait for all work of GL",
     "wait for a fence behind the work that is needed, or let the GPU wait (glWaitSync, eglWaitSync)", false, true},
    {"device-sync-per-frame", "calls that wait for all work of the device",
     "wait for the event or the stream whose result is needed", true, true},
    {"sync-waits-for-more", "waits for work that was submitted behind the copy whose result the CPU takes",
     "record an event behind the copy and wait for that (cudaEventSynchronize)", true, true, FindingGrade::Possible,
     true},
    {"default-stream", "submissions to the default stream beside other streams, which wait for each other",
     "use streams made with cudaStreamNonBlocking, or compile with --default-stream per-thread", true, false},
    {"pageable-async-copy", "asynchronous copies of memory that is not pinned, which block and are staged",
     "allocate the memory with cudaHostAlloc, or register it once", true, true, FindingGrade::Seen, true},
    {"managed-copy", "asynchronous copies of managed memory, which can wait for all earlier work of their stream",
     "let kernels use the managed memory itself, or copy from and to pinned memory", true, true, FindingGrade::Seen,
     true},
    {"pool-keeps-nothing", "allocations from a memory pool that gives its memory back at each wait",
     "set cudaMemPoolAttrReleaseThreshold to what a frame needs", true, true, FindingGrade::Possible},
    {"host-round-trip", "copies of the GPU's results to host memory and from there back to the GPU",
     "if the CPU does not change them, keep them on the GPU: share them between CUDA and GL by an EGLImage or "
     "cuGraphicsGLRegisterImage, or copy from device to device",
     false, true, FindingGrade::Possible, true},
    {"event-never-awaited", "records of events that nothing waits for or asks about",
     "record an event only where a stream, a thread or a fence waits for it", true, true, FindingGrade::Possible, false,
     true},
}};

void WasteFinder::count(Kind kind, const AttachEvent &event, std::int32_t process, std::uint32_t frame,
                        const MemoryAccess &bytes)
{
    if (frame == kNoFrame || frame < kFramesOfSetUp)
        return;
    m_tallies[static_cast<std::size_t>(kind)].add(event, process, frame, m_newSites);
    std::set<std::string> &named = m_named[static_cast<std::size_t>(kind)];
    if (named.size() < kMaxNamed)
        named.insert(m_model.names().in(process, bytes.offset, bytes.bytes));
}

/// Both in one frame: each submission to the default stream waits for the other streams, and they for it.
void WasteFinder::judgeStream(const AttachEvent &event, std::int32_t process, StreamRole role, std::uint32_t frame)
{
    if (m_defaultStreams.size() >= kMaxFollowed && !m_defaultStreams.contains(process))
        return;
    DefaultStream &both = m_defaultStreams[process];
    if (frame != both.frame)
        both = {frame, false, {}};
    if (role == StreamRole::Legacy) {
        if (both.hasStreamWork)
            count(Kind::DefaultStream, event, process, frame);
        else
            both.legacyEvent = event;
        return;
    }
    if (role == StreamRole::Free)
        return;
    both.hasStreamWork = true;
    if (both.legacyEvent)
        count(Kind::DefaultStream, *std::exchange(both.legacyEvent, std::nullopt), process, frame);
}

void WasteFinder::judgeCopy(const AttachEvent &event, std::int32_t process, std::uint32_t frame)
{
    const std::uint64_t direction = event.argument[4];
    for (const std::size_t end : {std::size_t{1}, std::size_t{2}})
        if (const auto *memory = m_model.process().memoryAt(event.argument[end]);
            memory && memory->second.kind == Allocation::Managed)
            return count(Kind::ManagedCopy, event, process, frame, range(event.argument[end], 1));
    if (direction != JSA_COPY_TO_DEVICE && direction != JSA_COPY_TO_HOST)
        return;
    const auto *host = m_model.process().memoryAt(event.argument[direction == JSA_COPY_TO_DEVICE ? 2 : 1]);
    if (!host || !host->second.isOfHost())
        count(Kind::Pageable, event, process, frame, hostBytes(event));
}

/// The CPU's own access in between is not seen, so that the copies may be needed.
void WasteFinder::judgeHost(const AttachEvent &event, std::int32_t process, std::uint32_t frame)
{
    const auto &argument = event.argument;
    const AttachCall &call = *attachCall(event.call);
    const bool isRead = call.work == JSA_WORK_READBACK;
    if (isRead || (isCopy(call) && argument[4] == JSA_COPY_TO_HOST)) {
        const MemoryAccess bytes = isRead ? pixelsRead(event) : hostBytes(event);
        if (bytes.offset < kMinAddress)
            return;
        m_hostCopies.push_back({process, bytes, frame, event.endNs - event.startNs});
        if (m_hostCopies.size() > kMaxHostCopies)
            m_hostCopies.pop_front();
        return;
    }
    if (isCopy(call) && argument[4] != JSA_COPY_TO_DEVICE)
        return;
    const MemoryAccess bytes =
        isCopy(call) ? hostBytes(event) : range(argument[2], 1); // How many GL reads is not known.
    const auto copy = std::find_if(m_hostCopies.begin(), m_hostCopies.end(), [&](const HostCopy &made) {
        return made.process == process && made.frame == frame && meet(made.bytes, bytes);
    });
    if (copy == m_hostCopies.end())
        return;
    AttachEvent both = event; // Its price is that of both copies.
    both.startNs -= copy->ns;
    const MemoryAccess copied = copy->bytes;
    m_hostCopies.erase(copy);
    count(Kind::RoundTrip, both, process, frame, copied);
}

/// A driver reserves memory in units, 32 MiB on an H200, and a pool that has more than its threshold gives back all
/// that nobody uses. The unit of others is not known, so that the call must also be as slow as one that asks the
/// system.
bool WasteFinder::isKeptByPool(const AttachEvent &event, std::int32_t process) const
{
    constexpr std::uint64_t kReservedAtOnce = std::uint64_t{32} << 20U;
    constexpr std::int64_t kSlowNs = 10'000; // There 58,000; a whole round takes 13,000 with memory that was kept.
    const auto kept = m_poolKeeps.find(process);
    return kept != m_poolKeeps.end() && (kept->second >= kReservedAtOnce || event.endNs - event.startNs < kSlowNs);
}

void WasteFinder::take(const AttachEvent &event, std::int32_t process, std::int32_t thread, std::uint32_t frame)
{
    const AttachCall &call = *attachCall(event.call);
    m_cuda = m_cuda || call.tier == 'B';
    m_gl = m_gl || call.tier == 'C';
    m_unawaited.takeUse(event, process);
    if (m_model.isCaptured() || event.failed())
        return;
    if (const auto unawaited = m_unawaited.take(event, process, frame))
        count(Kind::Unawaited, unawaited->call, process, unawaited->frame);
    m_graphs = m_graphs || event.call == JSA_CALL_cuGraphLaunch;
    if (m_awaited.take(event, process, thread))
        count(Kind::WaitsForMore, event, process, frame);
    switch (call.work) {
    case JSA_WORK_REGISTER:
        return count(Kind::Registration, event, process, frame, range(event.argument[0], event.argument[1]));
    case JSA_WORK_GRAPHICS:
    case JSA_WORK_IMAGE:
    case JSA_WORK_NVIMAGE:
        return count(Kind::Registration, event, process, frame);
    case JSA_WORK_ALLOC:
    case JSA_WORK_HOSTALLOC:
    case JSA_WORK_MANAGED:
    case JSA_WORK_NVBUF:
    case JSA_WORK_ARRAY:
    case JSA_WORK_PHYSICAL:
        return count(Kind::Allocation, event, process, frame);
    case JSA_WORK_POOLKEEP:
        if (event.argument[0] > 0 && m_poolKeeps.size() < kMaxFollowed)
            m_poolKeeps[process] = event.argument[0];
        return;
    case JSA_WORK_POOLALLOC:
        if (!isKeptByPool(event, process))
            count(Kind::Pool, event, process, frame);
        return;
    case JSA_WORK_STORAGE:
        judgeHost(event, process, frame);
        return count(Kind::Allocation, event, process, frame);
    case JSA_WORK_FINISH:
        return count(Kind::Finish, event, process, frame);
    case JSA_WORK_CONTEXTSYNC:
        return count(Kind::DeviceSync, event, process, frame);
    case JSA_WORK_UPLOAD:
    case JSA_WORK_READBACK:
        return judgeHost(event, process, frame);
    case JSA_WORK_COPY:
        m_undirected = m_undirected || event.argument[4] == JSA_COPY_UNKNOWN;
        return judgeHost(event, process, frame);
    case JSA_WORK_COPYASYNC:
        m_undirected = m_undirected || event.argument[4] == JSA_COPY_UNKNOWN;
        judgeHost(event, process, frame);
        judgeCopy(event, process, frame);
        [[fallthrough]];
    case JSA_WORK_LAUNCH:
    case JSA_WORK_SETASYNC:
        return judgeStream(event, process, m_model.roleOf(process, streamOfCall(event, 0, thread)), frame);
    default:
        return;
    }
}

void WasteFinder::interrupt()
{
    m_awaited.interrupt();
    m_unawaited.interrupt();
}

WasteFinding WasteFinder::findingOf(const Row &row, const FindingTally &tally, std::uint32_t frames,
                                    std::int64_t periodsNs, const DefaultStreamWaits &waits) const
{
    WasteFinding finding;
    finding.what = row.what;
    finding.grade = m_unseen.any() ? FindingGrade::Unknown : row.grade;
    finding.calls = tally.calls;
    finding.frames = std::min<std::uint64_t>(tally.frames, framesBehindSetUp(frames)); // The last may be unfinished.
    finding.sites = tally.sites();
    const auto with = static_cast<double>(tally.frames);
    finding.text = std::string(row.calls) + ", " + decimal(static_cast<double>(tally.calls) / with) + " a frame ("
        + std::string(tally.callName()) + ") in " + std::to_string(finding.frames) + " of "
        + std::to_string(framesBehindSetUp(frames)) + " frames";
    for (const std::string &named : m_named[static_cast<std::size_t>(&row - kRows.data())])
        finding.text += named.empty() ? "" : ", of memory " + named;
    const bool onGpu = !row.priced && waits.isKnown();
    const auto priceNs = static_cast<double>(onGpu ? waits.waitedNs() : tally.ns);
    if (row.priced || onGpu) {
        finding.msPerFrame = priceNs / with / 1e6;
        finding.text += ", " + decimal(*finding.msPerFrame)
            + (onGpu ? " ms a frame in which the GPU's work of one waited for the other"
                     : " ms a frame inside of these calls");
    }
    if ((row.priced || onGpu) && periodsNs > 0) {
        const double behindSetUp = static_cast<double>(framesBehindSetUp(frames)) / frames;
        finding.mostShare = std::min(1.0, priceNs / (static_cast<double>(periodsNs) * behindSetUp));
        finding.text += ", which can bring " + decimal(*finding.mostShare * 100) + " % of the period at most";
    }
    finding.text += ": " + std::string(row.fix);
    if (m_unseen.any())
        finding.text += "; " + m_unseen.text() + ", so this may be wrong";
    return finding;
}

std::vector<WasteFinding> WasteFinder::findings(std::uint32_t frames, std::int64_t periodsNs,
                                                const DefaultStreamWaits &waits) const
{
    std::vector<WasteFinding> found;
    for (std::size_t i = 0; i < kKinds; ++i) {
        const FindingTally &tally = m_tallies[i];
        if (tally.isFrequent(frames) && !(kRows[i].ofWaits && m_graphs))
            found.push_back(findingOf(kRows[i], tally, frames, periodsNs, waits));
    }
    return found;
}

/// Why not all copies were looked at.
std::string WasteFinder::copiesReason() const
{
    if (!m_graphs && !m_undirected)
        return {};
    const std::string what = !m_undirected ? "copies in graphs were"
        : !m_graphs
        ? "copies between memory of which it was not seen what it is (cudaMemcpyDefault) were"
        : "copies in graphs, and between memory of which it was not seen what it is (cudaMemcpyDefault), were";
    return what + " not looked at; all else was checked";
}

std::vector<WasteCheck> WasteFinder::checks(std::uint32_t frames) const
{
    std::vector<WasteCheck> checks;
    for (const Row &row : kRows) {
        std::string reason;
        if (frames < kFramesOfSetUp + kMinFramesWithFinding)
            reason = "there are fewer than " + std::to_string(kFramesOfSetUp + kMinFramesWithFinding) + " frames";
        else if (row.cuda && !m_cuda)
            reason = "no call of CUDA was seen";
        else if (!m_cuda && !m_gl)
            reason = "no call was seen";
        else if (row.ofAccesses)
            reason = copiesReason();
        else if (row.ofWaits && m_graphs)
            reason = "what graphs wait for is not seen";
        if (reason.empty() && m_unseen.any())
            reason = m_unseen.text() + ", so that it cannot be told";
        checks.push_back({std::string(row.what), reason});
    }
    return checks;
}

} // namespace jetscope
