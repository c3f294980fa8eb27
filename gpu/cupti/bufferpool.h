// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace jetscope {

/// The buffers into which CUPTI writes records: allocated on demand, reused, at most 256 (4 MiB). Any thread.
class BufferPool {
public:
    static constexpr std::size_t kBufferBytes = 16 * 1024;
    static constexpr std::size_t kMostBuffers = 256;

    BufferPool();

    /// A buffer of kBufferBytes, aligned to 8 bytes; null if all are in use.
    std::uint8_t *acquire();
    /// False if the buffer is not from this pool or not in use.
    bool release(std::uint8_t *buffer);

private:
    std::mutex m_mutex;
    std::vector<std::unique_ptr<std::uint64_t[]>> m_buffers;
    std::vector<std::uint8_t *> m_free;
    std::vector<std::uint8_t *> m_acquired;
};

} // namespace jetscope
