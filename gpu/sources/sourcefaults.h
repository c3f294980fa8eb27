// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jetscope {

/// Faults of a source since it was opened; all counts are frames, except `gaps`.
struct SourceFaults {
    std::uint64_t missed = 0;    ///< Frames that the camera numbered but did not deliver.
    std::uint64_t damaged = 0;   ///< Empty or undecodable frames; none of them was delivered.
    std::uint64_t torn = 0;      ///< Frames that are a part of a picture, or parts of two; none of them was delivered.
    std::uint64_t repeated = 0;  ///< Delivered frames that the source marked or stamped as the one before.
    std::uint64_t oddStamps = 0; ///< Frames with an implausible time stamp, which was replaced by the arrival time.
    std::uint64_t gaps = 0;      ///< How often the source was disconnected and came back.

    friend bool operator==(const SourceFaults &, const SourceFaults &) = default;
};

/// The faults since an earlier count.
SourceFaults operator-(const SourceFaults &to, const SourceFaults &from);

/// "3 frames missed, 1 frame torn, away 2 times"; empty if there is none.
std::string sourceFaultsText(const SourceFaults &faults);

} // namespace jetscope
