// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/dip.h"
#include "core/measure/method/distribution.h"
#include "tests/core/syntheticdevice.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

using namespace jetscope;
using test::SyntheticDevice;

namespace {

using Frame = std::function<double(SyntheticDevice &)>;
constexpr int kRuns = 200;

std::vector<double> framesOf(std::uint32_t seed, std::size_t count, const Frame &frame, double correlation = 0)
{
    SyntheticDevice device(seed);
    device.correlation = correlation;
    std::vector<double> values(count);
    for (double &value : values)
        value = frame(device);
    return values;
}

} // namespace

Q_DECLARE_METATYPE(Frame)

class TestDistribution : public QObject {
    Q_OBJECT

private slots:
    void theDipIsThatOfKnownSamples()
    {
        std::vector<double> even(100);
        std::iota(even.begin(), even.end(), 0.0);
        QCOMPARE(dipOf(even), 0.005); // 1 / (2 n), the least possible.
        std::vector<double> halves = even;
        for (std::size_t i = 50; i < 100; ++i)
            halves[i] += 1e6;
        QVERIFY(std::abs(dipOf(halves) - 0.25) < 1e-3); // Two points of half the mass each.
        QCOMPARE(dipOf(std::vector<double>(10, 3.0)), 0.05);
        QCOMPARE(dipOf({}), 0.0);
    }

    /// The probability of a uniform sample's dip is uniform itself.
    void theTableOfTheDipIsRight()
    {
        for (const std::size_t count : {30u, 300u, 2000u}) {
            int below5 = 0;
            int below50 = 0;
            for (std::uint32_t seed = 0; seed < 400; ++seed) {
                std::vector<double> values =
                    framesOf(seed, count, [](SyntheticDevice &device) { return device.uniform(); });
                std::sort(values.begin(), values.end());
                const double probability = dipProbability(dipOf(values), count);
                below5 += probability < 0.05 ? 1 : 0;
                below50 += probability < 0.5 ? 1 : 0;
            }
            QVERIFY2(below5 >= 7 && below5 <= 35, qPrintable(QString::number(below5)));
            QVERIFY2(below50 >= 165 && below50 <= 235, qPrintable(QString::number(below50)));
        }
        QCOMPARE(dipProbability(0, 100), 1.0);
        QVERIFY(dipProbability(0.25, 100) <= 0.001);
    }

    void oneModeIsOne_data()
    {
        QTest::addColumn<Frame>("frame");
        QTest::addColumn<double>("correlation");
        const Frame real = [](SyntheticDevice &device) { return device.frame(5); };
        QTest::newRow("real") << real << 0.0; // Measured: 0 of 400, as all of these but the uniform one (1.5 %).
        QTest::newRow("correlated") << real << 0.8;
        QTest::newRow("in steps of a clock")
            << Frame([](SyntheticDevice &device) { return std::round(device.frame(5) * 20) / 20; }) << 0.0;
        QTest::newRow("skewed") << Frame([](SyntheticDevice &device) { return 5 * std::exp(0.3 * device.normal()); })
                                << 0.0;
        QTest::newRow("uniform") << Frame([](SyntheticDevice &device) { return 5 + device.uniform(); }) << 0.0;
        QTest::newRow("constant") << Frame([](SyntheticDevice &) { return 5.0; }) << 0.0;
    }
    void oneModeIsOne()
    {
        QFETCH(Frame, frame);
        QFETCH(double, correlation);
        for (const std::size_t count : {100u, 1000u}) {
            int told = 0;
            for (std::uint32_t seed = 0; seed < kRuns; ++seed) {
                const Modality modality = modalityOf(framesOf(seed, count, frame, correlation));
                told += modality.bimodal() ? 1 : 0;
                QCOMPARE(modality.modes.empty(), false);
            }
            QVERIFY2(told <= kRuns * 4 / 100, qPrintable(QString::number(told)));
        }
    }

