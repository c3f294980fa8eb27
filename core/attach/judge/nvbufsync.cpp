// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/nvbufsync.h"

#include "core/attach/format/calltable.h"

namespace jetscope {

namespace {

constexpr std::size_t kMaxNvBuffers = 4096;
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

} // namespace

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
    if (event.call != JSA_CALL_NvBufSurfaceSyncForCpu && event.call != JSA_CALL_NvBufferMemSyncForCpu) {
        buffer.syncedForDevice = true;
        buffer.isInCache = false;
        return;
    }
    if (buffer.isPending && buffer.mappings > 0)
        m_tooEarly.add(event, key.first, frame, m_newSites);
    buffer.syncedForCpu = true;
    buffer.isWritten = false;
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
    if (buffer.mappings++ == 0)
        buffer.syncedForCpu = buffer.syncedForDevice = buffer.cpuReads = buffer.cpuWritesOnly = false;
    buffer.cpuReads = buffer.cpuReads || mode != kWrites;
    buffer.cpuWritesOnly = mode == kWrites && (buffer.mappings == 1 || buffer.cpuWritesOnly);
}

/// What was mapped to be read and never synchronized was read without that.
void NvBufSync::unmap(const Key &key, std::uint32_t frame)
{
    const auto known = m_buffers.find(key);
    if (known == m_buffers.end() || known->second.mappings == 0)
        return;
    Buffer &buffer = known->second;
    if (buffer.cpuReads && !buffer.syncedForCpu && buffer.isWritten)
        m_forCpu.add(buffer.writer, key.first, frame, m_newSites);
    if (--buffer.mappings > 0)
        return;
    buffer.isWritten = false;
    buffer.isInCache = buffer.cpuWritesOnly && !buffer.syncedForDevice;
}

void NvBufSync::write(const Key &key, const AttachEvent &event, std::uint32_t frame)
{
    if (m_buffers.size() >= kMaxNvBuffers && !m_buffers.contains(key)) {
        m_tooMany = true;
        return;
    }
    Buffer &buffer = m_buffers[key];
    if (buffer.mappings > 0 && buffer.cpuReads && !buffer.syncedForCpu && buffer.isWritten)
        m_forCpu.add(buffer.writer, key.first, frame, m_newSites);
    buffer.isWritten = true;
    buffer.writer = event;
}

void NvBufSync::read(const Key &key, const AttachEvent &event, std::uint32_t frame)
{
    const auto buffer = m_buffers.find(key);
    if (buffer == m_buffers.end())
        return;
    const Buffer &from = buffer->second;
    if (from.mappings > 0 ? from.cpuWritesOnly && !from.syncedForDevice : from.isInCache)
        m_forDevice.add(event, key.first, frame, m_newSites);
}

std::vector<WasteFinding> NvBufSync::findings(std::uint32_t frames, const UnseenCalls &unseen) const
{
    std::vector<WasteFinding> found;
    if (m_forCpu.isFrequent(frames))
        found.push_back(findingOf(
            m_forCpu, kNvBufForCpu, FindingGrade::Possible,
            "An NvBuf buffer is mapped for the CPU to read, an engine writes it, and the mapping was never "
            "synchronized for the CPU: what the CPU reads may still be that of an earlier picture in its cache",
            "call NvBufSurfaceSyncForCpu (NvBufferMemSyncForCpu) before the CPU reads", frames, unseen));
    if (m_forDevice.isFrequent(frames))
        found.push_back(
            findingOf(m_forDevice, kNvBufForDevice, FindingGrade::Possible,
                      "An NvBuf buffer is mapped for the CPU to write, an engine reads it, and the mapping was never "
                      "synchronized for the device: what the CPU wrote may still be in its cache alone",
                      "call NvBufSurfaceSyncForDevice (NvBufferMemSyncForDevice) after the CPU has written, before it "
                      "is unmapped",
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
            {"hazard-dmabuf-sync",
             "DMA_BUF_IOCTL_SYNC is an ioctl, and what it is about is mapped by mmap: calls of drivers, which are not "
             "hooked"}};
}

} // namespace jetscope
