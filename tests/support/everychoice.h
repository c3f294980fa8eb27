// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/pipelinefixture.h"

#include <functional>

namespace jetscope::testing {

/// A chain that is run under every output and synchronization that is legal with a memory kind.
struct EveryChoice {
    std::string device;
    MemoryKind memory{};
    PixelFormat format{};
    int width = 0;
    int height = 0;
    std::uint64_t frames = 0;
    std::function<std::vector<Filter>(int run)> filters; ///< Of the n-th choice.
    /// What the chain makes of a frame of the source.
    std::function<std::vector<std::byte>(const RandomSource &source, std::uint64_t frame, int run)> expected;

    PipelineSetup setup(const PipelineConfig &config, OutputLog &log) const
    {
        PipelineSetup setup;
        setup.display = displayOf(device);
        setup.deviceId = device;
        setup.source = std::make_unique<RandomSource>(format, width, height, frames);
        setup.config = config;
        setup.outputTap = log.tap();
        setup.hostFiles.clear();
        return setup;
    }

    void runOne(const PipelineConfig &config, int run) const
    {
        OutputLog log;
        log.keepPixels();
        Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setup(config, log));
        JETSCOPE_VERIFY(pipeline);
        pipeline.value()->waitForEnd();
        const PipelineUpdate update = pipeline.value()->drainUpdates();
        pipeline.value().reset();
        QCOMPARE(noticeText(update, PipelineNotice::Kind::Failed), QString());
        QCOMPARE(brokenRule(update), QString());
        QCOMPARE(log.numbers().size(), std::size_t(frames));
        const RandomSource same(format, width, height, frames);
        for (std::uint32_t frame = 0; frame < frames; ++frame)
            QVERIFY2(log.pixels()[frame] == expected(same, frame, run),
                     qPrintable(QString("frame %1 with %2 and %3")
                                    .arg(frame)
                                    .arg(nameOf(config.output).data(), nameOf(config.sync).data())));
    }

    /// Skips the test if no choice is legal.
    void run() const
    {
        const DeviceFacts facts = factsOf(device);
        int ran = 0;
        for (const auto &output : choices<OutputKind>())
            for (const auto &sync : choices<SyncMode>()) {
                PipelineConfig config;
                config.memory = memory;
                config.output = output.value;
                config.sync = sync.value;
                config.filters = filters(ran);
                config.streams = 2;
                config.framesInFlight = 3;
                if (!availability(config, facts).legal() || memory == MemoryKind::NvBuf)
                    continue;
                runOne(config, ran++);
                if (QTest::currentTestFailed())
                    return;
            }
        if (ran == 0)
            QSKIP("no legal choice here");
    }
};

} // namespace jetscope::testing
