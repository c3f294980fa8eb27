// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetmethod.h"

#include <string>

namespace jetscope {

// Pictures of a page of a fleet, as SVG. The old build is grey, the new one coloured, red where it is worse.

/// From the least to the greatest of values, without the outermost ones.
struct ValueAxis {
    double low = 0;
    double high = 1;

    static ValueAxis of(const std::vector<double> &values);
    /// 0 at the low end, 1 at the high one.
    double share(double value) const;
};

/// The change with its interval, between -limit and +limit; what is too small to count is shaded.
std::string intervalSvg(const FleetResult &result, double limit);

/// The runs of a board, old ones on the left; all boards of a stratum have one axis. `change` is said below.
std::string boardSvg(const std::string &board, const BuildValues &runs, const ValueAxis &axis,
                     const std::string &change, bool isOut);

/// The medians of each day.
std::string trendSvg(const StratumMetric &metric, const std::string &title, bool isWorse);

} // namespace jetscope
