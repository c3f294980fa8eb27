// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The values of a board over time: groups, sums, rails, figures and events.
#include "core/board/boardevents.h"
#include "core/board/boardfigures.h"
#include "core/board/boardlayout.h"
#include "core/board/boardseries.h"
#include "core/board/energy.h"
#include "core/exchange/tegrastatsline.h"
#include "tests/core/tegrastatssamples.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace jetscope;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr double kOff = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> railsIn(std::string_view text)
{
    TegrastatsLine line;
    line.parse(text);
    std::vector<std::string> rails;
    for (const TegrastatsReading &reading : line.readings)
        if (reading.quantity == TegrastatsQuantity::Power)
            rails.emplace_back(reading.item);
    return rails;
}

/// A board of two cores with a GPU, a temperature and the rails of an AGX Orin.
class Recorded {
public:
    enum Counter : CounterId { Core0, Core1, GpuLoad, GpuClock, Tj, GpuRail, CpuRail, FiveVolt, Counters };
    Recorded()
    {
        m_values = {10, 20, 50, 600e6, 50, 5, 2, 3};
        m_series = BoardSeries({{0, "CPU 0 load", "%", {}},
                                {1, "CPU 1 load", "%", {}},
                                {2, "GPU load", "%", {}},
                                {3, "GPU clock", "Hz", {}},
                                {4, "temperature tj", "°C", {}},
                                {5, "power VDD_GPU_SOC", "W", {}},
                                {6, "power VDD_CPU_CV", "W", {}},
                                {7, "power VIN_SYS_5V0", "W", {}}});
    }
    void set(Counter counter, double value) { m_values[counter] = value; }
    /// A reading each second.
    void read(int count)
    {
        std::vector<CounterSample> samples;
        for (int i = 0; i < count; ++i, m_ns += kSecond)
            for (std::size_t k = 0; k < m_values.size(); ++k)
                samples.push_back({m_ns, m_values[k], static_cast<CounterId>(k)});
        m_series.add(samples);
    }
    void pause(int seconds)
    {
        std::vector<CounterSample> samples;
        for (std::size_t k = 0; k < m_values.size(); ++k)
            samples.push_back({m_ns, kOff, static_cast<CounterId>(k)});
        m_series.add(samples);
        m_ns += seconds * kSecond;
    }
    const BoardSeries &series() const { return m_series; }
    BoardSeries &change() { return m_series; }

private:
    BoardSeries m_series;
    std::vector<double> m_values;
    std::int64_t m_ns = 0;
};

std::vector<BoardEvent> eventsOf(const BoardSeries &series, BoardEvent::Kind kind)
{
    std::vector<BoardEvent> found;
    for (const BoardEvent &event : boardEvents(series))
        if (event.kind == kind)
            found.push_back(event);
    return found;
}

CounterTrack trackOf(const std::vector<std::pair<std::int64_t, double>> &samples)
{
    CounterTrack track(CounterInfo{0, "power VDD_IN", "W", {}});
    for (const auto &[ns, value] : samples)
        if (!track.append(ns, value))
            qFatal("a sample of the test was refused");
    return track;
}

} // namespace

class TestBoardSeries : public QObject {
    Q_OBJECT
private slots:
    void railsOfEachBoard_data();
    void railsOfEachBoard();
    void unknownRailsMayCountTwice();
    void energyTakesTheRailsOfTheBoard();
    void valuesAreGrouped();
    void coresAndRailsAreSummed();
    void aTotalNeedsAllItsRails();
    void valuesCountAsLongAsTheyHold();
    void unknownTimesCountForNothing();
    void energyIsOfTheTime();
    void whatIsOldIsForgotten();
    void missingReadingsAreAnEvent();
    void aHotGpuIsProbablyThrottled();
    void aCoolGpuIsOnlySlower();
    void aShortDropOfTheClockIsNone();
    void coresThatStayOffAreAnotherMode();
    void whatTheBoardReportsIsMeasured();
    void theHeadlineSaysTheWorst();
    void anythingIsTaken();
};

