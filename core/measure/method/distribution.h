// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Counts for drawing. Bins of equal width between the 0.5th and the 99.5th percentile, widened a little; values beyond
/// are counted at the ends and not dropped.
struct FrameHistogram {
    double from = 0;  ///< Lower end of the first bin, in the unit of the values.
    double width = 0; ///< Of one bin; 0 if all values are equal, which then are in one bin.
    std::vector<std::uint32_t> counts;
    std::size_t below = 0;
    std::size_t above = 0;
};

/// One mode of a distribution.
struct FrameMode {
    double at = 0;    ///< Median of the values of the mode.
    double share = 0; ///< Of all values, 0..1.
};

/// One or two modes. Two modes are reported only if
/// - Hartigan's dip test (core/measure/method/dip.h) rejects one mode at 1 %, and
/// - each mode has at least 5 % of the values, so that single delayed frames are no mode, and
/// - the modes are at least 2 % apart, and the density between them falls below 0.9 of the lower mode.
/// The modes are separated at the minimum of a kernel density estimate whose bandwidth is the largest one that shows
/// such a minimum (Silverman 1981). Equal values are spread over the resolution of the clock first, because the test
/// would take steps of the clock for modes. The test assumes independent values; of correlated frames it reports more.
struct Modality {
    std::vector<FrameMode> modes; ///< One or two, in rising order; none without values.
    double probability = 1;       ///< That a single mode shows such a dip by chance; not below 0.0005.
    double boundary = 0;          ///< Between the two modes.
    /// How often the next value was of the other mode. Many changes are two kinds of frames, one change is a switch of
    /// the machine's state in the middle of the measurement.
    std::size_t changes = 0;

    bool bimodal() const { return modes.size() == 2; }
};

/// Description of one value per frame, such as frame times. Nothing is trimmed; values that are not finite, or beyond
/// 1e150, are ignored.
struct FrameDistribution {
    std::size_t count = 0;
    double least = 0;
    double most = 0;
    Percentiles percentiles;
    FrameHistogram histogram;
    Modality modality;
};

/// `values` are in the order of the frames.
FrameDistribution distributionOf(std::span<const double> values, std::size_t mostBins = 60);

Modality modalityOf(std::span<const double> values);

/// "two modes: 70 % of the frames at 5.02 ms and 30 % at 6.31 ms"; empty if there is one mode. `unit` is appended to
/// the values.
std::string modalityWords(const Modality &modality, std::string_view unit = "ms");

} // namespace jetscope
