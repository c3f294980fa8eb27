// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/exposurefit.h"
#include "core/lab/homography.h"
#include "core/lab/lumaview.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jetscope {

/// What a look at a picture came to.
enum class ClockSight : std::uint8_t {
    Read,
    NotFound,   ///< No clock is in view, or not all four marks.
    Several,    ///< More than one clock is in view.
    Faint,      ///< Too little difference between black and white.
    Changing,   ///< Cells are between black and white: the screen changed while they were exposed, or are covered.
    Contradicts ///< The bits do not fit their check bits.
};
/// "no clock in view"
std::string_view clockSightText(ClockSight sight);

struct ClockReading {
    ClockSight sight = ClockSight::NotFound;
    int ms = 0;         ///< From 0 to kClockMs - 1, if it was read.
    ClockCells cells{}; ///< If it was read, or its cells are between black and white.
};

/// Reads the clock where it is seen: only some pixels of a few dozen places are touched, so that every frame can be
/// read on the thread that captures it.
class ClockReader {
public:
    /// `corners`: where the centres of the marks are seen, in the order of kClockMarks. None if a part is outside of
    /// the picture.
    static std::optional<ClockReader> at(const std::array<ClockPoint, 4> &corners, const LumaView &like);

    /// A picture with the same layout as `like`.
    ClockReading read(const LumaView &picture) const;
    /// Whether marks and turn cells are where they should be.
    bool isInPlace(const LumaView &picture) const;

    const std::array<ClockPoint, 4> &corners() const { return m_corners; }
    /// Whether the picture is that of a mirror.
    bool isMirrored() const;
    /// How far the upper edge of the clock is turned, clockwise.
    double turnDegrees() const;
    /// Side of a module in pixels, on average.
    double modulePixels() const;

private:
    /// The pixels of a place, as offsets into the picture.
    struct Place {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    ClockReader() = default;
    bool add(Place &place, const Homography &seen, const ClockBox &box, const LumaView &like);
    bool addRing(Place &place, const Homography &seen, const ClockPoint &centre, double radius, const LumaView &like);
    double mean(const Place &place, const LumaView &picture) const;
    struct Levels {
        double black = 0;
        double white = 0;
        bool isInPlace = false;
    };
    Levels levels(const LumaView &picture) const;

    std::array<ClockPoint, 4> m_corners{};
    std::vector<std::uint32_t> m_offsets;
    struct Mark {
        Place centre;
        Place hole;
        Place ring;
        Place around;
    };
    std::array<Mark, 4> m_marks{};
    std::array<Place, 4> m_turnCells{};
    std::array<std::array<Place, kClockBits>, kClockRows> m_cells{};
};

} // namespace jetscope