void TestBoardSeries::railsOfEachBoard_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("board");
    QTest::addColumn<QString>("summed");
    const auto sample = [](std::size_t index) {
        return QString::fromUtf8(test::kTegrastatsSamples[index].line.data(),
                                 static_cast<qsizetype>(test::kTegrastatsSamples[index].line.size()));
    };
    QTest::newRow("Nano") << sample(0) << "Jetson Nano"
                          << "POM_5V_IN";
    QTest::newRow("TX2") << sample(1) << "Jetson TX2"
                         << "VDD_IN";
    QTest::newRow("Xavier NX") << sample(2) << "Jetson Orin Nano, Orin NX or Xavier NX"
                               << "VDD_IN";
    QTest::newRow("AGX Orin") << sample(3) << "Jetson AGX Orin"
                              << "VDD_GPU_SOC+VDD_CPU_CV+VIN_SYS_5V0";
    QTest::newRow("Orin Nano") << sample(4) << "Jetson Orin Nano, Orin NX or Xavier NX"
                               << "VDD_IN";
    QTest::newRow("Thor") << sample(5) << "Jetson AGX Thor"
                          << "VIN";
    QTest::newRow("AGX Xavier")
        << "RAM 1/2MB CPU [1%@1] GPU 0/0 CPU 216/216 SOC 864/864 CV 0/0 VDDRQ 144/144 SYS5V 1889/1889"
        << "Jetson AGX Xavier"
        << "GPU+CPU+SOC+CV+VDDRQ+SYS5V";
    QTest::newRow("TX1") << "RAM 1/2MB CPU [1%@1] VDD_IN 2532/2698 VDD_CPU 76/178 VDD_GPU 19/19"
                         << "Jetson TX1"
                         << "VDD_IN";
    QTest::newRow("TX2 NX") << "RAM 1/2MB VDD_IN 2/2 VDD_CPU 3/5 VDD_GPU 4/7 VDD_SOC 4/4 VDD_WIFI 0/0 VDD_DDR 2/3"
                            << "Jetson TX2 NX"
                            << "VDD_IN";
    QTest::newRow("no rails") << "RAM 1/2MB CPU [1%@1] GR3D_FREQ 0%"
                              << ""
                              << "";
}

void TestBoardSeries::railsOfEachBoard()
{
    QFETCH(const QString, line);
    QFETCH(const QString, board);
    QFETCH(const QString, summed);
    const BoardRails rails = railsOf(railsIn(line.toStdString()));
    QCOMPARE(QString::fromStdString(rails.board), board);
    QStringList names;
    for (const std::string &rail : rails.summed)
        names += QString::fromStdString(rail);
    QCOMPARE(names.join(u'+'), summed);
    QCOMPARE(rails.source.empty(), board.isEmpty());
    QVERIFY(!rails.mayCountTwice);
}

void TestBoardSeries::unknownRailsMayCountTwice()
{
    const std::vector<std::string> names = {"VDD_A", "NC", "VDD_B"};
    const BoardRails rails = railsOf(names);
    QVERIFY(rails.board.empty() && rails.source.empty());
    QVERIFY(rails.mayCountTwice);
    QCOMPARE(rails.summed.size(), std::size_t(2)); // Not the input that nothing is connected to.
    QVERIFY(rails.meaning.find("may count twice") != std::string::npos);
}

/// And not the rail "GPU" for a graphics card.
void TestBoardSeries::energyTakesTheRailsOfTheBoard()
{
    std::vector<CounterTrack> tracks;
    CounterId id = 0;
    for (const char *name : {"GPU", "CPU", "NC", "SOC", "CV", "VDDRQ", "SYS5V"})
        tracks.emplace_back(CounterInfo{id++, std::string("power ") + name, "W", {}});
    QCOMPARE(energyCounters(tracks), std::vector<std::size_t>({0, 1, 3, 4, 5, 6}));
    tracks.emplace_back(CounterInfo{id++, kSumOfRailsCounter, "W", {}});
    QCOMPARE(energyCounters(tracks), std::vector<std::size_t>({7}));
    std::vector<CounterTrack> card;
    card.emplace_back(CounterInfo{0, kGpuPowerCounter, "W", {}});
    QCOMPARE(energyCounters(card), std::vector<std::size_t>({0}));
}

