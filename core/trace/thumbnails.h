// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace jetscope {

/// A small, encoded image of a frame's output (JPEG or PNG); core only stores it.
struct Thumbnail {
    std::uint32_t frame = 0;
    std::int64_t timeNs = 0; ///< Start of its frame.
    std::vector<std::byte> encoded;
};

/// The thumbnails of a trace in order of time, about ten per second; the oldest are dropped when the memory limit is
/// exceeded. Not thread-safe.
class ThumbnailList {
public:
    static constexpr std::size_t kMaxBytes = 64 << 20;

    void add(Thumbnail thumbnail);
    void dropBefore(std::int64_t ns);
    /// The thumbnail nearest in time; null if the list is empty.
    const Thumbnail *nearest(std::int64_t ns) const;
    const std::deque<Thumbnail> &all() const { return m_thumbnails; }
    std::size_t memoryBytes() const { return m_bytes; }
    std::uint64_t discarded() const { return m_discarded; }

private:
    void dropOldest();

    std::deque<Thumbnail> m_thumbnails;
    std::size_t m_bytes = 0;
    std::uint64_t m_discarded = 0;
};

} // namespace jetscope
