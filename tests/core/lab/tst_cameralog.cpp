// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What is kept of the frames of a camera, and what is said of several from that.
#include "core/lab/camerasreport.h"
#include "core/time/clock.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QTest>

using namespace jetscope;

class TestCameraLog : public QObject {
    Q_OBJECT

private slots:
    void missingNumbersAreCounted();
    void theNewestAreKept();
    void anEmptyLogSaysNothing();
    void stampsOfAnotherClockAreSaid();
    void stampsOfTheArrivalBlameNoTrigger();
    void aCameraWithAnotherClockDrifts();
    void stampsOfASecondAgoAreSaid_data();
    void stampsOfASecondAgoAreSaid();
};

void TestCameraLog::missingNumbersAreCounted()
{
    CameraLog log("a:");
    log.add({5, 1, {}}, {{3, 1, LossCause::Damaged, 1, "before the first"}});
    log.add({6, 2, {}}, {});
    log.add({9, 3, {}}, {{8, 1, LossCause::Damaged, 3, "planted"}});
    const CameraLog::Contents contents = log.contents();
    QCOMPARE(contents.counts.sum(), std::uint64_t(2));
    QCOMPARE(contents.counts[LossCause::SourceGap], std::uint64_t(1));
    QCOMPARE(contents.counts[LossCause::Damaged], std::uint64_t(1));
    QCOMPARE(contents.lost.front().first, std::uint64_t(7));
    QVERIFY(contents.frames.front().arrivalNs > 0);
}

void TestCameraLog::theNewestAreKept()
{
    CameraLog log("a:", 100);
    for (std::uint64_t i = 0; i < 1000; ++i)
        log.add({i, static_cast<std::int64_t>(i), {}}, {});
    QCOMPARE(log.count(), std::uint64_t(1000));
    const CameraLog::Contents contents = log.contents();
    QVERIFY(contents.frames.size() >= 100 && contents.frames.size() <= 126);
    QCOMPARE(contents.frames.size(), contents.stamps.size());
    QCOMPARE(contents.frames.back().index, std::uint64_t(999));
    QCOMPARE(contents.stamps.back().index, std::uint64_t(999));
}

void TestCameraLog::anEmptyLogSaysNothing()
{
    const auto empty = std::make_shared<const CameraLog>("a:");
    const std::vector<std::shared_ptr<const CameraLog>> logs{empty, empty};
    const CamerasReport report = camerasReportOf(logs);
    QCOMPARE(report.skew.groups, std::size_t(0));
    QVERIFY(!report.skew.culprit);
    QVERIFY2(report.skew.verdict.find("Too few") != std::string::npos, report.skew.verdict.c_str());
    QCOMPARE(stampReportOf("a:", empty->contents()).finding.frames, std::size_t(0));
}

void TestCameraLog::stampsOfAnotherClockAreSaid()
{
    const auto known = std::make_shared<CameraLog>("known:");
    const auto strange = std::make_shared<CameraLog>("strange:");
    const std::int64_t start = nowNs() - 3'000'000'000;
    for (std::int64_t i = 0; i < 60; ++i) {
        const std::int64_t ns = start + i * 33'000'000;
        const auto number = static_cast<std::uint64_t>(i);
        known->add({number, ns, {true, ns, ns + 5'000'000, ToldClock::Monotonic, ToldEdge::End}}, {});
        strange->add({number, ns, {true, i * 33'000'000 + 12345, ns + 6'000'000, ToldClock::Sender}}, {});
    }
    const std::vector<std::shared_ptr<const CameraLog>> logs{known, strange};
    const CamerasReport report = camerasReportOf(logs);
    QVERIFY2(report.trouble.find("(strange:) has no stamps") != std::string::npos, report.trouble.c_str());
    QVERIFY(report.trouble.find("known:") == std::string::npos);
    QVERIFY(report.skew.groups > 50);
}