void TestBoardSeries::valuesAreGrouped()
{
    const BoardSeries series({{7, "GPU load", "%", {}},
                              {8, "frames in flight", "frames", {}},
                              {9, "temperature Tboard", "°C", {}},
                              {10, "temperature tj", "°C", {}},
                              {11, "temperature tj highest", "°C", {}},
                              {12, "power VDD_IN average", "W", {}},
                              {13, "power NC", "W", {}},
                              {14, "memory used", "B", {}},
                              {15, "GPU load", "Hz", {}}, // Not in this unit.
                              {16, "NVDEC clock", "Hz", {}}});
    QStringList groups;
    for (const BoardChart &chart : series.charts())
        groups += QString::fromUtf8(groupName(chart.group).data());
    QCOMPARE(groups.join(u','), QString("GPU,Memory,Temperature,Engines"));
    QCOMPARE(series.charts()[2].curves.front().label, std::string("tj")); // What matters most comes first.
    QCOMPARE(series.charts()[2].curves.size(), std::size_t(2));
    QVERIFY(!series.totalPower());
}

void TestBoardSeries::coresAndRailsAreSummed()
{
    Recorded board;
    board.read(2);
    const BoardSeries &series = board.series();
    QCOMPARE(series.find("mean of cores")->valueAt(0), std::optional(15.0));
    QCOMPARE(series.find("busiest core")->valueAt(0), std::optional(20.0));
    QVERIFY(series.totalPower());
    QCOMPARE(series.tracks()[*series.totalPower()].valueAt(kSecond), std::optional(10.0));
    board.set(Recorded::Core1, kOff);
    board.read(1);
    QCOMPARE(series.find("mean of cores")->valueAt(2 * kSecond), std::optional(10.0));
}

void TestBoardSeries::aTotalNeedsAllItsRails()
{
    Recorded board;
    board.read(1);
    board.set(Recorded::CpuRail, kOff);
    board.read(1);
    const CounterTrack &total = board.series().tracks()[*board.series().totalPower()];
    QVERIFY(total.valueAt(0));
    QVERIFY(!total.valueAt(kSecond));
}

void TestBoardSeries::valuesCountAsLongAsTheyHold()
{
    const CounterTrack track = trackOf({{0, 10}, {9 * kSecond, 110}, {10 * kSecond, 20}});
    const auto whole = statisticsOf(track, {0, 20 * kSecond});
    QVERIFY(whole);
    QCOMPARE(whole->min, 10.0);
    QCOMPARE(whole->max, 110.0);
    QCOMPARE(whole->mean, (9 * 10 + 110 + 10 * 20) / 20.0);
    QCOMPARE(whole->p95, 20.0); // 110 was there for exactly 5 % of the time.
    QCOMPARE(whole->integral(), 400.0);
    const auto part = statisticsOf(track, {8 * kSecond, 10 * kSecond});
    QCOMPARE(part->mean, 60.0); // The value before the start holds.
    QVERIFY(!statisticsOf(track, {-5 * kSecond, 0}));
    QVERIFY(!statisticsOf(track, {5 * kSecond, 5 * kSecond}));
    QVERIFY(!statisticsOf(track, {7 * kSecond, 5 * kSecond}));
    QVERIFY(!statisticsOf(trackOf({}), {0, kSecond}));
}

void TestBoardSeries::unknownTimesCountForNothing()
{
    const CounterTrack track = trackOf({{0, 10}, {kSecond, kOff}, {9 * kSecond, 30}, {10 * kSecond, kOff}});
    const auto found = statisticsOf(track, {0, 100 * kSecond});
    QCOMPARE(found->knownNs, 2 * kSecond);
    QCOMPARE(found->mean, 20.0);
    QCOMPARE(found->integral(), 40.0);
    QVERIFY(!statisticsOf(track, {2 * kSecond, 8 * kSecond}));
}

void TestBoardSeries::energyIsOfTheTime()
{
    Recorded board;
    board.read(10); // 10 W.
    board.pause(5);
    board.read(10);
    BoardFigureWish wish;
    for (const CounterTrack &track : board.series().tracks())
        wish.tracks.push_back(track);
    wish.rows = {0, 4, 9999};
    wish.total = board.series().totalPower();
    wish.rails = {5, 6, 7};
    wish.time = {0, 25 * kSecond};
    wish.untilNs = 4 * kSecond;
    wish.throttled = {{-kSecond, 2 * kSecond}, {24 * kSecond, 99 * kSecond}};
    const BoardFigures figures = boardFigures(wish);
    QCOMPARE(figures.joules, std::optional(200.0)); // Nothing for the pause.
    QCOMPARE(figures.unknownNs, 5 * kSecond);
    QCOMPARE(figures.railJoules, std::vector<double>({100, 40, 60}));
    QCOMPARE(figures.joulesUntil, 40.0);
    QCOMPARE(figures.joulesThrottled, 30.0);
    QCOMPARE(figures.curves.size(), std::size_t(2));
    wish.total.reset();
    QVERIFY(!boardFigures(wish).joules);
}

