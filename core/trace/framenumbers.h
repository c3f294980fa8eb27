// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Offset between two counts: pipeline frame `frame` is source frame `number`, and so on for later frames.
struct FrameNumber {
    std::uint32_t frame = 0;  ///< The pipeline's frame count without gaps: the key of spans, figures and thumbnails.
    std::uint64_t number = 0; ///< The source's frame count, with a gap for each dropped frame; displayed to users.

    bool operator==(const FrameNumber &) const = default;
    /// The source's number of a frame; the frame must not be before this one.
    std::uint64_t of(std::uint32_t later) const { return number + (later - frame); }
};

/// The source's frame numbers of a run. Only changes of the offset are stored, because most numbers are consecutive.
class FrameNumbers {
public:
    /// Returns false and adds nothing if the number follows from earlier changes, or is not after the last change.
    bool add(const FrameNumber &change);
    /// The source's number, or `frame` itself if unknown, as in traces of other programs.
    std::uint64_t of(std::uint32_t frame) const;
    const std::vector<FrameNumber> &changes() const { return m_changes; }
    /// Drops the entries that only frames before `frame` use.
    void dropBefore(std::uint32_t frame);
    std::size_t memoryBytes() const { return m_changes.capacity() * sizeof(FrameNumber); }

private:
    std::vector<FrameNumber>::const_iterator changeFor(std::uint32_t frame) const;

    std::vector<FrameNumber> m_changes; ///< Sorted by frame.
};

} // namespace jetscope
