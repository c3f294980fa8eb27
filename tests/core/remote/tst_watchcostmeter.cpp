// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/watch/watchcostmeter.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace jetscope;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// A pipeline on a machine that becomes slower, and the server that watches it, in a time that the test makes.
struct World {
    double factor = 1;    ///< Of a frame while it is watched.
    double noise = 0.1;   ///< Of single frames.
    double drift = 0;     ///< A second.
    double frameMs = 4;   ///< While it is not watched.
    double periodMs = 16; ///< From frame to frame.
    bool isWatched = true;
    std::int64_t catchUpNs = 60 * kMs; ///< Until all that was kept back is sent.

    WatchCostMeter meter;
    std::int64_t nowNs = 1000 * kMs;
    std::int64_t keptBackNs = 0; ///< How long in all.
    std::int64_t longestNs = 0;  ///< At once.

    void run(double seconds)
    {
        const std::int64_t endNs = nowNs + static_cast<std::int64_t>(seconds * 1e9);
        for (; nowNs < endNs; nowNs += 20 * kMs) {
            m_keeps = meter.keepsBack({nowNs, isWatched, !m_keeps && nowNs - m_endedNs > catchUpNs});
            if (m_keeps) {
                m_sinceNs = m_sinceNs == 0 ? nowNs : m_sinceNs;
                m_endedNs = nowNs;
                keptBackNs += 20 * kMs;
                longestNs = std::max(longestNs, nowNs - m_sinceNs);
            } else {
                m_sinceNs = 0;
            }
            makeFrames();
        }
    }

private:
    void makeFrames()
    {
        std::uniform_real_distribution<double> jitter(1 - noise, 1 + noise);
        std::vector<FrameFigures> frames;
        for (; m_nextFrameNs < nowNs; m_nextFrameNs += static_cast<std::int64_t>(periodMs * 1e6)) {
            FrameFigures figures;
            const double slower = 1 + drift * static_cast<double>(nowNs) / 1e9;
            figures.startNs = m_nextFrameNs;
            figures.frameNs =
                static_cast<std::int64_t>(frameMs * slower * (m_keeps ? 1 : factor) * jitter(m_random) * 1e6);
            frames.push_back(figures);
        }
        // They are told when the next ones are made.
        meter.add(m_told);
        m_told = frames;
    }

    std::mt19937 m_random{11};
    std::vector<FrameFigures> m_told;
    std::int64_t m_nextFrameNs = 1000 * kMs;
    std::int64_t m_endedNs = 0;
    std::int64_t m_sinceNs = 0;
    bool m_keeps = false;
};

} // namespace

class TestWatchCostMeter : public QObject {
    Q_OBJECT

private slots:
    void saysNothingAtFirst()
    {
        World world;
        world.run(5);
        QVERIFY(!world.meter.cost());
    }

    void aPlantedCostIsFound_data()
    {
        QTest::addColumn<double>("factor");
        for (const double factor : {0.97, 1.0, 1.01, 1.05, 1.5})
            QTest::addRow("%.2f", factor) << factor;
    }
    void aPlantedCostIsFound()
    {
        QFETCH(double, factor);
        World world;
        world.factor = factor;
        world.drift = 0.002;
        world.run(600);
        QVERIFY(world.meter.cost());
        const WatchCostMeter::Cost cost = *world.meter.cost();
        const QString text = QStringLiteral("%1 ± %2").arg(cost.frameRatio).arg(cost.noise);
        QVERIFY2(std::abs(cost.frameRatio - factor) <= 2 * cost.noise + 0.001, qPrintable(text));
        if (factor == 1.0)
            QVERIFY2(std::abs(cost.frameRatio - 1) <= 1.5 * cost.noise, qPrintable(text));
        else
            QVERIFY2(std::abs(cost.frameRatio - 1) > 2 * cost.noise || std::abs(factor - 1) < 0.02, qPrintable(text));
        QVERIFY2(cost.noise < 0.03, qPrintable(text));
    }

    /// How often a machine without a cost is said to have one: the interval is one of 95 %.
    void theNoiseIsHonest()
    {
        int outside = 0;
        for (unsigned i = 0; i < 100; ++i) {
            World world;
            world.noise = 0.1 + 0.002 * i;
            world.run(150);
            outside += std::abs(world.meter.cost()->frameRatio - 1) > world.meter.cost()->noise ? 1 : 0;
        }
        QVERIFY2(outside <= 14, qPrintable(QString::number(outside)));
    }

    /// Soon a result, and then rarely: a twentieth of the time at most, half a second at once.
    void isHardlySeen()
    {
        World world;
        world.run(30);
        QVERIFY(world.meter.cost());
        world.keptBackNs = world.longestNs = 0;
        world.run(600);
        QVERIFY(world.keptBackNs > 0);
        QVERIFY(static_cast<double>(world.keptBackNs) / 600e9 < 0.05);
        QVERIFY(world.longestNs < 600 * kMs);
    }

    void nobodyWatches()
    {
        World world;
        world.isWatched = false;
        world.run(100);
        QVERIFY(!world.meter.cost());
        QCOMPARE(world.keptBackNs, std::int64_t{0});
    }

    void slowPipelinesHaveLongerTurns()
    {
        World world;
        world.periodMs = 100;
        world.frameMs = 90;
        world.factor = 1.2;
        world.run(400);
        QVERIFY(world.meter.cost());
        QVERIFY(std::abs(world.meter.cost()->frameRatio - 1.2) < 0.05);
        QVERIFY(world.longestNs > 600 * kMs && world.longestNs < 2100 * kMs);
    }

    /// One frame a second: no turn has enough, and none is believed.
    void tooFewFramesSayNothing()
    {
        World world;
        world.periodMs = 1000;
        world.run(300);
        QVERIFY(!world.meter.cost());
    }

    void newsThatDoNotWaitEndATurn()
    {
        World world;
        bool isKept = false;
        for (int i = 0; i < 1000 && !isKept; ++i) {
            const std::int64_t before = world.keptBackNs;
            world.run(0.02);
            isKept = world.keptBackNs > before;
        }
        QVERIFY(isKept);
        world.meter.interrupt();
        const std::int64_t before = world.keptBackNs;
        world.run(1);
        QCOMPARE(world.keptBackNs, before);
    }

    void otherChoicesAreMeasuredAnew()
    {
        World world;
        world.factor = 1.5;
        world.run(60);
        QVERIFY(world.meter.cost() && world.meter.cost()->frameRatio > 1.4);
        world.meter.restart();
        QVERIFY(!world.meter.cost());
        world.factor = 1;
        world.run(60);
        QVERIFY(world.meter.cost() && world.meter.cost()->frameRatio < 1.1);
    }

    /// What was kept back is sent before the watched turn of the round is measured.
    void catchingUpIsNoTurn()
    {
        World world;
        world.catchUpNs = 700 * kMs;
        world.run(120);
        QVERIFY(world.meter.cost());
        QVERIFY(world.longestNs < 600 * kMs);
    }
};

JETSCOPE_TEST(TestWatchCostMeter)
#include "tst_watchcostmeter.moc"
