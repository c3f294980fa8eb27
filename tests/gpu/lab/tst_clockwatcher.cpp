// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The clock is found and read in the frames of a pipeline, whatever its choices, and found again when it was lost.
#include "gpu/lab/clockwatcher.h"
#include "tests/support/clocksource.h"
#include "tests/support/gpufixture.h"
#include "tests/support/testprogram.h"

#include "core/lab/shownlog.h"
#include "gpu/lab/latencyfeed.h"
#include "gpu/pipeline/pipeline.h"

#include <array>
#include <cstring>

using namespace jetscope;

namespace {

constexpr int kWatchedWidth = 640;
constexpr int kWatchedHeight = 360;

/// A frame of the clock, or of nothing.
std::vector<std::byte> frameOf(const ImageLayout &layout, const CameraLook &look)
{
    LumaPicture picture{kWatchedWidth, kWatchedHeight,
                        std::vector<std::uint8_t>(std::size_t{kWatchedWidth} * kWatchedHeight)};
    ClockCamera(look, kWatchedWidth, kWatchedHeight).see(1234, picture);
    std::vector<std::byte> bytes(layout.bytes);
    for (std::size_t y = 0; y < kWatchedHeight; ++y)
        std::memcpy(bytes.data() + y * layout.planes[0].pitch, picture.pixels.data() + y * kWatchedWidth,
                    kWatchedWidth);
    return bytes;
}

class OneByOne {
public:
    ClockSight look(const std::vector<std::byte> &bytes)
    {
        m_watcher.arrived({m_next++, nowNs()}, m_layout, bytes.data());
        return m_watcher.take().back().clock.sight;
    }
    std::vector<std::byte> clock(double part) const { return frameOf(m_layout, {.part = part}); }
    std::vector<std::byte> nothing() const { return frameOf(m_layout, {.fault = ClockFault::Absent}); }
    ClockWatcher &watcher() { return m_watcher; }

private:
    const ImageLayout m_layout = makeImageLayout(PixelFormat::Grey8, kWatchedWidth, kWatchedHeight);
    ClockWatcher m_watcher;
    std::uint64_t m_next = 0;
};

} // namespace

class TestClockWatcher : public QObject {
    Q_OBJECT

private slots:
    void aLostClockIsFoundAgain();
    void severalClocksAreRefused();
    void buffersOfTheCameraAreSaid();
    void everyMemoryKindIsSeen();
    void theLastWatcherAloneSees();
    void framesWaitForAnotherMachinesClock();
};

void TestClockWatcher::aLostClockIsFoundAgain()
{
    OneByOne frames;
    QCOMPARE(frames.look(frames.clock(0.7)), ClockSight::NotFound); // Not searched yet.
    for (const double part : {0.7, 0.5, 0.8}) {
        QTRY_COMPARE(frames.look(frames.clock(part)), ClockSight::Read);
        QCOMPARE(frames.look(frames.nothing()), ClockSight::NotFound);
    }
    QTRY_COMPARE(frames.look(frames.clock(0.8)), ClockSight::Read);
    QVERIFY(frames.watcher().seen().clock);
}

void TestClockWatcher::severalClocksAreRefused()
{
    OneByOne frames;
    const ImageLayout layout = makeImageLayout(PixelFormat::Grey8, kWatchedWidth, kWatchedHeight);
    const std::vector<std::byte> two = frameOf(layout, {.part = 0.95, .fault = ClockFault::Two});
    QTRY_COMPARE(frames.look(two), ClockSight::Several);
    QVERIFY(!frames.watcher().seen().clock);
    QTRY_COMPARE(frames.look(frames.clock(0.7)), ClockSight::Read);
}

void TestClockWatcher::buffersOfTheCameraAreSaid()
{
    ClockWatcher watcher;
    watcher.arrived({0, nowNs()}, makeImageLayout(PixelFormat::Nv12, 64, 64), nullptr);
    QVERIFY(!watcher.trouble().empty());
    QCOMPARE(watcher.take().size(), std::size_t{1});
}

