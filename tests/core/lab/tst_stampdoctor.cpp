// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which clock and moment time stamps are of: sources that are played here, with every clock.
#include "core/lab/stampdoctor.h"
#include "core/time/clock.h"
#include "tests/support/testprogram.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace jetscope;

namespace {

constexpr std::int64_t kStampMs = 1'000'000;
constexpr std::int64_t kStampStart = 5'000'000 * kStampMs;

/// A source, and what it says of itself.
struct PlayedStamps {
    std::size_t frames = 200;
    double periodMs = 33.3;
    double ageMs = 12;      ///< Between the moment of the stamp and the arrival.
    double ageJitterMs = 3; ///< At most; of the arrival.
    double offsetMs = 0;    ///< Of its clock against ours.
    double driftPpm = 0;    ///< The same.
    ToldClock clock = ToldClock::Nothing;
    ToldEdge edge = ToldEdge::Nothing;
    bool stampsAtArrival = false;
    std::function<void(std::size_t, StampedFrame &)> change = nullptr;
};

std::vector<StampedFrame> playStamps(const PlayedStamps &source)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<StampedFrame> frames;
    for (std::size_t i = 0; i < source.frames; ++i) {
        const double takenMs = static_cast<double>(i) * source.periodMs;
        const double arrivalMs = takenMs + source.ageMs + share(random) * source.ageJitterMs;
        const double stampedMs = source.stampsAtArrival ? arrivalMs - 0.02 : takenMs;
        StampedFrame frame;
        frame.index = i;
        frame.stamp = {
            true, kStampStart + std::llround((stampedMs * (1 + source.driftPpm / 1e6) + source.offsetMs) * kStampMs),
            kStampStart + std::llround(arrivalMs * kStampMs), source.clock, source.edge};
        if (source.change)
            source.change(i, frame);
        frames.push_back(frame);
    }
    return frames;
}

