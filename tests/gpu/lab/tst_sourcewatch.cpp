// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Several sources at once, each read on its own thread: cameras whose exposures are apart by a planted time.
#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/sources/sourcewatch.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

using namespace jetscope;

namespace {

constexpr std::int64_t kSkewMsNs = 1'000'000;
constexpr std::int64_t kSkewPeriodNs = 33 * kSkewMsNs;

/// Exposes at fixed moments, and delivers a frame some time later; every 20th number never comes.
class PhasedCamera final : public FrameSource {
public:
    PhasedCamera(std::int64_t startNs, std::int64_t laterNs, std::int64_t ageNs)
        : m_startNs(startNs + laterNs), m_ageNs(ageNs)
    {
        m_info.uri = "phased:" + std::to_string(laterNs / kSkewMsNs);
        m_info.layout = makeImageLayout(PixelFormat::Grey8, 16, 16);
        m_info.live = true;
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *) override
    {
        m_next += m_next % 20 == 19 ? 1 : 0;
        const std::int64_t stampNs = m_startNs + static_cast<std::int64_t>(m_next) * kSkewPeriodNs;
        while (!m_cancelled && nowNs() < stampNs + m_ageNs)
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        if (m_cancelled)
            return std::optional<CapturedFrame>();
        CapturedFrame captured{m_next++, stampNs};
        captured.stamp = {true, stampNs, nowNs(), ToldClock::Monotonic, ToldEdge::End};
        return std::optional(std::move(captured));
    }
    void cancel() override { m_cancelled = true; }

private:
    SourceInfo m_info;
    const std::int64_t m_startNs;
    const std::int64_t m_ageNs;
    std::uint64_t m_next = 0;
    std::atomic<bool> m_cancelled{false};
};

struct Phase {
    int laterMs = 0;
    int ageMs = 5;
};

SkewFinding watchPhased(const std::vector<Phase> &phases, std::size_t frames, Tracer &tracer)
{
    const std::int64_t startNs = nowNs() + 20 * kSkewMsNs;
    std::vector<std::unique_ptr<SourceWatch>> watches;
    for (const Phase &phase : phases)
        watches.push_back(std::make_unique<SourceWatch>(
            std::make_unique<PhasedCamera>(startNs, phase.laterMs * kSkewMsNs, phase.ageMs * kSkewMsNs),
            "Camera " + std::to_string(watches.size() + 1), frames));
    for (const auto &watch : watches)
        watch->start(tracer);
    const auto haveEnded = [&] {
        return std::ranges::all_of(watches, [](const auto &watch) { return watch->ended(); });
    };
    if (!QTest::qWaitFor(haveEnded, 60'000))
        return {};
    std::vector<std::vector<CameraFrame>> all;
    std::vector<std::string> names;
    for (const auto &watch : watches) {
        all.push_back(watch->log()->contents().frames);
        names.push_back(watch->info().uri);
    }
    return compareCameras(all, names);
}

} // namespace

class TestSourceWatch : public QObject {
    Q_OBJECT

private slots:
    void aPlantedSkewOfFourCamerasIsRead_data();
    void aPlantedSkewOfFourCamerasIsRead();
    void aSlowDriverIsNamed();
    void missingNumbersAreTold();
    void itEndsWhenItIsCancelled();
};

void TestSourceWatch::aPlantedSkewOfFourCamerasIsRead_data()
{
    QTest::addColumn<int>("skew");
    for (const int skew : {3, 8, 16})
        QTest::addRow("%d ms", skew) << skew;
}

void TestSourceWatch::aPlantedSkewOfFourCamerasIsRead()
{
    QFETCH(int, skew);
    Tracer tracer;
    const SkewFinding finding = watchPhased({{0}, {0}, {skew}, {0}}, 45, tracer);
    QVERIFY(finding.cause == SkewCause::Trigger);
    QCOMPARE(*finding.culprit, std::size_t(2));
    QVERIFY(std::abs(finding.cameras[2].skewMs - skew) < 1);
    QVERIFY(std::abs(finding.skewMs - skew) < 1);
    // Each camera has its lane.
    const std::vector<LaneInfo> lanes = tracer.lanes();
    for (const char *name : {"Camera 1", "Camera 2", "Camera 3", "Camera 4"})
        QVERIFY(std::ranges::any_of(lanes, [name](const LaneInfo &lane) { return lane.name == name; }));
}

void TestSourceWatch::aSlowDriverIsNamed()
{
    Tracer tracer;
    const SkewFinding finding = watchPhased({{0, 3}, {0, 23}, {0, 3}}, 40, tracer);
    QVERIFY(finding.cause == SkewCause::Driver);
    QCOMPARE(*finding.culprit, std::size_t(1));
    QVERIFY(finding.skewMs < 1);
}

void TestSourceWatch::missingNumbersAreTold()
{
    Tracer tracer;
    SourceWatch watch(std::make_unique<PhasedCamera>(nowNs(), 0, 0), "Camera 1", 45);
    watch.start(tracer);
    QTRY_VERIFY_WITH_TIMEOUT(watch.ended(), 30'000);
    const std::vector<LostFrames> lost = watch.log()->contents().lost;
    QCOMPARE(lost.size(), std::size_t(2));
    QCOMPARE(lost.front().first, std::uint64_t(19));
    QVERIFY(lost.front().cause == LossCause::SourceGap);
    QCOMPARE(watch.log()->contents().stamps.size(), std::size_t(45));
}

void TestSourceWatch::itEndsWhenItIsCancelled()
{
    Tracer tracer;
    SourceWatch watch(std::make_unique<PhasedCamera>(nowNs() + 3'600'000 * kSkewMsNs, 0, 0), "Camera 1", 5);
    watch.start(tracer);
    watch.cancel();
    QTRY_VERIFY(watch.ended());
    QCOMPARE(watch.count(), std::size_t(0));
    QCOMPARE(watch.trouble(), std::string());
}

JETSCOPE_TEST(TestSourceWatch)
#include "tst_sourcewatch.moc"
