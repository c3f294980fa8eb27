// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/spanlinks.h"

#include <QElapsedTimer>

#include <cstdint>

namespace jetscope {

/// The links to long spans in the shown time. Computed for more than is shown, so that panning computes nothing. UI
/// thread.
class AllLinks {
public:
    static constexpr std::size_t kMost = 200; ///< More would cover the lanes.

    /// Valid until the next call.
    const TimeLinks &of(const Trace &trace, Interval window, std::int64_t atLeastNs);
    /// The trace was replaced.
    void clear() { m_isKnown = false; }
    std::uint64_t computations() const { return m_computations; }

private:
    bool isKnown(const Trace &trace, Interval window, std::int64_t atLeastNs) const;

    TimeLinks m_found;
    Interval m_time; ///< That `m_found` is of.
    std::int64_t m_atLeastNs = 0;
    std::uint64_t m_shape = 0;
    std::uint64_t m_version = 0;
    QElapsedTimer m_age;
    std::uint64_t m_computations = 0;
    bool m_isKnown = false;
};

} // namespace jetscope
