// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/energy.h"
#include "core/board/limitwatch.h"
#include "core/board/machinechanges.h"
#include "core/board/machinerecord.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cmath>

using namespace jetscope;

namespace {

constexpr std::int64_t kMs = 1'000'000;

CounterTrack trackWith(const std::string &name, const std::string &unit,
                       const std::vector<std::pair<std::int64_t, double>> &samples)
{
    CounterTrack track(CounterInfo{0, name, unit, {}});
    for (const auto &[ms, value] : samples)
        if (!track.append(ms * kMs, value))
            qFatal("a sample of the test was refused");
    return track;
}

std::vector<CounterTrack> tracks(CounterTrack a)
{
    std::vector<CounterTrack> all;
    all.push_back(std::move(a));
    return all;
}

Interval ms(std::int64_t from, std::int64_t to)
{
    return {from * kMs, to * kMs};
}

} // namespace

class TestEnergy : public QObject {
    Q_OBJECT
private slots:
    void integratesByTrapezoids();
    void interpolatesAtTheEnds();
    void equalsTheIntegralOfAKnownCurve();
    void isUnknownWithTheReason_data();
    void isUnknownWithTheReason();
    void takesTheBestKnownPower();
    void saysWhatChanged();
    void tellsWhenClocksAreLimited();
    void advisesByMachine();
    void recordsTheMachineOnly();
};

void TestEnergy::integratesByTrapezoids()
{
    // 2 W for 0.1 s, then up to 4 W within 0.1 s, then 4 W for 0.2 s.
    const auto all = tracks(trackWith("power VDD_IN", "W", {{1000, 2}, {1100, 2}, {1200, 4}, {1300, 4}, {1400, 4}}));
    const Energy energy = energyWithin(all, ms(1000, 1400));
    QVERIFY2(energy.joules.known(), energy.joules.reason.c_str());
    QVERIFY(std::abs(*energy.joules.value - (0.2 + 0.3 + 0.8)) < 1e-12);
    QCOMPARE(energy.source, std::string("power VDD_IN"));
}

void TestEnergy::interpolatesAtTheEnds()
{
    const auto all = tracks(trackWith("power VDD_IN", "W", {{0, 0}, {100, 1}, {200, 2}, {300, 3}, {400, 4}}));
    QVERIFY(std::abs(*energyWithin(all, ms(50, 250)).joules.value - 0.2 * 1.5) < 1e-12);
    // At the ends a reading holds for a quarter of a second.
    QVERIFY(std::abs(*energyWithin(all, ms(0, 600)).joules.value - (0.4 * 2 + 0.2 * 4)) < 1e-12);
    QVERIFY(!energyWithin(all, ms(0, 700)).joules.known());
    QVERIFY(!energyWithin(all, ms(-300, 400)).joules.known());
}

