// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/clockpattern.h"

#include <array>
#include <optional>

namespace jetscope {

/// Maps a plane to a picture of it, as a camera without distortion does.
class Homography {
public:
    /// From four points and where they are seen; none if three of them are on a line.
    static std::optional<Homography> between(const std::array<ClockPoint, 4> &from,
                                             const std::array<ClockPoint, 4> &to);

    ClockPoint map(const ClockPoint &point) const
    {
        const double w = m_h[6] * point.x + m_h[7] * point.y + 1;
        return {(m_h[0] * point.x + m_h[1] * point.y + m_h[2]) / w, (m_h[3] * point.x + m_h[4] * point.y + m_h[5]) / w};
    }

private:
    std::array<double, 8> m_h{};
};

} // namespace jetscope
