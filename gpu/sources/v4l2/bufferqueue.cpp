// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/bufferqueue.h"

#include "gpu/sources/sourceuri.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>

namespace jetscope {

namespace {

/// Negative for an impossible time.
std::int64_t nanoseconds(const timeval &time)
{
    constexpr std::int64_t kLongestUptime = 4'000'000'000;
    const bool sane =
        time.tv_sec >= 0 && time.tv_sec <= kLongestUptime && time.tv_usec >= 0 && time.tv_usec < 1'000'000;
    return sane ? std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1000 : -1;
}

ToldClock clockOf(std::uint32_t flags)
{
    switch (flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) {
    case V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC:
        return ToldClock::Monotonic;
    case V4L2_BUF_FLAG_TIMESTAMP_COPY:
        return ToldClock::Copied;
    default:
        return ToldClock::Nothing;
    }
}

} // namespace

Result<std::unique_ptr<BufferQueue>> BufferQueue::mapped(const CameraDevice &device, std::uint32_t count)
{
    std::unique_ptr<BufferQueue> queue(new BufferQueue(device, V4L2_MEMORY_MMAP));
    JETSCOPE_TRY(queue->request(count));
    JETSCOPE_TRY(queue->map());
    return queue;
}

Result<std::unique_ptr<BufferQueue>> BufferQueue::user(const CameraDevice &device, std::uint32_t count,
                                                       std::size_t bytesEach)
{
    return ours(device, V4L2_MEMORY_USERPTR, count, bytesEach);
}

Result<std::unique_ptr<BufferQueue>> BufferQueue::imported(const CameraDevice &device, std::uint32_t count,
                                                           std::size_t bytesEach)
{
    return ours(device, V4L2_MEMORY_DMABUF, count, bytesEach);
}

Result<std::unique_ptr<BufferQueue>> BufferQueue::ours(const CameraDevice &device, std::uint32_t memory,
                                                       std::uint32_t count, std::size_t bytesEach)
{
    std::unique_ptr<BufferQueue> queue(new BufferQueue(device, memory));
    JETSCOPE_TRY(queue->request(count));
    for (Slot &slot : queue->m_slots)
        slot.bytes = bytesEach;
    return queue;
}

Status BufferQueue::request(std::uint32_t count)
{
    v4l2_requestbuffers request{};
    request.count = count;
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    request.memory = m_memory;
    JETSCOPE_TRY(m_device.call("VIDIOC_REQBUFS", VIDIOC_REQBUFS, &request));
    // Drivers may return another count; with one buffer every other frame would be lost.
    if (request.count < 2 || request.count > 4 * count)
        return Error{"VIDIOC_REQBUFS", 0,
                     inQuotes(m_device.path()) + " gets no memory for its frames: choose a smaller size"};
    m_slots.resize(request.count);
    return {};
}

v4l2_buffer BufferQueue::describe(std::uint32_t index) const
{
    v4l2_buffer buffer{};
    buffer.index = index;
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    buffer.memory = m_memory;
    if (m_memory == V4L2_MEMORY_USERPTR && index < m_slots.size()) {
        buffer.m.userptr = reinterpret_cast<unsigned long>(m_slots[index].memory);
        buffer.length = static_cast<std::uint32_t>(m_slots[index].bytes);
    }
    if (m_memory == V4L2_MEMORY_DMABUF && index < m_slots.size()) {
        buffer.m.fd = m_slots[index].file;
        buffer.length = static_cast<std::uint32_t>(m_slots[index].bytes);
    }
    return buffer;
}

Status BufferQueue::map()
{
    for (std::uint32_t index = 0; index < m_slots.size(); ++index) {
        v4l2_buffer buffer = describe(index);
        JETSCOPE_TRY(m_device.call("VIDIOC_QUERYBUF", VIDIOC_QUERYBUF, &buffer));
        void *memory = m_device.kernel().map(m_device.fd(), buffer.length, buffer.m.offset);
        if (!memory)
            return cameraError(m_device.path(), "mmap", ENOMEM);
        m_slots[index] = {static_cast<std::byte *>(memory), buffer.length};
    }
    return {};
}

BufferQueue::~BufferQueue()
{
    // A disconnected camera refuses all of these calls; then only the mappings can be released.
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    m_device.tryIoctl(VIDIOC_STREAMOFF, &type);
    if (m_memory == V4L2_MEMORY_MMAP)
        for (const Slot &slot : m_slots)
            if (slot.memory)
                m_device.kernel().unmap(slot.memory, slot.bytes);
    v4l2_requestbuffers none{};
    none.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    none.memory = m_memory;
    m_device.tryIoctl(VIDIOC_REQBUFS, &none);
}

Status BufferQueue::start()
{
    if (m_memory == V4L2_MEMORY_MMAP)
        for (std::uint32_t index = 0; index < m_slots.size(); ++index)
            JETSCOPE_TRY(requeue(index));
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return m_device.call("VIDIOC_STREAMON", VIDIOC_STREAMON, &type);
}

Result<std::optional<FilledBuffer>> BufferQueue::dequeue()
{
    v4l2_buffer buffer = describe(0);
    const int done = m_device.kernel().control(m_device.fd(), VIDIOC_DQBUF, &buffer);
    if (done == -EAGAIN)
        return std::optional<FilledBuffer>();
    if (done < 0)
        return cameraError(m_device.path(), "VIDIOC_DQBUF", -done);
    if (buffer.index >= m_slots.size())
        return Error{"VIDIOC_DQBUF", 0,
                     inQuotes(m_device.path()) + " names a buffer that does not exist: its driver is broken"};
    const Slot &slot = m_slots[buffer.index];
    FilledBuffer filled;
    filled.index = buffer.index;
    filled.memory = slot.memory;
    filled.bytes = std::min<std::size_t>(buffer.bytesused, slot.bytes);
    filled.sequence = buffer.sequence;
    filled.stampNs = nanoseconds(buffer.timestamp);
    filled.clock = clockOf(buffer.flags);
    filled.monotonicClock = filled.clock == ToldClock::Monotonic;
    // A driver that says nothing of the moment says that it is the end: the flag of the end is 0.
    filled.edge = (buffer.flags & V4L2_BUF_FLAG_TSTAMP_SRC_MASK) == V4L2_BUF_FLAG_TSTAMP_SRC_SOE ? ToldEdge::Start
                                                                                                 : ToldEdge::End;
    filled.corrupted = buffer.flags & V4L2_BUF_FLAG_ERROR;
    filled.field = buffer.field;
    return std::optional(filled);
}

Status BufferQueue::requeue(std::uint32_t index)
{
    v4l2_buffer buffer = describe(index);
    return m_device.call("VIDIOC_QBUF", VIDIOC_QBUF, &buffer);
}

Result<int> BufferQueue::exportFile(std::uint32_t index) const
{
    v4l2_exportbuffer buffer{};
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    buffer.index = index;
    buffer.flags = O_RDWR | O_CLOEXEC; // Software GL drivers map it for writing too.
    JETSCOPE_TRY(m_device.call("VIDIOC_EXPBUF", VIDIOC_EXPBUF, &buffer));
    return buffer.fd;
}

Status BufferQueue::queue(std::byte *memory, int file)
{
    // Prefer the slot that last held this memory, because the driver may still have its pages pinned; another slot
    // would look them up again.
    const auto isFree = [](const Slot &slot) { return slot.memory == nullptr; };
    auto slot = std::find_if(m_slots.begin(), m_slots.end(),
                             [&](const Slot &each) { return isFree(each) && each.last == memory; });
    if (slot == m_slots.end())
        slot = std::find_if(m_slots.begin(), m_slots.end(),
                            [&](const Slot &each) { return isFree(each) && each.last == nullptr; });
    if (slot == m_slots.end())
        slot = std::find_if(m_slots.begin(), m_slots.end(), isFree);
    if (slot == m_slots.end())
        return Error{"VIDIOC_QBUF", 0, "all buffers of the camera are in use"};
    slot->memory = slot->last = memory;
    slot->file = file;
    const Status queued = requeue(static_cast<std::uint32_t>(slot - m_slots.begin()));
    if (!queued.ok())
        slot->memory = nullptr;
    return queued;
}

} // namespace jetscope