void TestEnergy::equalsTheIntegralOfAKnownCurve()
{
    std::vector<std::pair<std::int64_t, double>> samples;
    for (std::int64_t at = 0; at <= 10'000; at += 100)
        samples.emplace_back(at, 10 + 5 * std::sin(static_cast<double>(at) / 1000));
    const auto all = tracks(trackWith("power sum of rails", "W", samples));
    const double exact = 10 * 8 - 5 * (std::cos(9) - std::cos(1));
    QVERIFY(std::abs(*energyWithin(all, ms(1000, 9000)).joules.value / exact - 1) < 1e-3);
}

void TestEnergy::isUnknownWithTheReason_data()
{
    using Samples = std::vector<std::pair<std::int64_t, double>>;
    QTest::addColumn<Samples>("samples");
    QTest::addColumn<QString>("reason");
    QTest::newRow("none") << Samples{} << "only 0 readings";
    QTest::newRow("two") << Samples{{0, 1}, {100, 1}} << "only 2 readings";
    QTest::newRow("unknown in between") << Samples{{0, 1}, {100, std::nan("")}, {200, 1}, {300, 1}}
                                        << "could not be read";
    QTest::newRow("a gap") << Samples{{0, 1}, {100, 1}, {1500, 1}, {1600, 1}} << "no reading of power VDD_IN for 1.4 s";
    QTest::newRow("late") << Samples{{400, 1}, {500, 1}, {600, 1}, {1500, 1}} << "at an end";
}

void TestEnergy::isUnknownWithTheReason()
{
    using Samples = std::vector<std::pair<std::int64_t, double>>;
    QFETCH(Samples, samples);
    QFETCH(QString, reason);
    const auto all = tracks(trackWith("power VDD_IN", "W", samples));
    const std::int64_t end = samples.empty() ? 1000 : samples.back().first;
    const Energy energy = energyWithin(all, ms(0, end));
    QVERIFY(!energy.joules.known());
    QVERIFY2(QString::fromStdString(energy.joules.reason).contains(reason), energy.joules.reason.c_str());
}

void TestEnergy::takesTheBestKnownPower()
{
    const std::vector<std::pair<std::int64_t, double>> flat = {{0, 1}, {100, 1}, {200, 1}, {300, 1}};
    std::vector<CounterTrack> all;
    QCOMPARE(energyWithin(all, ms(0, 300)).joules.reason,
             std::string("no power of this machine can be read without root"));
    all.push_back(trackWith("power VDD_SOC", "W", flat));
    QVERIFY(energyCounters(all).empty()); // One rail of several is not the machine.
    all.push_back(trackWith("power CPU package-0", "W", flat));
    all.push_back(trackWith("power GPU", "W", flat));
    const Energy parts = energyWithin(all, ms(0, 300));
    QVERIFY(std::abs(*parts.joules.value - 0.6) < 1e-12);
    QCOMPARE(parts.source, std::string("power CPU package-0 + power GPU"));
    all.push_back(trackWith("power VDD_IN", "W", flat));
    QCOMPARE(energyWithin(all, ms(0, 300)).source, std::string("power VDD_IN"));
}

void TestEnergy::saysWhatChanged()
{
    std::vector<CounterTrack> all;
    all.push_back(trackWith("power mode", "", {{0, 2}}));
    all.push_back(trackWith("clocks locked", "", {{0, 1}}));
    all.push_back(trackWith("GPU clock", "Hz", {{0, 612e6}, {500, 306e6}}));
    all.push_back(trackWith("CPU clock", "Hz", {{0, 1000e6}, {500, 1001e6}}));
    all.push_back(trackWith("temperature tj", "°C", {{0, 50}, {700, 53}}));
    all.push_back(trackWith("throttling", "", {{0, 0}, {600, 1}, {650, 0}}));
    QCOMPARE(machineChangeWords(machineWithin(all, ms(0, 400))), std::string());
    const MachineSpan span = machineWithin(all, ms(100, 900));
    QCOMPARE(machineChangeWords(span),
             std::string("GPU clock moved between 306 MHz and 612 MHz; clocks were limited (throttling)"));
    QCOMPARE(span.clocksLocked, std::optional(true));
    QCOMPARE(span.limited, std::optional(true));
    QCOMPARE(span.clocks[0].begin, std::optional(612e6));
    QCOMPARE(span.clocks[0].end, std::optional(306e6));
    const auto events = tracks(trackWith("over-current events", "", {{0, 37}, {500, 38}}));
    QCOMPARE(machineWithin(events, ms(0, 400)).limited, std::optional(false));
    QCOMPARE(machineWithin(events, ms(0, 600)).limits, std::string("over-current events"));
    all.push_back(trackWith("power mode 2", "", {{0, 2}}));
    all.erase(all.begin());
    QVERIFY(!machineWithin(all, ms(0, 900)).powerMode);
    std::vector<CounterTrack> modes = tracks(trackWith("power mode", "", {{0, 2}, {500, 0}}));
    QCOMPARE(machineChangeWords(machineWithin(modes, ms(0, 900))),
             std::string("the power mode changed between 0 and 2"));
    const MachineSpan nothing = machineWithin({}, ms(0, 900));
    QVERIFY(!nothing.limited && !nothing.clocksLocked && !nothing.energy.joules.known());
}

void TestEnergy::tellsWhenClocksAreLimited()
{
    const auto texts = [](LimitWatch &watch, std::int64_t atMs, std::vector<std::string> limits, std::string mode) {
        BoardState state;
        state.timeNs = atMs * kMs;
        state.limits = std::move(limits);
        state.powerMode = std::move(mode);
        std::vector<std::string> all;
        for (const LimitWatch::Event &event : watch.take(state))
            all.push_back(event.text);
        return all;
    };
    using Texts = std::vector<std::string>;
    LimitWatch watch;
    QCOMPARE(texts(watch, 0, {}, "15W (1)"), Texts());
    QCOMPARE(texts(watch, 100, {"VDD_IN"}, "15W (1)"), Texts{"clocks limited: VDD_IN"});
    QCOMPARE(texts(watch, 200, {"VDD_IN", "cpu-throttle-alert"}, ""), Texts{"clocks limited: cpu-throttle-alert"});
    QCOMPARE(texts(watch, 600, {"cpu-throttle-alert"}, ""), Texts()); // It may come back.
    QCOMPARE(texts(watch, 1300, {"cpu-throttle-alert"}, "MAXN (0)"),
             (Texts{"clocks no longer limited: VDD_IN, after 0.1 s", "power mode: 15W (1) → MAXN (0)"}));
    QCOMPARE(texts(watch, 1400, {"cpu-throttle-alert"}, "MAXN (0)"), Texts());
}

void TestEnergy::advisesByMachine()
{
    const std::vector<std::string> jetson = {"power mode", "GPU clock"};
    QCOMPARE(lockAdvice("GPU clock", jetson), std::string("lock the clocks: sudo jetson_clocks"));
    const std::vector<std::string> card = {"GPU clock", "GPU power cap"};
    QVERIFY(lockAdvice("GPU clock", card).starts_with("lock the clocks: sudo nvidia-smi --lock-gpu-clocks="));
    QVERIFY(lockAdvice("CPU clock", card).find("nvidia-smi") == std::string::npos);
}

void TestEnergy::recordsTheMachineOnly()
{
    MachineRecord record;
    const std::vector<CounterInfo> infos = {{0, "frames in flight", "frames", {}}, {7, "power VDD_IN", "W", {}}};
    record.add(infos, {{5, 1, 0}, {5, 2, 7}});
    record.add(infos, {{6, 3, 7}});
    QCOMPARE(record.counters().size(), std::size_t{1});
    QCOMPARE(record.counters()[0].endIndex(), std::uint64_t{2});
}

JETSCOPE_TEST(TestEnergy)
#include "tst_energy.moc"
