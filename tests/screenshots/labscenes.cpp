// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/screenshots/labscenes.h"

#include "core/lab/clockcamera.h"
#include "core/lab/clockfinder.h"
#include "gpu/lab/clockwatcher.h"
#include "ui/lab/cameraspage.h"
#include "ui/lab/labview.h"
#include "ui/lab/latencypage.h"
#include "ui/lab/stampspage.h"
#include "ui/window/mainwindow.h"
#include "ui/window/windowactions.h"

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

/// Frames of 33 ms with some jitter, which say that they are of the monotonic clock.
std::shared_ptr<CameraLog> logOfAScene(const char *address, std::int64_t laterMs, std::int64_t ageMs)
{
    auto log = std::make_shared<CameraLog>(address);
    std::uint32_t random = 11;
    for (std::int64_t i = 0; i < 240; ++i) {
        random = random * 1664525 + 1013904223;
        const std::int64_t ns = (1000 + i * 33 + laterMs) * kSceneMs + static_cast<std::int64_t>(random >> 22) * 300;
        const std::int64_t late = i % 60 == 13 ? 12 * kSceneMs : 0;
        const SourceStamp stamp{true, ns, ns + ageMs * kSceneMs + late, ToldClock::Monotonic, ToldEdge::Start};
        log->add({static_cast<std::uint64_t>(i + i / 90), ns, stamp}, {});
    }
    return log;
}

/// Without the clocks of this machine, which differ each time.
StampReport stampsOfAScene(const CameraLog &log)
{
    const std::vector<SystemClockReading> clocks{{SystemClock::Monotonic, 1'000'000'000, 0, 100}};
    const std::vector<SystemClockReading> after{{SystemClock::Monotonic, 9'000'000'000, 0, 100}};
    return {log.address(), {}, examineStamps(log.contents().stamps, clocks, after)};
}

} // namespace

void showCameras(MainWindow &window)
{
    const std::vector<std::shared_ptr<CameraLog>> logs{
        logOfAScene("v4l2:/dev/video0", 0, 24), logOfAScene("v4l2:/dev/video2", 0, 25),
        logOfAScene("v4l2:/dev/video4", 8, 24), logOfAScene("v4l2:/dev/video6", 0, 24)};
    CamerasReport report;
    std::vector<std::vector<CameraFrame>> frames;
    std::vector<std::string> names;
    for (const std::shared_ptr<CameraLog> &log : logs) {
        frames.push_back(log->contents().frames);
        names.push_back(log->address());
        report.cameras.push_back(stampsOfAScene(*log));
        report.lost.push_back(log->contents().counts);
    }
    report.skew = compareCameras(frames, names);
    window.showSpace(MainWindow::Space::Lab);
    window.lab()->showPage(window.lab()->cameras());
    window.lab()->cameras()->show(report, 1);
}

void showStamps(MainWindow &window)
{
    window.showSpace(MainWindow::Space::Lab);
    window.lab()->showPage(window.lab()->stamps());
    window.lab()->stamps()->show(stampsOfAScene(*logOfAScene("v4l2:/dev/video0", 0, 24)));
}

void showSmallAndLight(MainWindow &window, void (*show)(MainWindow &))
{
    window.actions().lightTheme->trigger();
    window.resize(1024, 600);
    show(window);
}

void showLatency(MainWindow &window)
{
    window.showSpace(MainWindow::Space::Lab);
    window.lab()->latency()->show(meterOfAScene(), seenOfAScene());
}

} // namespace jetscope
