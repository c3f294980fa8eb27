// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/bulkpace.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <deque>

using namespace jetscope;

namespace {

constexpr std::size_t kWindow = 256 << 10;
constexpr std::size_t kBlock = 16 << 10;

/// A link with a rate and a delay, over which as much of Bulk is sent as the pace allows. Returns the longest time that
/// something urgent would have waited behind it, after a second.
double longestQueueMs(BulkPace &pace, double bytesPerMs, double delayMs)
{
    struct Block {
        double arrivesMs = 0;
    };
    std::deque<Block> onWay;
    double freeMs = 0; // When the link has sent all that was given to it.
    double longest = 0;
    for (double nowMs = 0; nowMs < 10'000; nowMs += 1) {
        while (!onWay.empty() && onWay.front().arrivesMs + delayMs <= nowMs) {
            onWay.pop_front();
            pace.used(kBlock, static_cast<std::int64_t>(nowMs * 1e6));
        }
        while (pace.maySend()) {
            freeMs = std::max(freeMs, nowMs) + kBlock / bytesPerMs;
            onWay.push_back({freeMs + delayMs});
            pace.sent(kBlock, static_cast<std::int64_t>(nowMs * 1e6));
        }
        if (nowMs > 1000)
            longest = std::max(longest, freeMs - nowMs);
    }
    return longest;
}

} // namespace

class TestBulkPace : public QObject {
    Q_OBJECT

private slots:
    /// The whole window would wait for a second at 2 Mbit/s.
    void littleWaitsOnASlowLink()
    {
        constexpr double kBytesPerMs = 250; // 2 Mbit/s.
        BulkPace pace(kWindow);
        const double waits = longestQueueMs(pace, kBytesPerMs, 20);
        QVERIFY2(waits < 0.25 * kWindow / kBytesPerMs, qPrintable(QString::number(waits)));
        QVERIFY(pace.limit() >= BulkPace::kLeast);
    }

    /// What a fast link with a long way can hold is used.
    void aFastLinkIsFilled()
    {
        BulkPace pace(kWindow);
        longestQueueMs(pace, 100'000, 20);
        QCOMPARE(pace.limit(), kWindow);
    }

    /// The first grants are no answer to anything.
    void firstGrantsSayNothing()
    {
        BulkPace pace(kWindow);
        const std::size_t before = pace.limit();
        pace.used(kWindow, 1'000'000);
        QCOMPARE(pace.limit(), before);
        QVERIFY(pace.maySend());
        pace.sent(before, 2'000'000);
        QVERIFY(!pace.maySend());
    }
};

JETSCOPE_TEST(TestBulkPace)
#include "tst_bulkpace.moc"
