// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/v4l2/camerasession.h"

#include "gpu/sources/sourceuri.h"
#include "gpu/sources/v4l2/camerafacts.h"

#include <cerrno>
#include <chrono>
#include <cstring>

namespace jetscope {

namespace {

/// The driver fills one while others wait to be read, and a late reader gets the newest.
constexpr std::uint32_t kMappedBuffers = 4;
constexpr std::uint32_t kUserBuffers = 8;
/// Buffers in flight on the GPU, buffers queued for it, and those that the driver needs to continue.
constexpr std::uint32_t kExternalBuffers = 10;
constexpr std::chrono::seconds kFirstPicture{5};

/// Whether both layouts place the same bytes at the same offsets.
bool sameBytes(const ImageLayout &a, const ImageLayout &b)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.planeCount); ++i)
        if (a.planes[i].offset != b.planes[i].offset || a.planes[i].pitch != b.planes[i].pitch)
            return false;
    return true;
}

} // namespace

CameraSession::CameraSession(CameraDevice device, CameraInfo camera, CameraMode mode)
    : m_device(std::move(device)),
      m_camera(std::move(camera)),
      m_mode(mode),
      m_layout(makeImageLayout(mode.format->pixels, static_cast<int>(mode.picture.width),
                               static_cast<int>(frameHeight(mode.picture)), colourOf(mode.picture))),
      m_driverLayout(driverLayout(makeImageLayout(mode.format->pixels, static_cast<int>(mode.picture.width),
                                                  static_cast<int>(mode.picture.height), colourOf(mode.picture)),
                                  mode.picture))
{
}

Result<std::unique_ptr<CameraSession>> CameraSession::open(CameraDevice device, const CameraOptions &options,
                                                           const WakeSignal &wake)
{
    std::optional<CameraInfo> camera = examineCamera(device);
    if (!camera)
        return cameraError(device.path(), "VIDIOC_QUERYCAP", ENOTTY);
    if (!camera->usable.available)
        return Error{"VIDIOC_QUERYCAP", 0, inQuotes(device.path()) + " cannot be used: " + camera->usable.reason};
    JETSCOPE_TRY_ASSIGN(const CameraMode mode, setCameraMode(device, options));
    std::unique_ptr<CameraSession> session(new CameraSession(std::move(device), std::move(*camera), mode));
    session->watchSource();
    if (mode.format->compressed)
        JETSCOPE_TRY(session->learnLayout(wake));
    return session;
}

Status CameraSession::learnLayout(const WakeSignal &wake)
{
    JETSCOPE_TRY_ASSIGN(m_decoder, JpegDecoder::create());
    JETSCOPE_TRY(startMapped());
    const auto deadline = std::chrono::steady_clock::now() + kFirstPicture;
    Status learnt = cameraError(m_device.path(), "VIDIOC_DQBUF", ETIMEDOUT);
    while (std::chrono::steady_clock::now() < deadline && !wake.raised()) {
        if (wait(wake, 100) == V4l2Syscalls::Wait::Event)
            takeEvents(); // Nothing depends on its size yet.
        JETSCOPE_TRY_ASSIGN(const std::optional<FilledBuffer> filled, m_queue->dequeue());
        if (!filled)
            continue;
        learnt = learnFrom(*filled);
        JETSCOPE_TRY(m_queue->requeue(filled->index));
        if (learnt.ok())
            break;
    }
    return learnt;
}

Status CameraSession::learnFrom(const FilledBuffer &filled)
{
    JETSCOPE_TRY_ASSIGN(const ImageLayout layout, m_decoder->layoutOf(filled.memory, filled.bytes));
    m_layout = layout;
    return {};
}

std::string CameraSession::reasonAgainstUser() const
{
    return reasonAgainstOurs(V4L2_MEMORY_USERPTR);
}

std::string CameraSession::reasonAgainstImport() const
{
    return reasonAgainstOurs(V4L2_MEMORY_DMABUF);
}

std::string CameraSession::reasonAgainstOurs(std::uint32_t memory) const
{
    if (m_decoder)
        return "its frames are compressed";
    if (m_mode.fields != FieldLayout::Frame)
        return "its frames are half pictures, which are woven";
    if (!sameBytes(m_layout, m_driverLayout) || m_mode.picture.sizeimage > m_layout.bytes)
        return "its driver pads rows in another way than the GPU needs";
    v4l2_requestbuffers none{};
    none.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    none.memory = memory;
    if (!m_device.tryIoctl(VIDIOC_REQBUFS, &none))
        return memory == V4L2_MEMORY_DMABUF ? "its driver imports no DMA-BUFs"
                                            : "its driver fills no memory but its own";
    return {};
}

