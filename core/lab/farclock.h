// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/shownlog.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace jetscope {

/// What the clock on another machine's screen has shown, by the clock of this one. The offset between both clocks is
/// known within a bound, and changes a little. One thread; the log may be read by any.
class FarClock {
public:
    /// The screen shows `ms` since `shownNs`, which is right within `boundNs`. Returns until when all that was shown is
    /// known. None if that time is yet to come or before the one added last: one of the machines has slept, and the
    /// offset is that of before. What is told then is left out, and the log has a gap.
    std::optional<std::int64_t> add(int ms, std::int64_t shownNs, std::int64_t boundNs, std::int64_t nowNs);

    const std::shared_ptr<ShownLog> &log() const { return m_log; }
    bool isShown() const { return m_shownNs > 0; }
    /// The largest of what was added.
    std::int64_t boundNs() const { return m_boundNs; }

private:
    void cut();

    std::shared_ptr<ShownLog> m_log = std::make_shared<ShownLog>();
    std::int64_t m_shownNs = 0;
    bool m_isCut = false; ///< Nothing was added since a gap began.
    std::int64_t m_boundNs = 0;
};

} // namespace jetscope
