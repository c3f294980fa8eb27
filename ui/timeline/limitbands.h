// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QString>

#include <vector>

namespace jetscope {

/// Columns of a view in which something limited the clocks.
struct LimitBand {
    int first = 0;
    int end = 0; ///< Exclusive.
    bool operator==(const LimitBand &) const = default;
};

/// The times in which a counter of the machine shows throttling, a rail at its limit or a power cap, in order and apart
/// from each other. A limit that is shorter than a column covers one.
/// Whether the values of a counter are limits of clocks.
bool showsLimits(const CounterTrack &counter);

std::vector<LimitBand> limitBands(const Trace &trace, const ColumnWindow &window);

/// The names of the counters that show a limit at a time, joined by commas; empty without a limit.
QString limitsAt(const Trace &trace, std::int64_t ns);

} // namespace jetscope
