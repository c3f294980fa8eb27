// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"

#include <chrono>
#include <cstdint>

namespace jetscope::test {

/// Records the callbacks of opening a file, and can cancel.
class Watcher : public OpenProgress {
public:
    explicit Watcher(int cancelAt = -1) : m_cancelAt(cancelAt) {}
    bool advance(double fraction) override
    {
        rises = rises && fraction >= last && fraction <= 1;
        last = fraction;
        return m_cancelAt < 0 || calls++ < m_cancelAt;
    }
    void preview(Trace trace) override
    {
        previewed = trace.spanCount();
        previewedFrames = trace.frames().endIndex() - trace.frames().firstIndex();
        previewedSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    bool rises = true;
    double last = 0;
    int calls = 0;
    std::uint64_t previewed = 0;
    std::uint64_t previewedFrames = 0;
    double previewedSeconds = 0; ///< Since `begin`.
    const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

private:
    int m_cancelAt;
};

} // namespace jetscope::test
