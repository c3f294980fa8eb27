// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/bulkpace.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <deque>
#include <utility>

using namespace jetscope;

namespace {

constexpr std::size_t kWindow = 256 << 10;
constexpr std::size_t kBlock = 16 << 10;
constexpr std::size_t kGrant = 16 << 10;

struct OverLink {
    double longestQueueMs = 0; ///< The longest time that something urgent would have waited behind Bulk,
    double used = 0;           ///< and the share of the time in which the link sent; both after a second.
};

/// A link with a rate and a delay, over which as much of Bulk is sent as the pace allows. `packing`: how often a packed
/// block fits into one that is not. Grants come for kGrant of content or more.
OverLink sendOver(BulkPace &pace, double bytesPerMs, double delayMs, std::size_t packing = 1,
                  std::size_t block = kBlock)
{
    struct Block {
        double arrivesMs = 0;
    };
    std::size_t taken = 0;
    constexpr double kEndMs = 10'000;
    std::deque<Block> onWay;
    double freeMs = 0; // When the link has sent all that was given to it.
    double idleMs = 0;
    OverLink over;
    for (double nowMs = 0; nowMs < kEndMs; nowMs += 1) {
        while (!onWay.empty() && onWay.front().arrivesMs + delayMs <= nowMs) {
            onWay.pop_front();
            taken += block;
            if (taken >= kGrant)
                pace.used(std::exchange(taken, 0), static_cast<std::int64_t>(nowMs * 1e6));
        }
        while (pace.maySend()) {
            const std::size_t onLink = block / packing;
            freeMs = std::max(freeMs, nowMs) + static_cast<double>(onLink) / bytesPerMs;
            onWay.push_back({freeMs + delayMs});
            pace.sent(block, onLink, static_cast<std::int64_t>(nowMs * 1e6));
        }
        if (nowMs > 1000) {
            over.longestQueueMs = std::max(over.longestQueueMs, freeMs - nowMs);
            idleMs += freeMs > nowMs ? 0 : 1;
        }
    }
    over.used = 1 - idleMs / (kEndMs - 1000);
    return over;
}

} // namespace

class TestBulkPace : public QObject {
    Q_OBJECT

private slots:
    /// The whole window would wait for a second at 2 Mbit/s.
    void littleWaitsOnASlowLink()
    {
        constexpr double kBytesPerMs = 250; // 2 Mbit/s.
        BulkPace pace(kWindow, kGrant);
        const double waits = sendOver(pace, kBytesPerMs, 20).longestQueueMs;
        QVERIFY2(waits < 0.25 * kWindow / kBytesPerMs, qPrintable(QString::number(waits)));
        QVERIFY(pace.limit() >= BulkPace::kLeast);
    }

    /// What is packed to a quarter needs four times as much content on its way to fill the same link.
    void aSlowLinkIsFilled_data()
    {
        QTest::addColumn<int>("packing");
        QTest::newRow("as it is") << 1;
        QTest::newRow("packed") << 4;
    }
    void aSlowLinkIsFilled()
    {
        QFETCH(int, packing);
        BulkPace pace(kWindow, kGrant);
        const OverLink over = sendOver(pace, 250, 40, static_cast<std::size_t>(packing));
        QVERIFY2(over.used > 0.9, qPrintable(QString::number(over.used)));
        QVERIFY2(over.longestQueueMs < 200, qPrintable(QString::number(over.longestQueueMs)));
    }

    /// The limit may be less than what the far end uses before it grants any.
    void smallMessagesDoNotStall_data()
    {
        QTest::addColumn<int>("block");
        QTest::addColumn<int>("packing");
        for (const int block : {100, 3000, 5000, 9000, 15'999, 40'000})
            for (const int packing : {1, 2, 4})
                QTest::addRow("%d bytes, packed to 1/%d", block, packing) << block << packing;
    }
    void smallMessagesDoNotStall()
    {
        QFETCH(int, block);
        QFETCH(int, packing);
        BulkPace pace(kWindow, kGrant);
        const OverLink over = // So slow that only the least is allowed.
            sendOver(pace, 20, 300, static_cast<std::size_t>(packing), static_cast<std::size_t>(block));
        QVERIFY2(over.used > 0.3, qPrintable(QString::number(over.used)));
    }

    /// What a fast link with a long way can hold is used.
    void aFastLinkIsFilled()
    {
        BulkPace pace(kWindow, kGrant);
        sendOver(pace, 100'000, 20);
        QCOMPARE(pace.limit(), kWindow);
    }

    /// The first grants are no answer to anything.
    void firstGrantsSayNothing()
    {
        BulkPace pace(kWindow, kGrant);
        const std::size_t before = pace.limit();
        pace.used(kWindow, 1'000'000);
        QCOMPARE(pace.limit(), before);
        QVERIFY(pace.maySend());
        pace.sent(before, before, 2'000'000);
        QVERIFY(!pace.maySend());
    }
};

JETSCOPE_TEST(TestBulkPace)
#include "tst_bulkpace.moc"
