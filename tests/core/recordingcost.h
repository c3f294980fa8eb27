// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/tracer.h"

#include <algorithm>
#include <array>
#include <vector>

namespace jetscope::test {

struct RecordingCost {
    double stampsNs = 0; ///< Two plain clock readings.
    double spanNs = 0;   ///< A SpanScope from construction to destruction.

    double ratio() const { return spanNs / stampsNs; }
};

/// Medians over short alternating rounds, so that both are measured under the same conditions.
inline RecordingCost measureRecordingCost()
{
    constexpr std::size_t kRounds = 401;
    constexpr int kPerRound = 2000;
    static_assert(kPerRound < SpanRing::kCapacity);
    Tracer tracer;
    const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline");
    const NameId name = internName("span", Category::Submit);
    std::vector<Span> drained;
    std::array<double, kRounds> stamps{};
    std::array<double, kRounds> spans{};
    for (std::size_t round = 0; round < kRounds; ++round) {
        const std::int64_t begin = nowNs();
        for (int i = 0; i < kPerRound; ++i) {
            nowNs();
            nowNs();
        }
        const std::int64_t middle = nowNs();
        for (int i = 0; i < kPerRound; ++i)
            const SpanScope scope(name, 1);
        const std::int64_t end = nowNs();
        stamps[round] = static_cast<double>(middle - begin) / kPerRound;
        spans[round] = static_cast<double>(end - middle) / kPerRound;
        drained.clear();
        tracer.collect(drained);
    }
    const auto median = [](auto &values) {
        std::nth_element(values.begin(), values.begin() + kRounds / 2, values.end());
        return values[kRounds / 2];
    };
    return {median(stamps), median(spans)};
}

} // namespace jetscope::test
