// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What a measurement of the latency came to as text, and frames as lines between two machines.
#include "core/lab/latencyreport.h"
#include "core/lab/sightingline.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;

namespace {

FrameSighting sightingOf(ClockSight sight)
{
    FrameSighting sighting{7, 123'456'789'012, 123'466'789'012, {sight, 1443, {}}};
    for (std::size_t i = 0; i < sighting.clock.cells.size(); ++i)
        sighting.clock.cells[i] = i % 3 == 0 ? -1.0F : 0.75F;
    return sighting;
}

std::deque<FrameLatency> threeFrames()
{
    std::deque<FrameLatency> frames;
    for (std::int64_t i = 0; i < 3; ++i) {
        const std::int64_t ns = i * 33'000'000;
        frames.push_back({static_cast<std::uint64_t>(i),
                          {ns, ns + 16'000'000},
                          ns + 20'000'000,
                          ns + 30'000'000,
                          ns + 31'000'000,
                          ns + 40'000'000,
                          ns + (41 + i) * 1'000'000});
    }
    return frames;
}

} // namespace

class TestLatencyReport : public QObject {
    Q_OBJECT

private slots:
    void linesComeBack_data();
    void linesComeBack();
    void damagedLinesAreRefused();
    void theReportHasBoundsAndParts();
    void namesCannotBreakTheTable();
    void aRowOfEachFrame();
    void nothingMeasuredIsSaid();
};

void TestLatencyReport::linesComeBack_data()
{
    QTest::addColumn<int>("sight");
    for (int sight = 0; sight < 6; ++sight)
        QTest::addRow("sight %d", sight) << sight;
}

void TestLatencyReport::linesComeBack()
{
    QFETCH(int, sight);
    const FrameSighting sent = sightingOf(static_cast<ClockSight>(sight));
    const std::optional<FrameSighting> came = sightingIn(lineOf(sent));
    QVERIFY(came);
    QCOMPARE(came->number, sent.number);
    QCOMPARE(came->stampNs, sent.stampNs);
    QCOMPARE(came->arrivedNs, sent.arrivedNs);
    QCOMPARE(int(came->clock.sight), sight);
    QCOMPARE(came->clock.ms, sent.clock.ms);
    if (sent.clock.sight == ClockSight::Read)
        for (std::size_t i = 0; i < sent.clock.cells.size(); ++i)
            QVERIFY(std::abs(came->clock.cells[i] - sent.clock.cells[i]) < 0.001F);
    const std::optional<FinishedFrame> finished = finishedIn(lineOf(FinishedFrame{9, 100, 250}));
    QVERIFY(finished && finished->number == 9 && finished->startNs == 100 && finished->completeNs == 250);
    const FrameFigures figures = figuresOf(*finished, 60);
    QCOMPARE(figures.frameNs, std::int64_t(150));
    QCOMPARE(figures.latencyNs, std::int64_t(190));
    for (const int ms : {-1, 0, 4095}) {
        const std::optional<ClockUpdate> update = updateIn(lineOf(ClockUpdate{ms, 77}));
        QVERIFY(update && update->ms == ms && update->shownNs == 77);
    }
    for (const char *const line :
         {"shown", "shown 1", "shown -2 5", "shown 4096 5", "shown 1 5 9", "seen 1 5", "shown 1 9999999999999999999"})
        QVERIFY2(!updateIn(line), line);
}

void TestLatencyReport::damagedLinesAreRefused()
{
    const std::string seen = lineOf(sightingOf(ClockSight::Read));
    const std::string finished = lineOf(FinishedFrame{9, 100, 250});
    for (const std::string &line : {std::string(), std::string("seen"), std::string("seen 1 2 3 9 5"), seen + " 1",
                                    seen.substr(0, seen.size() - 2) + "x", std::string("seen -1 2 3 1 5"),
                                    std::string("seen 1 99999999999999999999 3 1 5"), std::string("seen 1 2 3 1 4096"),
                                    std::string("finished 1 250 100"), std::string("finished 1 2"), "x" + finished,
                                    std::string(100'000, ' '), std::string("finished 1 9223372036854775807 0")}) {
        QVERIFY2(!sightingIn(line), line.c_str());
        QVERIFY2(!finishedIn(line), line.c_str());
    }
    std::mt19937 random(3);
    for (int i = 0; i < 20'000; ++i) { // Whatever it is, it ends.
        std::string line = i % 2 == 0 ? seen : finished;
        line[random() % line.size()] = static_cast<char>(random());
        static_cast<void>(sightingIn(line));
        static_cast<void>(finishedIn(line));
    }
}

void TestLatencyReport::theReportHasBoundsAndParts()
{
    LatencyReport report{
        "software iGPU", "Webcam", {}, LatencyFigures{.frames = 3, .p50Ms = 61.4, .boundMs = 8.4}, "", false};
    report.counts.frames = 5;
    report.counts.bySight[static_cast<std::size_t>(ClockSight::Read)] = 3;
    report.counts.bySight[static_cast<std::size_t>(ClockSight::NotFound)] = 2;
    report.board = "orin";
    report.clockBoundMs = 0.125;
    const std::string text = latencyMarkdown(report, threeFrames());
    for (const char *part : {"61.4 ms", "±8.4 ms", "orin", "±0.125 ms", "2 no clock in view", "## Parts", "camera"})
        QVERIFY2(text.find(part) != std::string::npos, (std::string(part) + "\n" + text).c_str());
    // The slowest first.
    QVERIFY(text.find("\n| 2 |") < text.find("\n| 0 |"));
}

void TestLatencyReport::namesCannotBreakTheTable()
{
    LatencyReport report{"a | b\nc", "source", {}, std::nullopt, "", false};
    const std::string text = latencyMarkdown(report, {});
    QVERIFY2(text.find("a \\| b") != std::string::npos && text.find("\nc") == std::string::npos, text.c_str());
}

void TestLatencyReport::aRowOfEachFrame()
{
    const std::string text = latencyCsv(threeFrames(), true);
    QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t(4));
    QVERIFY2(text.find("\n1,33000000,49000000,53000000,") != std::string::npos, text.c_str());
    QVERIFY2(text.find(",33.000,") != std::string::npos, text.c_str()); // 41 - 8
}

void TestLatencyReport::nothingMeasuredIsSaid()
{
    LatencyReport report{"device", "source", {}, std::nullopt, "", false};
    QCOMPARE(latencyVerdict(report), std::string("no frame came"));
    report.counts.frames = 4;
    report.counts.bySight[static_cast<std::size_t>(ClockSight::Several)] = 4;
    QCOMPARE(latencyVerdict(report), std::string(clockSightText(ClockSight::Several)));
    QVERIFY(latencyMarkdown(report, {}).find("## Parts") == std::string::npos);
    report.trouble = "the frames lie elsewhere";
    QCOMPARE(latencyVerdict(report), report.trouble);
}

JETSCOPE_TEST(TestLatencyReport)
#include "tst_latencyreport.moc"
