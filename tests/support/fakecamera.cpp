// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakecamera.h"

#include "core/time/clock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace jetscope::testing {

namespace {

constexpr int kFile = 1000;

template <class Text>
void writeText(Text &out, const char *text)
{
    std::memcpy(out, text, std::min(sizeof out - 1, std::strlen(text)));
}

template <class T>
T &as(void *argument)
{
    return *static_cast<T *>(argument);
}

} // namespace

FakeCamera::FakeCamera()
{
    fill = [](std::byte *into, std::size_t size) {
        std::memset(into, 0x55, size);
        return size;
    };
}

std::vector<std::string> FakeCamera::devices()
{
    return present ? std::vector<std::string>{"/dev/video0"} : std::vector<std::string>{};
}

int FakeCamera::open(const char *)
{
    const std::lock_guard lock(m_mutex);
    if (!present)
        return -ENOENT;
    ++openFiles;
    return kFile;
}

void FakeCamera::close(int fd)
{
    const std::lock_guard lock(m_mutex);
    if (exported.erase(fd) == 1)
        return;
    if (fd != kFile || openFiles == 0)
        mistake("closes what is not open");
    if (std::any_of(m_slots.begin(), m_slots.end(), [](const Slot &slot) { return slot.mapped; }))
        mistake("closes while buffers are mapped");
    if (--openFiles > 0)
        return;
    freeBuffers();
    m_queued.clear();
    m_streaming = false;
}

void FakeCamera::freeBuffers()
{
    if (!m_slots.empty() && freeing)
        freeing();
    for (Slot &slot : m_slots)
        dropImport(slot);
    m_slots.clear();
}

int FakeCamera::control(int fd, unsigned long request, void *argument)
{
    const std::lock_guard lock(m_mutex);
    if (fd != kFile || openFiles == 0)
        mistake("calls on a closed file");
    if (!present)
        return -ENODEV;
    if (const int number = refuse ? refuse(request) : 0)
        return -number;
    return answer(request, argument);
}

int FakeCamera::answer(unsigned long request, void *argument)
{
    switch (request) {
    case VIDIOC_QUERYCAP:
        return capability(as<v4l2_capability>(argument));
    case VIDIOC_ENUM_FMT:
        return describeFormat(as<v4l2_fmtdesc>(argument));
    case VIDIOC_G_FMT:
        as<v4l2_format>(argument).fmt.pix.pixelformat = fourccs.front();
        return tryFormat(as<v4l2_format>(argument));
    case VIDIOC_TRY_FMT:
        return tryFormat(as<v4l2_format>(argument));
    case VIDIOC_S_FMT:
        if (!m_slots.empty())
            return -EBUSY;
        return tryFormat(as<v4l2_format>(argument));
    case VIDIOC_REQBUFS:
        return requestBuffers(as<v4l2_requestbuffers>(argument));
    case VIDIOC_QUERYBUF: {
        auto &buffer = as<v4l2_buffer>(argument);
        buffer.length = static_cast<std::uint32_t>(bytes());
        buffer.m.offset = buffer.index;
        return buffer.index < m_slots.size() ? 0 : -EINVAL;
    }
    case VIDIOC_QBUF:
        return queue(as<v4l2_buffer>(argument));
    case VIDIOC_DQBUF:
        return dequeue(as<v4l2_buffer>(argument));
    case VIDIOC_SUBSCRIBE_EVENT:
        watchesSource = as<v4l2_event_subscription>(argument).type == V4L2_EVENT_SOURCE_CHANGE;
        return 0;
    case VIDIOC_DQEVENT:
        if (sourceChanges == 0)
            return -ENOENT;
        --sourceChanges;
        as<v4l2_event>(argument).type = V4L2_EVENT_SOURCE_CHANGE;
        as<v4l2_event>(argument).u.src_change.changes = V4L2_EVENT_SRC_CH_RESOLUTION;
        return 0;
    case VIDIOC_EXPBUF:
        return exportBuffer(as<v4l2_exportbuffer>(argument));
    case VIDIOC_STREAMON:
        if (m_slots.empty())
            mistake("starts without buffers");
        m_streaming = true;
        return 0;
    case VIDIOC_STREAMOFF:
        m_streaming = false;
        m_queued.clear();
        for (Slot &slot : m_slots)
            slot.queued = false;
        return 0;
    default:
        return -ENOTTY;
    }
}

