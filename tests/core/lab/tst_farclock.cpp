// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/farclock.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class TestFarClock : public QObject {
    Q_OBJECT

private slots:
    void timesAreInOrder()
    {
        FarClock clock;
        QVERIFY(!clock.isShown());
        QCOMPARE(clock.add(10, 1'000, 200, 5'000).value_or(-1), 1'000);
        QVERIFY(clock.isShown());
        QCOMPARE(clock.add(20, 900, 300, 6'000).value_or(-1), 1'000); // The offset has changed a little.
        QCOMPARE(clock.add(30, 2'000, 100, 7'000).value_or(-1), 2'000);
        QCOMPARE(clock.boundNs(), 300);
        const auto shown = clock.log()->of(20, 1'500);
        QVERIFY(shown && shown->fromNs == 1'000 && shown->untilNs == 2'000);
    }

    /// One of the machines has slept, and the offset is that of before.
    void aSleepLeavesAGap_data()
    {
        QTest::addColumn<qint64>("shownNs");
        QTest::addRow("this one") << qint64{61'000'000'000};
        QTest::addRow("the other one") << qint64{500'000'000};
    }

    void aSleepLeavesAGap()
    {
        QFETCH(qint64, shownNs);
        constexpr std::int64_t kBound = 1'000'000;
        FarClock clock;
        for (int i = 0; i < 10; ++i)
            QVERIFY(clock.add(10 + i, 1'000'000'000 + i * 20'000'000, kBound, 1'200'000'000));
        for (int i = 0; i < 3; ++i)
            QVERIFY(!clock.add(30, shownNs, kBound, 1'300'000'000));
        QVERIFY(clock.add(40, 5'000'000'000, kBound, 5'001'000'000));
        QVERIFY(!clock.log()->of(30, 6'000'000'000));
        const auto last = clock.log()->of(19, 6'000'000'000);
        QVERIFY(last && last->fromNs == 1'180'000'000 && last->untilNs == 1'200'000'000);
    }

    void aTimeYetToComeIsLeftOut()
    {
        FarClock clock;
        QVERIFY(!clock.add(10, 60'000'000'000, 1'000'000, 1'000'000'000));
        QVERIFY(!clock.isShown());
        QVERIFY(clock.add(10, 1'000'500'000, 1'000'000, 1'000'000'000)); // Within the bound.
        QVERIFY(!clock.add(20, 61'000'000'000, 1'000'000, 1'020'000'000));
        QCOMPARE(clock.add(30, 1'040'000'000, 1'000'000, 1'041'000'000).value_or(-1), 1'040'000'000);
        QVERIFY(!clock.log()->of(20, 2'000'000'000));
        QVERIFY(clock.log()->of(30, 2'000'000'000));
    }
};

JETSCOPE_TEST(TestFarClock)
#include "tst_farclock.moc"
