// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/clockoffset.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <limits>
#include <random>

using namespace jetscope;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// A far clock that is ahead and drifts, behind ways that take different times in both directions.
struct World {
    double driftPpm = 0;
    std::int64_t aheadNs = 123 * kSecond;
    std::mt19937 random{1};

    std::int64_t far(std::int64_t nowNs) const
    {
        return nowNs + aheadNs + static_cast<std::int64_t>(driftPpm * 1e-6 * static_cast<double>(nowNs));
    }
    /// A ping at this time; returns the pong and when it came.
    std::pair<Pong, std::int64_t> ping(std::int64_t nowNs)
    {
        const auto way = [this] { return static_cast<std::int64_t>(1'000'000 + random() % 30'000'000); };
        const std::int64_t there = nowNs + way();
        const std::int64_t sent = there + static_cast<std::int64_t>(random() % 5'000'000);
        return {Pong{nowNs, far(there), far(sent)}, sent + way()};
    }
};

} // namespace

class TestClockOffset : public QObject {
    Q_OBJECT

private slots:
    void theTruthIsWithinTheBound_data()
    {
        QTest::addColumn<double>("drift");
        for (const double drift : {0.0, 20.0, -80.0, 100.0})
            QTest::newRow(qPrintable(QString::number(drift))) << drift;
    }
    void theTruthIsWithinTheBound()
    {
        QFETCH(double, drift);
        World world{drift};
        ClockOffsetMeter meter;
        QVERIFY(!meter.at(0));
        std::int64_t now = 5 * kSecond;
        for (int round = 0; round < 40; ++round, now += 30 * kSecond) {
            for (std::size_t i = 0; i < ClockOffsetMeter::kPings; ++i) {
                const auto [pong, came] = world.ping(now);
                QVERIFY(meter.add(pong, came));
                now = came + 50'000'000;
            }
            for (const std::int64_t later : {std::int64_t{0}, 10 * kSecond, 29 * kSecond}) {
                const ClockOffset offset = *meter.at(now + later);
                const std::int64_t truth = world.far(now + later) - (now + later);
                QVERIFY2(std::abs(offset.offsetNs - truth) <= offset.boundNs,
                         qPrintable(QString("%1 ±%2").arg(offset.offsetNs - truth).arg(offset.boundNs)));
                QVERIFY(offset.boundNs < 40'000'000);
            }
        }
    }

    void theLeastRoundTripCounts()
    {
        ClockOffsetMeter meter;
        for (std::size_t i = 0; i < ClockOffsetMeter::kPings; ++i) {
            // One way takes long but once.
            const std::int64_t there = i == 5 ? 100 : 1'000'000;
            QVERIFY(meter.add(Pong{0, 7000 + there, 7000 + there}, there + 100));
        }
        QCOMPARE(meter.at(200)->offsetNs, std::int64_t{7000});
        QCOMPARE(meter.at(200)->boundNs, std::int64_t{101});
    }

    /// A machine that sleeps stands still by this clock.
    void aClockThatStoodStillIsMeasuredAnew()
    {
        for (const bool isTold : {false, true}) {
            World world;
            ClockOffsetMeter meter;
            std::int64_t now = 5 * kSecond;
            for (int round = 0; round < 6; ++round, now += 30 * kSecond) {
                if (round == 3) {
                    world.aheadNs -= 3600 * kSecond;
                    if (isTold) {
                        meter.forget();
                        QVERIFY(!meter.at(now));
                    }
                }
                for (std::size_t i = 0; i < ClockOffsetMeter::kPings; ++i) {
                    const auto [pong, came] = world.ping(now);
                    QVERIFY(meter.add(pong, came));
                    now = came + 50'000'000;
                }
                for (const std::int64_t later : {std::int64_t{0}, 29 * kSecond}) {
                    const ClockOffset offset = *meter.at(now + later);
                    QVERIFY(std::abs(offset.offsetNs - world.aheadNs) <= offset.boundNs);
                }
            }
        }
    }

    void impossibleStampsAreRefused()
    {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
        ClockOffsetMeter meter;
        QVERIFY(!meter.add(Pong{0, kMost, kMost}, 10));
        QVERIFY(!meter.add(Pong{kLeast, 0, 0}, 10));
        QVERIFY(!meter.add(Pong{0, 5, 4}, 10));   // Sent before it came.
        QVERIFY(!meter.add(Pong{0, 5, 100}, 10)); // It took longer than the whole way.
        QVERIFY(!meter.add(Pong{20, 5, 5}, 10));  // Came before it was sent.
        QVERIFY(!meter.at(10));
    }
};

JETSCOPE_TEST(TestClockOffset)
#include "tst_clockoffset.moc"