int FakeCamera::capability(v4l2_capability &out) const
{
    writeText(out.card, "Fake camera");
    writeText(out.driver, "fake");
    writeText(out.bus_info, "test:1");
    out.capabilities = V4L2_CAP_DEVICE_CAPS;
    out.device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    return 0;
}

int FakeCamera::describeFormat(v4l2_fmtdesc &out) const
{
    if (out.index >= fourccs.size())
        return -EINVAL;
    out.pixelformat = fourccs[out.index];
    return 0;
}

int FakeCamera::tryFormat(v4l2_format &format) const
{
    format.fmt.pix.width = static_cast<std::uint32_t>(width);
    const bool woven = weaves && format.fmt.pix.field == V4L2_FIELD_INTERLACED;
    format.fmt.pix.height = static_cast<std::uint32_t>(woven ? 2 * height : height);
    format.fmt.pix.bytesperline = pitch;
    format.fmt.pix.sizeimage = static_cast<std::uint32_t>(bytes());
    format.fmt.pix.colorspace = colourspace;
    format.fmt.pix.ycbcr_enc = encoding;
    format.fmt.pix.quantization = quantization;
    format.fmt.pix.field = woven ? std::uint32_t{V4L2_FIELD_INTERLACED} : field;
    return 0;
}

int FakeCamera::requestBuffers(v4l2_requestbuffers &request)
{
    if (request.memory == V4L2_MEMORY_USERPTR && !takesUserMemory)
        return -EINVAL;
    if (request.memory == V4L2_MEMORY_DMABUF && !importsBuffers)
        return -EINVAL;
    if (m_streaming)
        return -EBUSY;
    if (std::any_of(m_slots.begin(), m_slots.end(), [](const Slot &slot) { return slot.mapped; }))
        mistake("frees buffers that are mapped");
    freeBuffers();
    m_slots.assign(request.count, Slot());
    m_memory = request.memory;
    for (Slot &slot : m_slots)
        if (m_memory == V4L2_MEMORY_MMAP)
            slot.memory.resize(bytes());
    return 0;
}

int FakeCamera::exportBuffer(v4l2_exportbuffer &buffer)
{
    if (!exportsBuffers || m_memory != V4L2_MEMORY_MMAP)
        return -ENOTTY;
    if (buffer.index >= m_slots.size())
        return -EINVAL;
    if (std::exchange(m_slots[buffer.index].exported, true))
        mistake("exports a buffer twice");
    buffer.fd = m_nextFile++;
    exported[buffer.fd] = buffer.index;
    return 0;
}

int FakeCamera::queue(const v4l2_buffer &buffer)
{
    if (buffer.index >= m_slots.size() || buffer.memory != m_memory)
        return -EINVAL;
    Slot &slot = m_slots[buffer.index];
    if (slot.queued)
        mistake("queues a buffer twice");
    if (m_memory == V4L2_MEMORY_USERPTR) {
        slot.user = reinterpret_cast<std::byte *>(buffer.m.userptr);
        if (!slot.user || buffer.length < bytes())
            return -EINVAL;
        if (buffer.m.userptr % 4096 != 0)
            mistake("queues memory that is not aligned to pages");
    }
    if (m_memory == V4L2_MEMORY_DMABUF) {
        if (const int code = import(slot, buffer); code != 0)
            return code;
    }
    if (queueing)
        queueing(buffer.index);
    slot.queued = true;
    m_queued.push_back(buffer.index);
    return 0;
}