void TestBoardSeries::whatIsOldIsForgotten()
{
    Recorded board;
    board.read(100);
    board.set(Recorded::Tj, 60);
    board.read(100);
    board.change().keepFrom(150 * kSecond);
    const BoardSeries &series = board.series();
    QCOMPARE(series.time().startNs, 150 * kSecond);
    QCOMPARE(series.time().endNs, 199 * kSecond);
    QCOMPARE(series.find("temperature tj")->valueAt(150 * kSecond), std::optional(60.0));
    QVERIFY(!series.find("temperature tj")->valueAt(149 * kSecond));
    QCOMPARE(series.tracks()[*series.totalPower()].valueAt(199 * kSecond), std::optional(10.0));
    board.read(1); // It goes on.
    QCOMPARE(series.time().endNs, 200 * kSecond);
}

void TestBoardSeries::missingReadingsAreAnEvent()
{
    Recorded board;
    board.read(10);
    board.pause(30);
    board.read(10);
    const std::vector<BoardEvent> found = eventsOf(board.series(), BoardEvent::Kind::Missing);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().time, (Interval{10 * kSecond, 40 * kSecond}));
    QVERIFY(found.front().isMeasured);
    QVERIFY(eventsOf(board.series(), BoardEvent::Kind::PowerMode).empty()); // The cores did not go off.
}

void TestBoardSeries::aHotGpuIsProbablyThrottled()
{
    Recorded board;
    board.set(Recorded::GpuLoad, 99);
    board.set(Recorded::GpuClock, 1300e6);
    board.set(Recorded::Tj, 90);
    board.read(60);
    board.set(Recorded::GpuClock, 900e6);
    board.set(Recorded::Tj, 98.5);
    board.read(10);
    board.set(Recorded::GpuLoad, 70); // A short pause of the load does not end it.
    board.read(2);
    board.set(Recorded::GpuLoad, 99);
    board.set(Recorded::GpuClock, 816e6);
    board.read(10);
    board.set(Recorded::GpuClock, 1300e6);
    board.read(20);
    const std::vector<BoardEvent> found = eventsOf(board.series(), BoardEvent::Kind::Throttled);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().time, (Interval{60 * kSecond, 82 * kSecond}));
    QVERIFY(!found.front().isMeasured);
    QVERIFY(!found.front().lasts);
    QVERIFY2(found.front().seenBy.find("1300 → 816 MHz, tj up to 98.5 °C") != std::string::npos,
             found.front().seenBy.c_str());
}

void TestBoardSeries::aCoolGpuIsOnlySlower()
{
    Recorded board;
    board.set(Recorded::GpuLoad, 99);
    board.set(Recorded::GpuClock, 1300e6);
    board.read(60);
    board.set(Recorded::GpuClock, 600e6);
    board.read(60);
    QVERIFY(eventsOf(board.series(), BoardEvent::Kind::Throttled).empty());
    const std::vector<BoardEvent> found = eventsOf(board.series(), BoardEvent::Kind::Slowed);
    QCOMPARE(found.size(), std::size_t(1));
    QVERIFY(found.front().lasts);
}

void TestBoardSeries::aShortDropOfTheClockIsNone()
{
    Recorded board;
    board.set(Recorded::GpuLoad, 99);
    board.set(Recorded::GpuClock, 1300e6);
    board.set(Recorded::Tj, 95);
    board.read(30);
    board.set(Recorded::GpuClock, 600e6);
    board.read(2);
    board.set(Recorded::GpuClock, 1300e6);
    board.read(30);
    board.set(Recorded::GpuLoad, 5); // Without load a low clock is as it should be.
    board.set(Recorded::GpuClock, 300e6);
    board.read(60);
    QVERIFY(boardEvents(board.series()).empty());
}

void TestBoardSeries::coresThatStayOffAreAnotherMode()
{
    Recorded board;
    board.read(30);
    board.set(Recorded::Core1, kOff);
    board.read(5); // Asleep.
    board.set(Recorded::Core1, 10);
    board.read(30);
    QVERIFY(boardEvents(board.series()).empty());
    board.set(Recorded::Core1, kOff);
    board.read(60);
    board.set(Recorded::Core1, 10);
    board.read(5);
    const std::vector<BoardEvent> found = eventsOf(board.series(), BoardEvent::Kind::PowerMode);
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].what, std::string("another power mode: core 1 off"));
    QCOMPARE(found[0].time.startNs, 65 * kSecond);
    QVERIFY(!found[0].isMeasured);
    QCOMPARE(found[1].time.startNs, 125 * kSecond);
}

