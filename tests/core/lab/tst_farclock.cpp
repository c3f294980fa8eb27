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

    /// This machine has slept, and the offset is that of before.
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
