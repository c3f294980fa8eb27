// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/nvbufsync.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxNvBuffers = 4096;
constexpr std::uint64_t kReads = 0;  // NVBUF_MAP_READ, NvBufferMem_Read
constexpr std::uint64_t kWrites = 1; // NVBUF_MAP_WRITE, NvBufferMem_Write
/// Memory that the engines of a Jetson share, in the CPU's cache: NVBUF_MEM_DEFAULT, _SURFACE_ARRAY and _HANDLE. The
/// other kinds are CUDA's or the system's.
bool isCached(std::uint64_t kind)
{
    return kind == 0 || kind == 4 || kind == 5;
}

constexpr const char *kNvBufForCpu = "hazard-nvbuf-cpu";
constexpr const char *kNvBufForDevice = "hazard-nvbuf-device";
constexpr const char *kNvBufTooEarly = "hazard-nvbuf-wait";

/// Whether engines have read for most of the program's time what was synchronized once. A picture that is shown for
/// some frames, or is read by several engines, is read more often than it is written.
bool isMostOfTime(std::uint32_t syncFrame, std::uint32_t lastFrame)
{
    if (lastFrame == kNoFrame)
        return false;
    const std::uint32_t since = syncFrame == kNoFrame ? 0 : std::min(syncFrame, lastFrame);
    const std::uint64_t frames = lastFrame - since;
    return frames > kFramesOfSetUp && frames * 2 >= lastFrame;
}

} // namespace

void NvBufSync::KeptTally::add(Doubt &doubt, const AttachEvent &event, std::int32_t process, std::uint32_t frame,
                               std::vector<CallSite> &newSites)
{
    doubtful.add(event, process, frame, newSites);
    ++doubt.calls;
    if (frame != kNoFrame && frame != doubt.lastFrame) {
        ++doubt.frames;
        doubt.lastFrame = frame;
    }
}

void NvBufSync::KeptTally::confirm(const Doubt &doubt)
{
    calls += doubt.calls;
    frames += doubt.frames;
}

FindingTally NvBufSync::KeptTally::most(const FindingTally &certain) const
{
    const std::uint64_t confirmed = std::min(frames, doubtful.frames); // Several mappings have frames in common.
    if (confirmed <= certain.frames)
        return certain;
    FindingTally kept = doubtful;
    kept.calls = calls;
    kept.frames = confirmed;
    return kept;
}

void NvBufSync::take(const AttachEvent &event, std::int32_t pid, std::uint32_t frame)
{
    const auto &argument = event.argument;
    const jsa_work work = attachCall(event.call)->work;
    const Key key{pid, argument[0]};
    if (event.failed())
        return;
    switch (work) {
    case JSA_WORK_NVBUF:
        m_sawBuffers = true;
        m_buffers.erase(key); // Its end was lost if there was one of this handle.
        return;
    case JSA_WORK_NVBUFEND:
        if (const auto ended = m_buffers.find(key); ended != m_buffers.end())
            ended->second.mappings = std::min(ended->second.mappings, 1);
        unmap(key, frame);
        m_buffers.erase(key);
        return;
    case JSA_WORK_NVMAP:
        return map(key, argument[3] & UINT32_MAX, argument[3] >> 32);
    case JSA_WORK_NVUNMAP:
        return unmap(key, frame);
    case JSA_WORK_NVCOPY:
    case JSA_WORK_NVSUBMIT:
        m_sawBuffers = true;
        read(key, event, frame);
        write({pid, argument[1]}, event, frame);
        if (const auto to = m_buffers.find({pid, argument[1]}); to != m_buffers.end())
            to->second.isPending = work == JSA_WORK_NVSUBMIT;
        return;
    case JSA_WORK_NVSYNC:
        return sync(key, event, frame);
    case JSA_WORK_NVWAIT:
    case JSA_WORK_STREAMSYNC: // Where CUDA does the work of the engine, it may be waited for in its ways.
    case JSA_WORK_CONTEXTSYNC:
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_QUERY:
    case JSA_WORK_EVENTQUERY:
        return wait(pid);
    default:
        return;
    }
}

/// Which one of several it waits for is not told apart.
void NvBufSync::wait(std::int32_t pid)
{
    for (auto &[key, buffer] : m_buffers)
        buffer.isPending = buffer.isPending && key.first != pid;
}

void NvBufSync::sync(const Key &key, const AttachEvent &event, std::uint32_t frame)
{
    const auto known = m_buffers.find(key);
    if (known == m_buffers.end())
        return;
    Buffer &buffer = known->second;
    const bool isForCpu = event.call == JSA_CALL_NvBufSurfaceSyncForCpu || event.call == JSA_CALL_NvBufferMemSyncForCpu;
    if (isForCpu && buffer.isPending && buffer.mappings > 0)
        m_tooEarly.add(event, key.first, frame, m_newSites);
    bool &isUsed = isForCpu ? buffer.isWritten : buffer.isRead;
    Direction &direction = isForCpu ? buffer.forCpu : buffer.forDevice;
    direction.isSyncedAgain = direction.isSyncedAgain || (direction.isSynced && isUsed);
    direction.isSynced = true;
    direction.syncFrame = frame;
    if (direction.isSyncedAgain)
        direction.doubt = {};
    isUsed = false;
    buffer.isInCache = buffer.isInCache && isForCpu;
}