void TestBoardSeries::whatTheBoardReportsIsMeasured()
{
    BoardSeries series({{0, kThrottlingCounter, "", {}},
                        {1, kPowerModeCounter, "", {}},
                        {2, "GPU load", "%", {}},
                        {3, kOverCurrentCounter, "", {}}});
    std::vector<CounterSample> samples;
    for (int i = 0; i < 40; ++i)
        for (const auto &[id, value] : std::initializer_list<std::pair<CounterId, double>>{
                 {0, i >= 10 && i < 20 ? 2 : 0}, {1, i < 30 ? 0 : 2}, {2, 50}, {3, i < 35 ? 0 : 1}})
            samples.push_back({i * kSecond, value, id});
    series.add(samples);
    const std::vector<BoardEvent> events = boardEvents(series);
    QCOMPARE(events.size(), std::size_t(3));
    QCOMPARE(events[0].time, (Interval{10 * kSecond, 20 * kSecond}));
    QCOMPARE(events[1].what, std::string("power mode 0 → 2"));
    QVERIFY(std::all_of(events.begin(), events.end(), [](const BoardEvent &event) { return event.isMeasured; }));
}

void TestBoardSeries::theHeadlineSaysTheWorst()
{
    Recorded board;
    board.read(100);
    const BoardHeadline calm = headlineOf(board.series(), boardEvents(board.series()), board.series().time());
    QCOMPARE(calm.first, std::string("10.0 W on average."));
    QVERIFY2(calm.rest.find("990 J in 1 min 39 s (VDD_GPU_SOC + VDD_CPU_CV + VIN_SYS_5V0)") != std::string::npos,
             calm.rest.c_str());
    QVERIFY(!calm.isWarning);
    board.set(Recorded::GpuLoad, 99);
    board.set(Recorded::GpuClock, 1300e6);
    board.set(Recorded::Tj, 95);
    board.read(10);
    board.set(Recorded::GpuClock, 700e6);
    board.read(11);
    const BoardHeadline hot = headlineOf(board.series(), boardEvents(board.series()), board.series().time());
    QVERIFY(hot.isWarning);
    QVERIFY2(hot.first.starts_with("The GPU was probably throttled for"), hot.first.c_str());
    const BoardHeadline empty = headlineOf(BoardSeries(), {}, {0, 0});
    QVERIFY(!empty.first.empty());
}

/// Values, times and numbers of counters as a broken file may have them.
void TestBoardSeries::anythingIsTaken()
{
    std::mt19937_64 random(7);
    std::vector<CounterInfo> infos;
    for (CounterId id = 0; id < 900; ++id)
        infos.push_back({id,
                         (id % 3 ? "CPU " + std::to_string(id) : std::string("power R")) + (id % 3 ? " load" : ""),
                         id % 3 ? "%" : "W",
                         {}});
    BoardSeries series(infos);
    QVERIFY(series.tracks().size() <= BoardSeries::kMaxCounters + 8);
    const std::vector<double> values = {kOff, std::numeric_limits<double>::infinity(), -1e308, 1e308, 0, -0.0, 50};
    std::vector<CounterSample> samples;
    std::int64_t ns = std::numeric_limits<std::int64_t>::min() / 4;
    for (int i = 0; i < 20'000; ++i) {
        ns += static_cast<std::int64_t>(random() % 3) * static_cast<std::int64_t>(random() % (1ULL << 44));
        samples.push_back({ns, values[random() % values.size()], static_cast<CounterId>(random() % 65'536)});
    }
    series.add(samples);
    const std::vector<BoardEvent> events = boardEvents(series);
    for (const BoardEvent &event : events)
        QVERIFY(event.time.startNs <= event.time.endNs);
    QVERIFY(!headlineOf(series, events, series.time()).first.empty());
    series.keepFrom(series.time().endNs);
    series.keepFrom(std::numeric_limits<std::int64_t>::max());
    BoardSeries none;
    none.add(samples);
    none.keepFrom(0);
    QVERIFY(none.charts().empty() && boardEvents(none).empty());
}

JETSCOPE_TEST(TestBoardSeries)
#include "tst_boardseries.moc"
