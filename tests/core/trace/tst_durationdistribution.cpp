// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/durationdistribution.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace jetscope;

class TestDurationDistribution : public QObject {
    Q_OBJECT
private slots:
    void isEmptyAtFirst();
    void isCloseToSorting();
    void shortDurationsAreExact();
    void takesWhatNoTraceHas();
};

void TestDurationDistribution::isEmptyAtFirst()
{
    DurationDistribution durations;
    for (const bool cleared : {false, true}) {
        QCOMPARE(durations.count(), std::uint64_t(0));
        QCOMPARE(durations.totalNs(), std::int64_t(0));
        QCOMPARE(durations.quantileNs(0.5), std::int64_t(0));
        if (!cleared)
            durations.add(5);
        durations.clear();
    }
}

void TestDurationDistribution::isCloseToSorting()
{
    QRandomGenerator random(3);
    for (const double octaves : {1.0, 12.0, 40.0}) {
        DurationDistribution durations;
        std::vector<std::int64_t> values;
        std::int64_t total = 0;
        for (int i = 0; i < 20'000; ++i) {
            values.push_back(static_cast<std::int64_t>(std::exp2(random.generateDouble() * octaves)));
            durations.add(values.back());
            total += values.back();
        }
        std::sort(values.begin(), values.end());
        QCOMPARE(durations.count(), std::uint64_t(values.size()));
        QCOMPARE(durations.totalNs(), total);
        QCOMPARE(durations.minNs(), values.front());
        QCOMPARE(durations.maxNs(), values.back());
        for (const double part : {0.0, 0.001, 0.25, 0.5, 0.95, 0.99, 0.9999, 1.0}) {
            const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(part * 20'000)));
            const auto wanted = static_cast<double>(values[rank - 1]);
            const auto got = static_cast<double>(durations.quantileNs(part));
            QVERIFY2(std::abs(got - wanted) <= 0.001 * wanted,
                     qPrintable(QString("%1: %2, not %3").arg(part).arg(got).arg(wanted)));
        }
    }
}

void TestDurationDistribution::shortDurationsAreExact()
{
    DurationDistribution durations;
    for (int ns = 1; ns <= 1000; ++ns)
        durations.add(ns);
    for (int percent = 1; percent <= 100; ++percent)
        QCOMPARE(durations.quantileNs(percent / 100.0), std::int64_t(percent * 10));
}

void TestDurationDistribution::takesWhatNoTraceHas()
{
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    DurationDistribution durations;
    for (const std::int64_t ns : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, kMax, kMax})
        durations.add(ns);
    QCOMPARE(durations.totalNs(), kMax);
    QCOMPARE(durations.minNs(), std::int64_t(0));
    QCOMPARE(durations.quantileNs(1), kMax);
    QCOMPARE(durations.quantileNs(2), kMax);
    QCOMPARE(durations.quantileNs(-1), std::int64_t(0));
}

JETSCOPE_TEST(TestDurationDistribution)
#include "tst_durationdistribution.moc"