    void twoModesAreTwo_data()
    {
        QTest::addColumn<double>("other");
        QTest::addColumn<double>("share");
        QTest::addColumn<int>("count");
        QTest::newRow("20 % apart") << 6.0 << 0.3 << 400;        // Measured with 400 runs, delayed frames: 97 %.
        QTest::newRow("20 % apart, many") << 6.0 << 0.3 << 4000; // 100 %
        QTest::newRow("15 % apart, halves") << 5.75 << 0.5 << 400;
        QTest::newRow("far apart, few") << 12.0 << 0.1 << 2000;
    }
    void twoModesAreTwo()
    {
        QFETCH(double, other);
        QFETCH(double, share);
        QFETCH(int, count);
        int told = 0;
        int placed = 0;
        for (std::uint32_t seed = 0; seed < kRuns; ++seed) {
            const Modality modality =
                modalityOf(framesOf(seed, static_cast<std::size_t>(count), [&](SyntheticDevice &device) {
                    return device.frame(device.uniform() < share ? other : 5);
                }));
            if (!modality.bimodal())
                continue;
            ++told;
            placed += std::abs(modality.modes[0].at - 5) < 0.1 && std::abs(modality.modes[1].at - other) < 0.03 * other
                    && std::abs(modality.modes[1].share - share) < 0.08
                ? 1
                : 0;
        }
        QVERIFY2(told >= kRuns * 95 / 100, qPrintable(QString::number(told)));
        QVERIFY2(placed >= told * 95 / 100, qPrintable(QString::number(placed)));
    }

    void aSwitchInTheMiddleIsToldFromAlternation()
    {
        std::vector<double> values(400);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = (i < 200 ? 5 : 6) + 0.001 * static_cast<double>(i % 7);
        QCOMPARE(modalityOf(values).changes, std::size_t{1});
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = (i % 2 ? 5 : 6) + 0.001 * static_cast<double>(i % 7);
        QCOMPARE(modalityOf(values).changes, std::size_t{399});
        QCOMPARE(modalityWords(modalityOf(values)),
                 std::string("two modes: 50 % of the frames at 5 ms and 50 % at 6 ms"));
        QVERIFY(modalityWords(modalityOf(std::vector<double>(50, 5.0))).empty());
    }

    /// Percentiles of all frames, also of those that the trimmed batches leave out.
    void percentilesAreThoseOfUntrimmedFrames()
    {
        std::vector<double> values(1000, 5.0);
        std::fill(values.begin(), values.begin() + 20, 50.0); // Two batches of ten: both would be trimmed.
        const FrameDistribution distribution = distributionOf(values);
        QCOMPARE(distribution.percentiles.p50, 5.0);
        QCOMPARE(distribution.percentiles.p99, 50.0);
        QCOMPARE(distribution.most, 50.0);
        QCOMPARE(distribution.count, std::size_t{1000});
        std::vector<double> ramp(101);
        std::iota(ramp.rbegin(), ramp.rend(), 0.0);
        QCOMPARE(distributionOf(ramp).percentiles.p50, 50.0);
        QCOMPARE(distributionOf(ramp).percentiles.p95, 95.0);
        QCOMPARE(distributionOf(ramp).percentiles.p99, 99.0);
    }

    void theHistogramCountsEveryFrame()
    {
        for (std::uint32_t seed = 0; seed < 50; ++seed) {
            const std::vector<double> values =
                framesOf(seed, 1 + seed * 40, [](SyntheticDevice &device) { return device.frame(5); });
            const FrameHistogram histogram = distributionOf(values, 60).histogram;
            const std::size_t sum =
                std::accumulate(histogram.counts.begin(), histogram.counts.end(), histogram.below + histogram.above);
            QCOMPARE(sum, values.size());
            QVERIFY(histogram.counts.size() <= 60);
            // Single delayed frames do not squeeze the rest into one bin.
            QVERIFY(values.size() < 500 || histogram.width < 0.5);
        }
        QCOMPARE(distributionOf(std::vector<double>(7, 3.0)).histogram.counts, std::vector<std::uint32_t>{7});
    }

    void badValuesAreIgnored()
    {
        QCOMPARE(distributionOf({}).count, std::size_t{0});
        QVERIFY(distributionOf({}).histogram.counts.empty());
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const double infinity = std::numeric_limits<double>::infinity();
        const FrameDistribution distribution = distributionOf(std::vector<double>{nan, 4, infinity, -infinity});
        QCOMPARE(distribution.count, std::size_t{1});
        QCOMPARE(distribution.percentiles.p99, 4.0);
        std::vector<double> mixed(200, 0.0);
        for (std::size_t i = 0; i < mixed.size(); ++i)
            mixed[i] = i % 3 ? -1e140 : i % 2 ? 1e140 : 1.7e308;
        QCOMPARE(distributionOf(mixed).count, std::size_t{166});
    }
};

JETSCOPE_TEST(TestDistribution)
#include "tst_distribution.moc"
