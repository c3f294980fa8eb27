// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/filters.h"
#include "gpu/stages/stageoptions.h"
#include "gpu/stages/stagetable.h"
#include "tests/support/pipelinefixture.h"

#include <set>

namespace jetscope::testing {

/// Gives the first option of a stage all values from that of its name to `last` while frames run, as the window does,
/// and checks that no frame is lost. The stage turns the first byte of a frame around by the value.
inline void changeOptionUnderLoad(const std::string &device, const std::string &name, int last)
{
    Result<Filter> filter = loadStage(name);
    JETSCOPE_VERIFY(filter);
    const int first = static_cast<int>(filterRow(filter.value())->options.at(0).value);
    PipelineConfig config;
    config.output = OutputKind::CopyBack;
    config.sync = SyncMode::Event;
    config.streams = 2;
    config.filters = {filter.value()};
    std::vector<std::pair<std::uint32_t, std::byte>> seen; // Frame and first byte.
    PipelineSetup setup;
    setup.display = displayOf(device);
    setup.deviceId = device;
    setup.source = std::make_unique<RandomSource>(PixelFormat::Rgba8, 53, 31, std::uint64_t(1) << 40);
    setup.config = config;
    setup.outputTap = [&seen](std::uint32_t frame, const std::byte *rgba, int, int) {
        seen.emplace_back(frame, rgba[0]);
    };
    setup.hostFiles.clear();
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    for (int value = first + 1; value <= last; ++value) {
        filter = loadStage(stageNameWith(*filterRow(filter.value()), 0, value));
        JETSCOPE_VERIFY(filter);
        JETSCOPE_VERIFY(rehearseStage(filter.value(), pipeline.value()->status().facts));
        config.filters = {filter.value()};
        pipeline.value()->change(config);
        QTRY_VERIFY_WITH_TIMEOUT(pipeline.value()->status().config == config, 60'000);
    }
    QCOMPARE(pipeline.value()->status().droppedBySource, std::uint64_t(0));
    pipeline.value().reset();
    const RandomSource same(PixelFormat::Rgba8, 53, 31, 1);
    std::vector<std::byte> input(same.info().layout.bytes);
    std::set<int> values;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        QCOMPARE(seen[i].first, static_cast<std::uint32_t>(i)); // None is missing.
        same.fill(input.data(), i);
        values.insert(static_cast<int>(input[0] ^ seen[i].second));
    }
    QVERIFY(*values.begin() == first && *values.rbegin() == last);
}

} // namespace jetscope::testing
