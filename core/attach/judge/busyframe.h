// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"
#include "core/hazards/hazardledger.h"

#include <optional>

namespace jetscope {

/// Whether kernels of an inspected process are in flight during a whole frame, so that the CPU may touch managed memory
/// at no time of it. Not thread-safe.
class BusyFrame {
public:
    explicit BusyFrame(const HazardLedger &ledger) : m_ledger(ledger) {}

    void launched(const AttachEvent &launch) { m_newest = launch; }
    /// The CPU has learned that work is complete.
    void completed()
    {
        if (!m_wasIdle)
            m_wasIdle = !m_ledger.hasKernelsInFlight();
    }
    /// Calls were left out.
    void interrupt() { m_newest.reset(); }

    /// The newest launch of the frame; null if there was none, or if the GPU was idle at some time.
    const AttachEvent *launchIfBusy() const { return m_newest && !m_wasIdle ? &*m_newest : nullptr; }
    /// The next frame.
    void begin()
    {
        m_newest.reset();
        m_wasIdle = !m_ledger.hasKernelsInFlight();
    }

private:
    const HazardLedger &m_ledger;
    std::optional<AttachEvent> m_newest;
    bool m_wasIdle = true;
};

} // namespace jetscope