std::string CameraSession::reasonAgainstExternal()
{
    if (m_decoder)
        return "its frames are compressed";
    if (m_mode.fields != FieldLayout::Frame)
        return "its frames are half pictures, which are woven";
    if (!sameBytes(m_layout, m_driverLayout) || m_layout.bytes % m_layout.planes[0].pitch != 0)
        return "its driver pads rows in another way than the GPU needs";
    const Status mapped = mapOnly();
    const Result<int> file = mapped.ok() ? m_queue->exportFile(0) : Result<int>(mapped.error());
    const bool large = mapped.ok() && m_queue->bytes(0) >= m_layout.bytes;
    if (file.ok())
        closeExported(file.value());
    stop();
    if (!file.ok())
        return "its driver does not let go of them (" + file.error().text + ")";
    return large ? "" : "they are smaller than a frame";
}

Status CameraSession::mapOnly()
{
    JETSCOPE_TRY_ASSIGN(m_queue, BufferQueue::mapped(m_device, 2));
    return {};
}

Status CameraSession::startExternalBuffers()
{
    return m_queue ? Status() : start(BufferQueue::mapped(m_device, kExternalBuffers));
}

Status CameraSession::startMapped()
{
    return m_queue ? Status() : start(BufferQueue::mapped(m_device, kMappedBuffers));
}

Status CameraSession::startUser()
{
    return m_queue ? Status() : start(BufferQueue::user(m_device, kUserBuffers, m_layout.bytes));
}

Status CameraSession::startImported()
{
    return m_queue ? Status() : start(BufferQueue::imported(m_device, kUserBuffers, m_layout.bytes));
}

Status CameraSession::start(Result<std::unique_ptr<BufferQueue>> queue)
{
    if (!queue.ok())
        return queue.error();
    m_queue = std::move(queue).value();
    const Status started = m_queue->start();
    if (!started.ok())
        m_queue.reset();
    return started;
}

V4l2Syscalls::Wait CameraSession::wait(const WakeSignal &wake, int milliseconds) const
{
    return m_device.kernel().wait(m_device.fd(), wake.fd(), milliseconds);
}

CameraSession::Condition CameraSession::conditionOf(const FilledBuffer &filled) const
{
    if (filled.corrupted || filled.memory == nullptr || filled.bytes == 0)
        return Condition::Damaged;
    return m_decoder || filled.bytes >= m_driverLayout.bytes ? Condition::Whole : Condition::Torn;
}

std::string CameraSession::otherSizeOf(const FilledBuffer &filled)
{
    if (!m_decoder)
        return {};
    const Result<ImageLayout> found = m_decoder->layoutOf(filled.memory, filled.bytes);
    if (!found.ok() || (found.value().width == m_layout.width && found.value().height == m_layout.height))
        return {};
    return std::to_string(found.value().width) + "×" + std::to_string(found.value().height);
}

Status CameraSession::store(const FilledBuffer &filled, std::byte *into)
{
    if (m_decoder)
        return m_decoder->decode(filled.memory, filled.bytes, m_layout, into);
    switch (m_mode.fields) {
    case FieldLayout::Frame:
        copyPicture(m_driverLayout, filled.memory, m_layout, into);
        break;
    case FieldLayout::TopAbove:
    case FieldLayout::BottomAbove:
        weaveFields(m_driverLayout, filled.memory, m_mode.fields == FieldLayout::TopAbove, m_layout, into);
        break;
    case FieldLayout::Alternate:
        writeField(m_driverLayout, filled.memory, filled.field != V4L2_FIELD_BOTTOM, m_layout, into);
        break;
    }
    return {};
}

void CameraSession::watchSource() const
{
    v4l2_event_subscription wanted{};
    wanted.type = V4L2_EVENT_SOURCE_CHANGE;
    m_device.tryIoctl(VIDIOC_SUBSCRIBE_EVENT, &wanted); // Most cameras have no such event.
}

CameraSession::Events CameraSession::takeEvents() const
{
    constexpr int kMaxEvents = 64;
    Events taken = Events::None;
    v4l2_event event{};
    for (int i = 0; i < kMaxEvents && m_device.tryIoctl(VIDIOC_DQEVENT, &event); ++i)
        if (event.type == V4L2_EVENT_SOURCE_CHANGE && (event.u.src_change.changes & V4L2_EVENT_SRC_CH_RESOLUTION))
            taken = Events::OtherSize;
        else if (taken == Events::None)
            taken = Events::Others;
    return taken;
}

void copyPicture(const ImageLayout &fromLayout, const std::byte *from, const ImageLayout &toLayout, std::byte *to)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(fromLayout.planeCount); ++i) {
        const PlaneLayout &source = fromLayout.planes[i];
        const PlaneLayout &target = toLayout.planes[i];
        const auto rows = static_cast<std::size_t>(source.rows);
        if (source.pitch == target.pitch) {
            std::memcpy(to + target.offset, from + source.offset, source.pitch * rows);
            continue;
        }
        for (std::size_t y = 0; y < rows; ++y)
            std::memcpy(to + target.offset + y * target.pitch, from + source.offset + y * source.pitch,
                        source.rowBytes);
    }
}

} // namespace jetscope
