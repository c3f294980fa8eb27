// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// From `frame` on, the pipeline's frames are the source's frames from `number` on.
struct FrameNumber {
    std::uint32_t frame = 0;  ///< The pipeline's count, which has no gaps: the key of spans, figures and pictures.
    std::uint64_t number = 0; ///< The source's count, with a gap for each frame that was dropped; what users are shown.

    bool operator==(const FrameNumber &) const = default;
    /// The source's number of a frame that is not before this one.
    std::uint64_t of(std::uint32_t later) const { return number + (later - frame); }
};

/// The numbers that a run's source gave its frames. Kept as changes, because most frames follow the one before.
class FrameNumbers {
public:
    /// False when it adds nothing: it follows from what is known, or is not after the last change.
    bool add(const FrameNumber &change);
    /// `frame` itself where nothing is known of it, as in traces of other programs.
    std::uint64_t of(std::uint32_t frame) const;
    const std::vector<FrameNumber> &changes() const { return m_changes; }
    /// Forgets what only frames before `frame` need.
    void dropBefore(std::uint32_t frame);
    std::size_t memoryBytes() const { return m_changes.capacity() * sizeof(FrameNumber); }

private:
    std::vector<FrameNumber>::const_iterator changeFor(std::uint32_t frame) const;

    std::vector<FrameNumber> m_changes; ///< By frame.
};

} // namespace jetscope
