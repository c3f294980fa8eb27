// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/cameraskew.h"
#include "core/lab/stampdoctor.h"
#include "core/recording/lostframes.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace jetscope {

/// A frame as a source delivered it, without its picture.
struct LoggedFrame {
    std::uint64_t index = 0;  ///< The source's number.
    std::int64_t takenNs = 0; ///< When it was taken, as far as the source says, by nowNs().
    SourceStamp stamp;
};

/// What is known of the frames of a camera: when they were taken and came, and which are missing. Any thread.
class CameraLog {
public:
    /// A minute at 60 fps.
    static constexpr std::size_t kMostFrames = 3600;

    /// `address`: of the source. Of its frames the newest `most` are kept.
    explicit CameraLog(std::string address, std::size_t most = kMostFrames);

    const std::string &address() const { return m_address; }
    /// In the order of arrival. A stamp without an arrival came at this moment. `told`: what the source knows of
    /// numbers that are missing before this frame.
    void add(LoggedFrame frame, const std::vector<LostFrames> &told);

    struct Contents {
        std::vector<CameraFrame> frames;
        std::vector<StampedFrame> stamps; ///< Of the same frames.
        std::vector<LostFrames> lost;
        LossCounts counts;                      ///< All that are missing.
        std::vector<SystemClockReading> clocks; ///< At the first frame.
    };
    /// A copy, of the newest frames.
    Contents contents(std::size_t newest = kMostFrames) const;
    std::uint64_t count() const;

private:
    const std::string m_address;
    const std::size_t m_most;
    mutable std::mutex m_mutex;
    Contents m_contents;
    std::uint64_t m_count = 0;
};

} // namespace jetscope