/// The clocks of a machine that has slept for ten minutes, and whose raw clock is behind by some seconds.
std::vector<SystemClockReading> playedClocks(std::int64_t atNs)
{
    const std::int64_t rawPpm = (atNs - kStampStart) / 50'000; // It runs 20 ppm faster.
    return {{SystemClock::Monotonic, atNs, 40, 100},
            {SystemClock::Boot, atNs, 600'000 * kStampMs, 100},
            {SystemClock::Realtime, atNs, 1'790'000'000'000 * kStampMs, 100},
            {SystemClock::Raw, atNs, -7'000 * kStampMs + rawPpm, 100},
            {SystemClock::Counter, atNs, 9'123 * kStampMs, 200}};
}

StampFinding examined(const PlayedStamps &source)
{
    const std::vector<StampedFrame> frames = playStamps(source);
    return examineStamps(frames, playedClocks(kStampStart), playedClocks(kStampStart + 20'000 * kStampMs));
}

} // namespace

class TestStampDoctor : public QObject {
    Q_OBJECT

private slots:
    void eachClockIsNamed_data();
    void eachClockIsNamed();
    void anUnknownClockIsBoundedFromOneSide();
    void driftIsMeasuredWithinItsBound();
    void stampsOfTheArrival();
    void aStartThatComesTooSoonIsSaid();
    void anEndThatComesAPeriodLateIsSaid();
    void driversThatAreOffAreSaid();
    void theWrongClockIsSaid();
    void stampsThatGoBackAreCounted();
    void stampsThatLeapAreCounted();
    void aFirstStampOfNonsenseIsCountedOnly();
    void oneStampForAllFrames();
    void noStampsAtAll();
    void tooFewFrames();
    void timesOfAFile();
    void anotherUnit();
    void stampsOfTheFuture();
    void numbersWithGapsKeepThePeriod();
    void twoClocksThatAgreeAreBothNamed();
    void readingsCloseToEachOtherGiveNoRate();
    void theClocksOfThisMachine();
};

void TestStampDoctor::eachClockIsNamed_data()
{
    QTest::addColumn<double>("offsetMs");
    QTest::addColumn<double>("driftPpm");
    QTest::addColumn<int>("clock");
    const auto row = [](const char *name, double offsetMs, double ppm, SystemClock clock) {
        QTest::newRow(name) << offsetMs << ppm << static_cast<int>(clock);
    };
    row("monotonic", 0, 0, SystemClock::Monotonic);
    row("boot", 600'000, 0, SystemClock::Boot);
    row("realtime", 1'790'000'000'000, 0, SystemClock::Realtime);
    row("raw", -7'000, 20, SystemClock::Raw);
    row("counter", 9'123, 0, SystemClock::Counter);
}

void TestStampDoctor::eachClockIsNamed()
{
    QFETCH(double, offsetMs);
    QFETCH(double, driftPpm);
    QFETCH(int, clock);
    PlayedStamps source;
    source.offsetMs = offsetMs;
    source.driftPpm = driftPpm;
    const StampFinding finding = examined(source);
    QVERIFY(finding.clock == StampClock::System);
    QVERIFY(finding.system == static_cast<SystemClock>(clock));
    QVERIFY(finding.alsoPossible.empty());
    QVERIFY(finding.offsetMs && std::abs(*finding.offsetMs - offsetMs) <= finding.offsetBoundMs + 0.2);
    QVERIFY(finding.ageMs && finding.ageMs->p50 > 12 && finding.ageMs->p50 < 15);
    QVERIFY(finding.driftPpm && std::abs(*finding.driftPpm) <= finding.driftBoundPpm);
    QVERIFY(std::abs(finding.periodMs - 33.3) < 0.01);
}

void TestStampDoctor::anUnknownClockIsBoundedFromOneSide()
{
    PlayedStamps source;
    source.offsetMs = 123'456;
    const StampFinding finding = examined(source);
    QVERIFY(finding.clock == StampClock::Unknown);
    QVERIFY(finding.isOffsetLeast && finding.offsetMs);
    // The youngest frame was 12 ms old.
    QVERIFY(*finding.offsetMs <= 123'456 && *finding.offsetMs > 123'456 - 12.5);
    QVERIFY(!finding.ageMs);
}

void TestStampDoctor::driftIsMeasuredWithinItsBound()
{
    for (const double ppm : {-300.0, 40.0, 250.0}) {
        PlayedStamps source;
        source.frames = 2000;
        source.driftPpm = ppm;
        const StampFinding finding = examined(source);
        QVERIFY(finding.driftPpm);
        QVERIFY2(std::abs(*finding.driftPpm - ppm) <= finding.driftBoundPpm,
                 qPrintable(QString("%1 ± %2").arg(*finding.driftPpm).arg(finding.driftBoundPpm)));
        QVERIFY(finding.driftBoundPpm < std::abs(ppm));
    }
}

void TestStampDoctor::stampsOfTheArrival()
{
    PlayedStamps source;
    source.stampsAtArrival = true;
    source.clock = ToldClock::Monotonic;
    source.edge = ToldEdge::End;
    const StampFinding finding = examined(source);
    QVERIFY(finding.edge == StampEdge::Arrival);
    QVERIFY(finding.conflicts.empty());
    // Dated at the very moment: our own clock is not exactly CLOCK_MONOTONIC.
    source.change = [](std::size_t, StampedFrame &frame) { frame.stamp.ns = frame.stamp.arrivalNs + 100; };
    QVERIFY(examined(source).conflicts.empty());
}

void TestStampDoctor::aStartThatComesTooSoonIsSaid()
{
    PlayedStamps source;
    source.ageMs = 0.1;
    source.ageJitterMs = 0.1;
    source.clock = ToldClock::Monotonic;
    source.edge = ToldEdge::Start;
    const StampFinding finding = examined(source);
    QVERIFY(finding.edge != StampEdge::Start);
    QCOMPARE(finding.conflicts.size(), std::size_t(1));
    QVERIFY(finding.conflicts.front().find("sooner than a picture") != std::string::npos);
    source.ageMs = 20;
    QVERIFY(examined(source).conflicts.empty());
    QVERIFY(examined(source).edge == StampEdge::Start);
}

void TestStampDoctor::anEndThatComesAPeriodLateIsSaid()
{
    PlayedStamps source;
    source.ageMs = 40;
    source.clock = ToldClock::Monotonic;
    source.edge = ToldEdge::End;
    const StampFinding finding = examined(source);
    QCOMPARE(finding.conflicts.size(), std::size_t(1));
    QVERIFY(finding.conflicts.front().find("a period or more") != std::string::npos);
}

/// Drivers that date with the clock of another machine and say it is ours, or take a second off.
void TestStampDoctor::driversThatAreOffAreSaid()
{
    PlayedStamps source;
    source.clock = ToldClock::Monotonic;
    source.offsetMs = -900;
    StampFinding finding = examined(source);
    QVERIFY(finding.system == SystemClock::Monotonic);
    QCOMPARE(finding.conflicts.size(), std::size_t(1));
    QVERIFY(finding.conflicts.front().find("27 periods") != std::string::npos);
    source.offsetMs = 190'000;
    finding = examined(source);
    QVERIFY(finding.clock == StampClock::Unknown);
    QVERIFY(finding.conflicts.front().find("no clock of this machine") != std::string::npos);
}

void TestStampDoctor::theWrongClockIsSaid()
{
    PlayedStamps source;
    source.clock = ToldClock::Monotonic;
    source.offsetMs = 1'790'000'000'000;
    const StampFinding finding = examined(source);
    QVERIFY(finding.system == SystemClock::Realtime);
    QCOMPARE(finding.conflicts.size(), std::size_t(1));
    QVERIFY(finding.conflicts.front().find("CLOCK_REALTIME") != std::string::npos);
}

void TestStampDoctor::stampsThatGoBackAreCounted()
{
    PlayedStamps source;
    source.clock = ToldClock::Monotonic;
    source.change = [](std::size_t i, StampedFrame &frame) {
        if (i == 50 || i == 120)
            frame.stamp.ns -= 40 * kStampMs;
    };
    const StampFinding finding = examined(source);
    QCOMPARE(finding.backwards, std::size_t(2));
    QVERIFY(finding.system == SystemClock::Monotonic); // Two of 200 do not make another clock.
    QVERIFY(std::abs(finding.periodMs - 33.3) < 0.01);
}

void TestStampDoctor::stampsThatLeapAreCounted()
{
    PlayedStamps source;
    source.clock = ToldClock::Monotonic;
    source.change = [](std::size_t i, StampedFrame &frame) { frame.stamp.ns -= i >= 100 ? 500 * kStampMs : 0; };
    const StampFinding finding = examined(source);
    QCOMPARE(finding.steps, std::size_t(1));
    QVERIFY(std::any_of(finding.conflicts.begin(), finding.conflicts.end(),
                        [](const std::string &text) { return text.find("leap") != std::string::npos; }));
    // A camera that was away: its stamps and arrivals have the same hole.
    source.change = [](std::size_t i, StampedFrame &frame) {
        frame.stamp.ns += i >= 100 ? 500 * kStampMs : 0;
        frame.stamp.arrivalNs += i >= 100 ? 500 * kStampMs : 0;
    };
    QCOMPARE(examined(source).steps, std::size_t(0));
}

void TestStampDoctor::aFirstStampOfNonsenseIsCountedOnly()
{
    PlayedStamps source;
    source.clock = ToldClock::Monotonic;
    const StampFinding without = examined(source);
    source.change = [](std::size_t i, StampedFrame &frame) {
        frame.stamp.ns = i == 0 ? 4'154'505'010'207'436'000 : frame.stamp.ns;
    };
    const StampFinding finding = examined(source);
    QCOMPARE(finding.clock, StampClock::System);
    QCOMPARE(finding.steps, std::size_t(1));
    QCOMPARE(finding.backwards, std::size_t(1));
    QVERIFY(finding.offsetMs && std::abs(*finding.offsetMs - *without.offsetMs) < 0.1);
}

void TestStampDoctor::oneStampForAllFrames()
{
    PlayedStamps source;
    source.clock = ToldClock::Monotonic;
    source.change = [](std::size_t, StampedFrame &frame) { frame.stamp.ns = kStampStart; };
    const StampFinding finding = examined(source);
    QCOMPARE(finding.clock, StampClock::Broken);
    QVERIFY(!finding.offsetMs);
    QCOMPARE(finding.repeated, std::size_t(199));
}

void TestStampDoctor::noStampsAtAll()
{
    PlayedStamps source;
    source.clock = ToldClock::Arrival;
    source.change = [](std::size_t, StampedFrame &frame) { frame.stamp.isThere = false; };
    const StampFinding finding = examined(source);
    QVERIFY(finding.clock == StampClock::None);
    QCOMPARE(finding.missing, std::size_t(200));
    QVERIFY(!finding.offsetMs && !finding.driftPpm && !finding.ageMs);
}

void TestStampDoctor::tooFewFrames()
{
    PlayedStamps source;
    source.frames = kFewestStamps - 1;
    const StampFinding finding = examined(source);
    QVERIFY(!finding.offsetMs);
    QVERIFY(finding.verdict.find("Too few") != std::string::npos);
    QVERIFY(!examineStamps({}, playedClocks(kStampStart), playedClocks(kStampStart)).verdict.empty());
}

void TestStampDoctor::timesOfAFile()
{
    PlayedStamps source;
    source.clock = ToldClock::Media;
    source.offsetMs = -static_cast<double>(kStampStart / kStampMs); // From the beginning of the file.
    source.change = [](std::size_t, StampedFrame &frame) { frame.stamp.arrivalNs = frame.stamp.ns / 7 + kStampStart; };
    const StampFinding finding = examined(source); // It is read seven times as fast as it plays.
    QVERIFY(finding.clock == StampClock::Media);
    QVERIFY(!finding.ageMs);
}

void TestStampDoctor::anotherUnit()
{
    PlayedStamps source;
    source.change = [](std::size_t, StampedFrame &frame) { frame.stamp.ns /= 1000; }; // Microseconds.
    QVERIFY(examined(source).clock == StampClock::Broken);
}

void TestStampDoctor::stampsOfTheFuture()
{
    PlayedStamps source;
    source.clock = ToldClock::Monotonic;
    for (const double ageMs : {-6.0, -30.0}) { // The latter by almost a period: a driver that computes the end.
        source.ageMs = ageMs;
        QVERIFY(examined(source).system == SystemClock::Monotonic);
    }
    source.stampsAtArrival = true; // vivid: the moment at which it makes the picture, and most of a period.
    source.ageJitterMs = 15;
    source.change = [](std::size_t, StampedFrame &frame) { frame.stamp.ns += 30 * kStampMs; };
    source.ageMs = 0;
    const StampFinding finding = examined(source);
    QCOMPARE(finding.edge, StampEdge::Unknown);
    QVERIFY2(finding.verdict.find("how old a frame is, they do not say") != std::string::npos, finding.verdict.c_str());
    QVERIFY(std::any_of(finding.conflicts.begin(), finding.conflicts.end(), [](const std::string &text) {
        return text.find("before the time of their stamps") != std::string::npos;
    }));
}

void TestStampDoctor::numbersWithGapsKeepThePeriod()
{
    PlayedStamps source;
    std::vector<StampedFrame> frames = playStamps(source);
    std::erase_if(frames, [](const StampedFrame &frame) { return frame.index % 3 == 1; });
    const StampFinding finding =
        examineStamps(frames, playedClocks(kStampStart), playedClocks(kStampStart + 10'000 * kStampMs));
    QVERIFY(std::abs(finding.periodMs - 33.3) < 0.01);
    QVERIFY(finding.jitterMs.p99 < 0.01);
    QCOMPARE(finding.steps, std::size_t(0));
}

/// On a machine that never slept CLOCK_BOOTTIME is CLOCK_MONOTONIC.
void TestStampDoctor::twoClocksThatAgreeAreBothNamed()
{
    std::vector<SystemClockReading> same = playedClocks(kStampStart);
    same[1].aheadNs = same[0].aheadNs;
    const std::vector<StampedFrame> frames = playStamps(PlayedStamps());
    const StampFinding finding = examineStamps(frames, same, same);
    QCOMPARE(finding.alsoPossible.size(), std::size_t(1));
    QVERIFY(finding.system == SystemClock::Monotonic && finding.alsoPossible.front() == SystemClock::Boot);
}

/// Read again a millisecond later, both right to 30 us: 20 us between them are no 2 percent. The frames came before.
void TestStampDoctor::readingsCloseToEachOtherGiveNoRate()
{
    const std::vector<StampedFrame> frames = playStamps({});
    const std::int64_t atNs = kStampStart + 12'000 * kStampMs;
    const auto read = [](std::int64_t ns, std::int64_t aheadNs) {
        return std::vector<SystemClockReading>{{SystemClock::Monotonic, ns, aheadNs, 30'000}};
    };
    const StampFinding finding = examineStamps(frames, read(atNs, 0), read(atNs + kStampMs, 20'000));
    QVERIFY(finding.clock == StampClock::System && finding.system == SystemClock::Monotonic);
    QVERIFY2(finding.ageMs && std::abs(finding.ageMs->p50 - 13.5) < 1, finding.verdict.c_str());
}

void TestStampDoctor::theClocksOfThisMachine()
{
    const std::vector<SystemClockReading> readings = readClocks();
    const auto of = [&](SystemClock clock) {
        return std::find_if(readings.begin(), readings.end(),
                            [clock](const SystemClockReading &reading) { return reading.clock == clock; });
    };
    QVERIFY(of(SystemClock::Monotonic) != readings.end());
    QVERIFY(of(SystemClock::Realtime) != readings.end());
    // Our clock follows CLOCK_MONOTONIC, and Unix time is of this century.
    QVERIFY(std::abs(of(SystemClock::Monotonic)->aheadNs) < kStampMs);
    QVERIFY(std::abs(of(SystemClock::Realtime)->aheadNs - wallClockOffsetNs()) < kStampMs);
    for (const SystemClockReading &reading : readings)
        QVERIFY(reading.boundNs > 0);
}

JETSCOPE_TEST(TestStampDoctor)
#include "tst_stampdoctor.moc"