/// Three cameras with one trigger whose frames are dated when they come, one of them 15 ms later through its cable.
void TestCameraLog::stampsOfTheArrivalBlameNoTrigger()
{
    std::vector<std::shared_ptr<const CameraLog>> logs;
    const std::int64_t start = nowNs() - 9'000'000'000;
    std::uint32_t random = 5;
    for (const std::int64_t laterMs : {0, 0, 15}) {
        auto log = std::make_shared<CameraLog>("camera:" + std::to_string(laterMs));
        for (std::int64_t i = 0; i < 80; ++i) {
            random = random * 1664525 + 1013904223;
            const std::int64_t ns = start + i * 100'000'000 + laterMs * 1'000'000 + (random >> 12);
            log->add(
                {static_cast<std::uint64_t>(i), ns, {true, ns, ns + 20'000, ToldClock::Monotonic, ToldEdge::Nothing}},
                {});
        }
        logs.push_back(std::move(log));
    }
    const CamerasReport report = camerasReportOf(logs);
    QVERIFY(report.cameras[2].finding.edge == StampEdge::Arrival);
    QVERIFY2(report.skew.cause == SkewCause::Arrival, report.skew.verdict.c_str());
    QCOMPARE(*report.skew.culprit, std::size_t(2));
    QVERIFY2(report.skew.verdict.find("cannot be told apart") != std::string::npos, report.skew.verdict.c_str());
    QVERIFY2(report.skew.verdict.find("one trigger") == std::string::npos, report.skew.verdict.c_str());
}

/// All are set to 30 frames per second; one loses a frame in 80 seconds to the others, and began before them.
void TestCameraLog::aCameraWithAnotherClockDrifts()
{
    std::vector<std::shared_ptr<const CameraLog>> logs;
    const std::int64_t start = nowNs() - 20'000'000'000;
    std::uint32_t random = 5;
    for (const double ppm : {417.0, 0.0, 0.0}) {
        auto log = std::make_shared<CameraLog>("camera:" + std::to_string(static_cast<int>(ppm)));
        const std::int64_t before = ppm > 0 ? 700'000'000 : 0;
        for (std::int64_t i = 0; i < 450; ++i) {
            random = random * 1664525 + 1013904223;
            const std::int64_t ns = start - before
                + static_cast<std::int64_t>(static_cast<double>(i) * 33'333'333 * (1 + ppm / 1e6)) + (random >> 14);
            log->add(
                {static_cast<std::uint64_t>(i), ns, {true, ns, ns + 24'000'000, ToldClock::Monotonic, ToldEdge::Start}},
                {});
        }
        logs.push_back(std::move(log));
    }
    const CamerasReport report = camerasReportOf(logs);
    QVERIFY2(report.skew.cause == SkewCause::Drift, report.skew.verdict.c_str());
    QCOMPARE(*report.skew.culprit, std::size_t(0));
    QVERIFY2(std::abs(report.skew.cameras[0].driftPpm.value() - 417) < 30, report.skew.verdict.c_str());
}

void TestCameraLog::stampsOfASecondAgoAreSaid_data()
{
    QTest::addColumn<int>("edge");
    for (const ToldEdge edge : {ToldEdge::Nothing, ToldEdge::End, ToldEdge::Start})
        QTest::addRow("%s", std::string(nameOf(edge)).c_str()) << static_cast<int>(edge);
}

/// A driver that takes a second too much off its stamps.
void TestCameraLog::stampsOfASecondAgoAreSaid()
{
    QFETCH(int, edge);
    CameraLog log("camera:");
    const std::int64_t start = nowNs() - 5'000'000'000;
    for (std::int64_t i = 0; i < 90; ++i) {
        const std::int64_t ns = start + i * 33'333'333;
        log.add({static_cast<std::uint64_t>(i),
                 ns,
                 {true, ns, ns + 940'000'000 + i % 5 * 300'000, ToldClock::Monotonic, static_cast<ToldEdge>(edge)}},
                {});
    }
    const StampReport report = stampReportOf(log.address(), log.contents());
    QVERIFY2(!report.finding.conflicts.empty(), report.finding.verdict.c_str());
    // The stamps are of five seconds ago, and a clock that is being set differs by 500 ppm at most (adjtimex).
    const QString said = QString::fromStdString(report.finding.conflicts.front());
    const int ms = QRegularExpression(QStringLiteral("(\\d+) ms after")).match(said).captured(1).toInt();
    QVERIFY2(std::abs(ms - 940) <= 4, qPrintable(said));
}

JETSCOPE_TEST(TestCameraLog)
#include "tst_cameralog.moc"