/// Maps the memory of a DMA-BUF, as a driver does once for each file that it does not know.
int FakeCamera::import(Slot &slot, const v4l2_buffer &buffer)
{
    struct stat file {};
    if (refusesImports || buffer.length < bytes() || fstat(buffer.m.fd, &file) != 0)
        return -EINVAL;
    if (slot.import && slot.importedFile == file.st_ino)
        return 0;
    dropImport(slot);
    void *memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, buffer.m.fd, 0);
    if (memory == MAP_FAILED)
        return -EINVAL;
    slot.import = slot.user = static_cast<std::byte *>(memory);
    slot.importedFile = file.st_ino;
    ++imports;
    return 0;
}

void FakeCamera::dropImport(Slot &slot) const
{
    if (slot.import)
        munmap(slot.import, bytes());
    slot.import = slot.user = nullptr;
}

int FakeCamera::dequeue(v4l2_buffer &buffer)
{
    if (!m_streaming)
        return -EINVAL;
    if (m_queued.empty() || (m_ready == 0 && backlog == 0))
        return -EAGAIN;
    if (backlog > 0)
        --backlog;
    else
        --m_ready;
    buffer.index = m_queued.front();
    m_queued.pop_front();
    Slot &slot = m_slots[buffer.index];
    slot.queued = false;
    buffer.bytesused =
        static_cast<std::uint32_t>(fill(m_memory == V4L2_MEMORY_MMAP ? slot.memory.data() : slot.user, bytes()));
    buffer.sequence = sequence;
    sequence += sequenceStep;
    const std::int64_t now = nowNs();
    buffer.timestamp.tv_sec = now / 1'000'000'000;
    buffer.timestamp.tv_usec = now / 1000 % 1'000'000;
    buffer.flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    buffer.field = field;
    ++delivered;
    if (tamper)
        tamper(buffer);
    return 0;
}

void *FakeCamera::map(int, std::size_t size, std::size_t offset)
{
    const std::lock_guard lock(m_mutex);
    if (offset >= m_slots.size() || size != m_slots[offset].memory.size())
        return nullptr;
    m_slots[offset].mapped = true;
    ++mappings;
    return m_slots[offset].memory.data();
}

void FakeCamera::unmap(void *memory, std::size_t)
{
    const std::lock_guard lock(m_mutex);
    for (Slot &slot : m_slots) {
        if (slot.memory.data() != memory)
            continue;
        if (!slot.mapped)
            mistake("unmaps twice");
        if (m_streaming && present)
            mistake("unmaps while it streams");
        slot.mapped = false;
        --mappings;
        return;
    }
    mistake("unmaps what is not mapped");
}

V4l2Syscalls::Wait FakeCamera::wait(int fd, int wakeFd, int milliseconds)
{
    pollfd file{wakeFd, POLLIN, 0};
    if (wakeFd >= 0 && ::poll(&file, 1, 0) > 0)
        return Wait::Woken;
    if (fd >= 0 && fd != kFile) { // A file descriptor that the caller opened itself.
        pollfd files[] = {{fd, POLLIN, 0}, file};
        ::poll(files, 2, milliseconds);
        return files[1].revents != 0 ? Wait::Woken : files[0].revents != 0 ? Wait::Ready : Wait::TimedOut;
    }
    if (period > 0 && fd >= 0 && present && ::poll(&file, 1, period) > 0)
        return Wait::Woken;
    const std::lock_guard lock(m_mutex);
    if (fd >= 0 && present && m_streaming && sourceChanges > 0)
        return Wait::Event;
    if (fd < 0) {
        if (paused)
            paused();
        return Wait::TimedOut;
    }
    if (!present)
        return Wait::Event; // The kernel's poll() of a device that is gone reports events, although it has none.
    if (!m_streaming)
        return Wait::Failed;
    if (m_queued.empty())
        return Wait::TimedOut;
    m_ready = 1;
    return Wait::Ready;
}

} // namespace jetscope::testing