/// Each frame, once, with what it shows.
void TestClockWatcher::everyMemoryKindIsSeen()
{
    for (const MemoryKind kind :
         {MemoryKind::Pageable, MemoryKind::Pinned, MemoryKind::ZeroCopy, MemoryKind::Unified}) {
        constexpr std::uint64_t kFrames = 200;
        const Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay("soft:orin");
        QVERIFY(display.ok());
        PipelineSetup setup;
        setup.display = display.value();
        setup.deviceId = "soft:orin";
        setup.source = std::make_unique<testing::ClockSource>(kWatchedWidth, kWatchedHeight, kFrames);
        setup.config.memory = kind;
        setup.startPaused = true;
        const Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
        QVERIFY2(pipeline.ok(), pipeline.ok() ? "" : pipeline.error().message().c_str());
        const auto watcher = std::make_shared<ClockWatcher>();
        pipeline.value()->watchInput(watcher);
        pipeline.value()->setPaused(false);
        std::vector<FrameSighting> seen;
        QTRY_VERIFY_WITH_TIMEOUT((std::ranges::move(watcher->take(), std::back_inserter(seen)),
                                  pipeline.value()->status().state == PipelineState::Ended),
                                 30'000);
        std::ranges::move(watcher->take(), std::back_inserter(seen));
        QVERIFY(seen.size() > kFrames - 8); // Some may have come before the watcher.
        const SteadyClock screen{1000 / 60.0};
        std::size_t read = 0;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            if (i > 0)
                QCOMPARE(seen[i].number, seen[i - 1].number + 1);
            if (seen[i].clock.sight != ClockSight::Read)
                continue;
            ++read;
            QCOMPARE(
                seen[i].clock.ms,
                static_cast<int>(screen.shownAt(static_cast<double>(testing::ClockSource::timeOf(seen[i].number)))));
        }
        QVERIFY2(read > 0, nameOf(kind).data());
    }
}

void TestClockWatcher::theLastWatcherAloneSees()
{
    const Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay("soft:orin");
    QVERIFY(display.ok());
    PipelineSetup setup;
    setup.display = display.value();
    setup.deviceId = "soft:orin";
    setup.source = std::make_unique<testing::ClockSource>(kWatchedWidth, kWatchedHeight, 1'000'000);
    const Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    QVERIFY(pipeline.ok());
    const auto first = std::make_shared<ClockWatcher>();
    const auto second = std::make_shared<ClockWatcher>();
    std::array<std::size_t, 2> seen{};
    const auto look = [&] {
        seen[0] += first->take().size();
        seen[1] += second->take().size();
        return seen;
    };
    pipeline.value()->watchInput(first);
    QTRY_VERIFY(look()[0] > 0);
    pipeline.value()->watchInput(second);
    QTRY_VERIFY(look()[1] > 0);
    const std::size_t before = look()[0];
    const std::size_t more = look()[1] + 5;
    QTRY_VERIFY(look()[1] > more);
    QCOMPARE(look()[0], before);
    pipeline.value()->watchInput(nullptr);
    QTRY_COMPARE(second.use_count(), 1L);
}

void TestClockWatcher::framesWaitForAnotherMachinesClock()
{
    const OneByOne frames;
    const ImageLayout layout = makeImageLayout(PixelFormat::Grey8, kWatchedWidth, kWatchedHeight);
    const std::vector<std::byte> picture = frames.clock(0.7);
    LatencyFeed feed(std::make_shared<ShownLog>());
    feed.watcher()->arrived({0, nowNs()}, layout, picture.data());
    feed.knowUntil(nowNs());
    QTest::qSleep(1);
    for (const std::uint64_t later : {1U, 2U})
        feed.watcher()->arrived({later, nowNs()}, layout, picture.data());
    feed.take({});
    QCOMPARE(feed.meter().counts().frames, 1U);
    feed.knowUntil(nowNs());
    feed.take({});
    QCOMPARE(feed.meter().counts().frames, 3U);
}

JETSCOPE_TEST(TestClockWatcher)
#include "tst_clockwatcher.moc"