void NvBufSync::map(const Key &key, std::uint64_t mode, std::uint64_t kind)
{
    if (!isCached(kind))
        return;
    m_sawBuffers = true;
    if (m_buffers.size() >= kMaxNvBuffers && !m_buffers.contains(key)) {
        m_tooMany = true;
        return;
    }
    Buffer &buffer = m_buffers[key];
    if (buffer.mappings++ == 0) {
        buffer.forCpu = buffer.forDevice = {};
        buffer.cpuReads = buffer.cpuWrites = buffer.cpuWritesOnly = buffer.isRead = false;
    }
    buffer.cpuReads = buffer.cpuReads || mode != kWrites;
    buffer.cpuWrites = buffer.cpuWrites || mode != kReads;
    buffer.cpuWritesOnly = mode == kWrites && (buffer.mappings == 1 || buffer.cpuWritesOnly);
}

/// What was mapped to be read was read before that ended.
void NvBufSync::unmap(const Key &key, std::uint32_t frame)
{
    const auto known = m_buffers.find(key);
    if (known == m_buffers.end() || known->second.mappings == 0)
        return;
    Buffer &buffer = known->second;
    if (buffer.cpuReads && buffer.isWritten) {
        m_forCpu.add(buffer.writer, key.first, frame, m_newSites);
        m_keptForCpu.confirm(std::exchange(buffer.forCpu.doubt, {}));
    }
    if (--buffer.mappings > 0)
        return;
    if (buffer.isWrittenByCpu() && isMostOfTime(buffer.forDevice.syncFrame, buffer.forDevice.doubt.lastFrame))
        m_keptForDevice.confirm(buffer.forDevice.doubt);
    buffer.isWritten = buffer.isRead = false;
    buffer.isInCache = buffer.isWrittenByCpu() && !buffer.forDevice.isSynced;
}

void NvBufSync::write(const Key &key, const AttachEvent &event, std::uint32_t frame)
{
    if (m_buffers.size() >= kMaxNvBuffers && !m_buffers.contains(key)) {
        m_tooMany = true;
        return;
    }
    Buffer &buffer = m_buffers[key];
    if (buffer.mappings > 0 && buffer.cpuReads && buffer.isWritten) {
        if (!buffer.forCpu.isSynced)
            m_forCpu.add(buffer.writer, key.first, frame, m_newSites);
        else if (!buffer.forCpu.isSyncedAgain)
            m_keptForCpu.add(buffer.forCpu.doubt, buffer.writer, key.first, frame, m_newSites);
    }
    buffer.isWritten = true;
    buffer.writer = event;
}

void NvBufSync::read(const Key &key, const AttachEvent &event, std::uint32_t frame)
{
    const auto known = m_buffers.find(key);
    if (known == m_buffers.end())
        return;
    Buffer &from = known->second;
    if (from.mappings == 0 ? from.isInCache : from.isWrittenByCpu() && !from.forDevice.isSynced)
        m_forDevice.add(event, key.first, frame, m_newSites);
    else if (from.isRead && from.isWrittenByCpu() && !from.forDevice.isSyncedAgain)
        m_keptForDevice.add(from.forDevice.doubt, event, key.first, frame, m_newSites);
    from.isRead = from.mappings > 0;
}

std::vector<WasteFinding> NvBufSync::findings(std::uint32_t frames, const UnseenCalls &unseen) const
{
    std::vector<WasteFinding> found;
    if (const FindingTally forCpu = m_keptForCpu.most(m_forCpu); forCpu.isFrequent(frames))
        found.push_back(findingOf(
            forCpu, kNvBufForCpu, FindingGrade::Possible,
            "An NvBuf buffer is mapped for the CPU to read, an engine writes it, and behind that the mapping is not "
            "synchronized for the CPU: what the CPU reads may still be that of an earlier picture in its cache",
            "call NvBufSurfaceSyncForCpu (NvBufferMemSyncForCpu) behind the engine's work, before the CPU reads",
            frames, unseen));
    if (const FindingTally forDevice = m_keptForDevice.most(m_forDevice); forDevice.isFrequent(frames))
        found.push_back(findingOf(
            forDevice, kNvBufForDevice, FindingGrade::Possible,
            "An NvBuf buffer is mapped for the CPU to write, an engine reads it, and before that the mapping is not "
            "synchronized for the device: what the CPU wrote may still be in its cache alone",
            "call NvBufSurfaceSyncForDevice (NvBufferMemSyncForDevice) each time after the CPU has written, before the "
            "engine reads and before it is unmapped",
            frames, unseen));
    if (m_tooEarly.isFrequent(frames))
        found.push_back(findingOf(
            m_tooEarly, kNvBufTooEarly, FindingGrade::Possible,
            "An NvBuf buffer is synchronized for the CPU while an engine may still write it: nothing has waited for "
            "the engine since it was asked to",
            "call NvBufSurfTransformSyncObjWait before NvBufSurfaceSyncForCpu", frames, unseen));
    return found;
}

std::vector<WasteCheck> NvBufSync::checks(const UnseenCalls &unseen) const
{
    std::string reason;
    if (!m_sawBuffers)
        reason = "no call for an NvBuf buffer was seen";
    else if (m_tooMany)
        reason = "there were too many NvBuf buffers to follow";
    else if (unseen.any())
        reason = unseen.text() + ", so that it cannot be told";
    return {{kNvBufForCpu, reason},
            {kNvBufForDevice, reason},
            {kNvBufTooEarly, reason},
            {"hazard-nvbuf-access",
             m_sawBuffers ? "when the CPU itself reads or writes a mapping is not seen, nor what cameras, decoders and "
                            "CUDA read or write in NvBuf buffers: the order of mappings, synchronizations and copies "
                            "by engines is all that was judged"
                          : reason},
            {"hazard-dmabuf-sync",
             "DMA_BUF_IOCTL_SYNC is an ioctl, and what it is about is mapped by mmap: calls of drivers, which are not "
             "hooked"}};
}

} // namespace jetscope
