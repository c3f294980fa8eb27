// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/sourcestamp.h"
#include "core/result.h"
#include "gpu/sources/v4l2/cameradevice.h"

#include <cstddef>
#include <cstdint>
#include <linux/videodev2.h>
#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

/// A frame that the driver has filled.
struct FilledBuffer {
    std::uint32_t index = 0;
    std::byte *memory = nullptr;
    std::size_t bytes = 0; ///< How many of them are filled.
    std::uint32_t sequence = 0;
    std::int64_t stampNs = 0;
    bool monotonicClock = false;
    ToldClock clock = ToldClock::Nothing;
    ToldEdge edge = ToldEdge::Nothing;
    bool corrupted = false;
    std::uint32_t field = V4L2_FIELD_NONE;
};

/// The V4L2 buffers that are exchanged with the driver: the driver's own, mapped (`mapped`), or our memory that the
/// driver fills by its address (`user`) or as a DMA-BUF (`imported`). Streams from `start` on; the destructor stops and
/// frees everything. Capture thread; the device must outlive it.
class BufferQueue {
public:
    static Result<std::unique_ptr<BufferQueue>> mapped(const CameraDevice &device, std::uint32_t count);
    static Result<std::unique_ptr<BufferQueue>> user(const CameraDevice &device, std::uint32_t count,
                                                     std::size_t bytesEach);
    static Result<std::unique_ptr<BufferQueue>> imported(const CameraDevice &device, std::uint32_t count,
                                                         std::size_t bytesEach);
    ~BufferQueue();

    /// Queues the mapped buffers and starts the stream.
    Status start();
    /// The oldest filled buffer; none if there is none yet.
    Result<std::optional<FilledBuffer>> dequeue();
    /// Queues a buffer for the next frame.
    Status requeue(std::uint32_t index);

    /// Mapped memory only: a dma_buf file descriptor of a buffer's memory, which the caller must close; and the memory
    /// itself.
    Result<int> exportFile(std::uint32_t index) const;
    std::byte *memory(std::uint32_t index) const { return m_slots[index].memory; }
    std::size_t bytes(std::uint32_t index) const { return m_slots[index].bytes; }

    /// Our memory only: queues one more buffer to the driver; an error if all are in use. `file` is its DMA-BUF, if it
    /// is imported.
    Status queue(std::byte *memory, int file = -1);
    std::size_t size() const { return m_slots.size(); }
    /// Our memory only: the driver has returned the buffer with this index.
    void release(std::uint32_t index) { m_slots[index].memory = nullptr; }

private:
    struct Slot {
        std::byte *memory = nullptr;
        std::size_t bytes = 0;
        std::byte *last = nullptr; ///< Our memory that this slot held before.
        int file = -1;             ///< Its DMA-BUF.
    };

    BufferQueue(const CameraDevice &device, std::uint32_t memory) : m_device(device), m_memory(memory) {}
    static Result<std::unique_ptr<BufferQueue>> ours(const CameraDevice &device, std::uint32_t memory,
                                                     std::uint32_t count, std::size_t bytesEach);
    Status request(std::uint32_t count);
    Status map();
    v4l2_buffer describe(std::uint32_t index) const;

    const CameraDevice &m_device;
    const std::uint32_t m_memory;
    std::vector<Slot> m_slots;
};

} // namespace jetscope
