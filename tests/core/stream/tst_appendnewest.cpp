// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/appendnewest.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

using namespace jetscope;

/// Keeping the newest values for who is late.
class TestAppendNewest : public QObject {
    Q_OBJECT
private slots:
    void keepsTheNewestAndCountsTheRest();
    void oneCallMayBringMoreThanIsKept();
    void movesFewValuesInEachCall();
};

namespace {

/// Counts how often values are moved or copied.
struct Moved {
    static inline std::uint64_t moves = 0;

    Moved() = default;
    Moved(const Moved &) { ++moves; }
    Moved(Moved &&) noexcept { ++moves; }
    Moved &operator=(const Moved &)
    {
        ++moves;
        return *this;
    }
    Moved &operator=(Moved &&) noexcept
    {
        ++moves;
        return *this;
    }
    ~Moved() = default;
};

std::vector<int> rangeOf(int first, int count)
{
    std::vector<int> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), first);
    return values;
}

} // namespace

void TestAppendNewest::keepsTheNewestAndCountsTheRest()
{
    constexpr std::size_t kMost = 100;
    std::vector<int> kept;
    std::size_t dropped = 0;
    int next = 0;
    for (int call = 0; call < 500; ++call) {
        const int count = call * 7 % 13;
        dropped += appendNewest(kept, rangeOf(next, count), kMost);
        next += count;
        const auto told = static_cast<std::size_t>(next);
        QCOMPARE(dropped + kept.size(), told);
        QVERIFY(kept.size() >= std::min(told, kMost) && kept.size() <= kMost + kMost / 4);
        QCOMPARE(kept, rangeOf(static_cast<int>(dropped), static_cast<int>(kept.size())));
    }
    QVERIFY(dropped > 0);
}

void TestAppendNewest::oneCallMayBringMoreThanIsKept()
{
    std::vector<int> kept = {-3, -2, -1};
    QCOMPARE(appendNewest(kept, rangeOf(0, 50), 8), std::size_t{45});
    QCOMPARE(kept, rangeOf(42, 8));
    QCOMPARE(appendNewest(kept, rangeOf(50, 2), 8), std::size_t{0});
    QCOMPARE(kept, rangeOf(42, 10));
    QCOMPARE(appendNewest(kept, rangeOf(52, 1), 8), std::size_t{3});
    QCOMPARE(kept, rangeOf(45, 8));
    QCOMPARE(appendNewest(kept, {}, 8), std::size_t{0});
}

/// A thread that keeps values for another one and copies all of them in a call is late for its own producer.
void TestAppendNewest::movesFewValuesInEachCall()
{
    constexpr std::size_t kMost = 1 << 16;
    constexpr std::size_t kEach = 64;
    constexpr std::size_t kCalls = 8 * kMost / kEach;
    std::vector<Moved> kept;
    std::uint64_t longestBeforeFull = 0;
    Moved::moves = 0;
    for (std::size_t call = 0; call < kCalls; ++call) {
        const std::uint64_t before = Moved::moves;
        appendNewest(kept, std::vector<Moved>(kEach), kMost);
        if ((call + 1) * kEach <= kMost)
            longestBeforeFull = std::max(longestBeforeFull, Moved::moves - before);
    }
    QVERIFY2(longestBeforeFull < kMost / 8, qPrintable(QString::number(longestBeforeFull)));
    const double each = static_cast<double>(Moved::moves) / static_cast<double>(kCalls * kEach);
    QVERIFY2(each < 8, qPrintable(QString::number(each)));
}

JETSCOPE_TEST(TestAppendNewest)
#include "tst_appendnewest.moc"
