// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/labscenes.h"

#include "core/lab/clockcamera.h"
#include "core/lab/clockfinder.h"
#include "gpu/lab/clockwatcher.h"
#include "ui/lab/labview.h"
#include "ui/lab/latencypage.h"
#include "ui/window/mainwindow.h"

namespace jetscope {

namespace {

constexpr std::int64_t kSceneMs = 1'000'000;

LatencyMeter meterOfAScene()
{
    const auto clock = std::make_shared<ShownLog>();
    LatencyMeter meter(clock);
    std::uint32_t random = 7;
    for (std::uint64_t i = 0; i < 600; ++i) {
        random = random * 1664525 + 1013904223;
        const auto shown = static_cast<std::int64_t>(i * 50 / 3) * kSceneMs;
        clock->add(static_cast<int>(shown / kSceneMs % kClockMs), shown);
        clock->add(static_cast<int>((shown / kSceneMs + 16) % kClockMs), shown + 16 * kSceneMs);
        const std::int64_t late = i % 40 == 7 ? 17 * kSceneMs : 0;
        const std::int64_t wander = static_cast<std::int64_t>(random >> 20) * 1500;
        const std::int64_t stamp = shown + 28 * kSceneMs + wander;
        const std::int64_t arrived = stamp + 12 * kSceneMs;
        if (i % 50 == 49) {
            meter.add(FrameSighting{i, stamp, arrived, {ClockSight::NotFound}});
            continue;
        }
        meter.add(FrameSighting{i, stamp, arrived, {ClockSight::Read, static_cast<int>(shown / kSceneMs % kClockMs)}});
        FrameFigures figures;
        figures.startNs = arrived + 3 * kSceneMs + late;
        figures.frameNs = 7 * kSceneMs;
        figures.latencyNs = figures.startNs + figures.frameNs + 10 * kSceneMs - stamp;
        meter.add(figures, i);
    }
    return meter;
}

ClockSeen seenOfAScene()
{
    LumaPicture picture{640, 360, std::vector<std::uint8_t>(std::size_t{640} * 360)};
    ClockCamera({.part = 0.7, .turnDegrees = 4, .tiltDegrees = 15, .blurPixels = 1}, 640, 360).see(1382, picture);
    const FoundClock found = findClock(picture.view());
    return {reduced(picture.view(), 2), 2, found.reader, found.sight};
}

} // namespace

void showLatency(MainWindow &window)
{
    window.showSpace(MainWindow::Space::Lab);
    window.lab()->latency()->show(meterOfAScene(), seenOfAScene());
}

} // namespace jetscope
