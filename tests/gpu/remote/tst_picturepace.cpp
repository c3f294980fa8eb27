// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/picturepace.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using namespace std::chrono_literals;

namespace {

/// A link and a laptop that always wants another picture.
struct SlowLink {
    double bitsPerSecond = 1e9;
    std::chrono::milliseconds roundTrip{1};
    PicturePace pace;
    PicturePace::Time now = PicturePace::Time() + 1h;
    std::chrono::milliseconds idle{0}; ///< Before the laptop asks again.
    int pictures = 0;
    std::chrono::nanoseconds busy{0};

    /// Bytes of a usual picture.
    double bytes() const
    {
        const Reduction &reduction = pace.reduction();
        return 0.055 * reduction.mostSide * reduction.mostSide * (reduction.quality > 60 ? 1.6 : 1.0);
    }
    void run(std::chrono::seconds time)
    {
        const auto end = now + time;
        while (now < end) {
            if (!pace.isDue(now)) {
                now += 1ms;
                continue;
            }
            pace.sent(now);
            ++pictures;
            const std::chrono::nanoseconds wire(static_cast<std::int64_t>(bytes() * 8e9 / bitsPerSecond));
            busy += wire;
            now += wire + roundTrip;
            now += idle;
            pace.wanted(now, idle);
        }
    }
};

} // namespace

class TestPicturePace : public QObject {
    Q_OBJECT

private slots:
    void aFastLinkGetsTenASecond()
    {
        SlowLink link;
        link.run(60s);
        QCOMPARE(link.pace.reduction().mostSide, kMaxPreviewSide);
        QCOMPARE(link.pace.reduction().quality, 75);
        QVERIFY(link.pictures <= 601 && link.pictures > 500);
    }

    /// Less than half of the link, and no picture takes long.
    void aSlowLinkGetsSmallOnes_data()
    {
        QTest::addColumn<double>("megabits");
        QTest::addColumn<int>("roundTripMs");
        QTest::newRow("2 Mbit/s, 80 ms") << 2.0 << 80;
        QTest::newRow("2 Mbit/s, 5 ms") << 2.0 << 5;
        QTest::newRow("1 Mbit/s, 300 ms") << 1.0 << 300;
    }
    void aSlowLinkGetsSmallOnes()
    {
        QFETCH(double, megabits);
        QFETCH(int, roundTripMs);
        SlowLink link;
        link.bitsPerSecond = megabits * 1e6;
        link.roundTrip = std::chrono::milliseconds(roundTripMs);
        link.run(120s);
        QVERIFY(link.pictures > 120);
        const double share = std::chrono::duration<double>(link.busy).count() / 120;
        QVERIFY2(share < 0.5, qPrintable(QString::number(share)));
        QVERIFY(link.bytes() * 8 / link.bitsPerSecond < 0.15);
    }

    /// A window that was hidden for a minute: the next picture comes at once, and is no smaller.
    void anIdleLaptopIsNoSlowLink()
    {
        SlowLink link;
        link.run(20s);
        link.idle = 60s;
        link.run(1s);
        QVERIFY(link.pace.isDue(link.now + 50ms));
        QCOMPARE(link.pace.reduction().quality, 75);
        link.pace.sent(link.now);
        link.pace.wanted(link.now + 1ms, 100h); // What cannot be is not believed.
        QVERIFY(link.pace.isDue(link.now + 200ms));
    }

    void aLinkThatBecomesSlowGetsSmallerOnes()
    {
        SlowLink link;
        link.run(20s);
        QCOMPARE(link.pace.reduction().quality, 75);
        link.bitsPerSecond = 1e6;
        link.run(20s);
        QVERIFY(link.pace.reduction().mostSide < kMaxPreviewSide);
        link.bitsPerSecond = 1e9;
        link.run(60s);
        QCOMPARE(link.pace.reduction().quality, 75);
    }
};

JETSCOPE_TEST(TestPicturePace)
#include "tst_picturepace.moc"
