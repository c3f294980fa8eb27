// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/recordingcost.h"

#include <cstdio>

/// Compares recording a span with reading the two clock stamps that it needs.
int main()
{
    const jetscope::test::RecordingCost cost = jetscope::test::measureRecordingCost();
    std::printf("two bare stamps  %6.1f ns\n", cost.stampsNs);
    std::printf("recorded span    %6.1f ns\n", cost.spanNs);
    std::printf("ratio            %6.2f (goal 1.5 at most)\n", cost.ratio());
    return 0;
}
