// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which frame a time belongs to.
#include "core/attach/record/framestarts.h"

#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

class FrameStartsTest : public QObject {
    Q_OBJECT

private slots:
    void numbersByTime();
    void interruptedFramesLeaveGaps();
    void forgetsOldFrames();
};

void FrameStartsTest::numbersByTime()
{
    FrameStarts starts;
    QVERIFY(!starts.isInProgress());
    QCOMPARE(starts.at(5), kNoFrame);
    QCOMPARE(starts.end({100, 200}), 0U);
    QCOMPARE(starts.end({200, 250}), 1U);
    QCOMPARE(starts.current(), 2U);
    QCOMPARE(starts.at(99), kNoFrame);
    QCOMPARE(starts.at(100), 0U);
    QCOMPARE(starts.at(199), 0U);
    QCOMPARE(starts.at(200), 1U);
    QCOMPARE(starts.at(250), 2U);
    QCOMPARE(starts.at(9000), 2U);
}

void FrameStartsTest::interruptedFramesLeaveGaps()
{
    FrameStarts starts;
    starts.interrupt(); // There is none.
    QCOMPARE(starts.current(), 0U);
    starts.begin(100);
    QVERIFY(starts.isInProgress());
    QCOMPARE(starts.end({100, 200}), 0U);
    starts.interrupt();
    QVERIFY(!starts.isInProgress());
    QCOMPARE(starts.at(300), kNoFrame);
    QCOMPARE(starts.end({400, 500}), 2U);
    QCOMPARE(starts.at(300), kNoFrame);
    QCOMPARE(starts.at(450), 2U);
}

void FrameStartsTest::forgetsOldFrames()
{
    FrameStarts starts;
    constexpr std::int64_t kFrames = 10'000;
    for (std::int64_t i = 0; i < kFrames; ++i)
        starts.end({i * 10, i * 10 + 10});
    QCOMPARE(starts.at(0), kNoFrame);
    QCOMPARE(starts.at((kFrames - 100) * 10), static_cast<std::uint32_t>(kFrames - 100));
    QCOMPARE(starts.at(kFrames * 10), static_cast<std::uint32_t>(kFrames));
}

JETSCOPE_TEST(FrameStartsTest)
#include "tst_framestarts.moc"
