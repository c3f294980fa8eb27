// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"

namespace jetscope::testing {

/// Test data, measured nowhere: an integrated GPU of this compute capability on which all memory is equally fast.
inline ProbeTable madeUpTable(int major, int minor, bool concurrentManagedAccess = false)
{
    ProbeTable table;
    table.device.id = "cuda:0";
    table.device.name = "made-up board (test data)";
    table.device.integrated = true;
    table.device.computeMajor = major;
    table.device.computeMinor = minor;
    table.device.concurrentManagedAccess = concurrentManagedAccess;
    table.device.pageableMemoryAccess = concurrentManagedAccess;
    table.origin = "test data";
    table.width = 1280;
    table.height = 720;
    const auto set = [&table](const std::string &key, double value) {
        ProbeFigure figure;
        figure.estimate = {value, value * 0.98, value * 1.02};
        figure.rounds = 10;
        table.figures[key] = figure;
    };
    for (const std::string_view memory : {"pageable", "pinned", "zero-copy", "unified", "unified-attach", "registered"})
        for (const std::string_view access : {"cpu_write", "cpu_read", "cpu_reread"})
            set(memoryKey(memory, access), 10);
    for (const std::string_view memory : {"zero-copy", "unified", "unified-attach", "registered", "device"})
        for (const std::string_view access : {"gpu_read", "gpu_reread"})
            set(memoryKey(memory, access), 50);
    for (const std::string_view direction : kProbeDirections)
        for (const std::string_view memory : {"pageable", "pinned"})
            for (const std::size_t bytes : kProbeCopyBytes)
                set(copyKey(direction, memory, bytes), 12);
    for (const ProbeCost &cost : probeCosts())
        set(std::string(cost.key), 20);
    return table;
}

/// Plants a figure with 2 % noise.
inline void plant(ProbeTable &table, const std::string &key, double value, double noise = 0.02)
{
    table.figures[key].estimate = {value, value * (1 - noise), value * (1 + noise)};
    table.figures[key].unavailable.clear();
}

} // namespace jetscope::testing
