// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Where ranges and marks of NVTX with a name begin and end.
#include "core/attach/model/namedranges.h"

#include "madecall.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

class NamedRangesTest : public QObject {
    Q_OBJECT
    using Edge = NamedRanges::Edge;

private slots:
    void nestedOnesBelongToTheOuter();
    void anyThreadEndsStartedOnes();
    void matchesTextBehindThePrefix();
    void keepsAFewOtherNames();
};

namespace {

AttachEvent rangeCall(std::uint64_t kind, const char *text, std::uint32_t thread = 0, std::uint64_t number = 0)
{
    AttachEvent event = madeCall(JSA_CALL_MARK, 1000, {kind, number});
    event.text = text;
    event.thread = thread;
    return event;
}

} // namespace

void NamedRangesTest::nestedOnesBelongToTheOuter()
{
    NamedRanges ranges("frame");
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_PUSH, "other"), 1), Edge::None);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_PUSH, "frame"), 1), Edge::Begins);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_PUSH, "frame"), 1), Edge::None);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_PUSH, "frame", 7), 1), Edge::Begins); // Another thread's own.
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_POP, ""), 1), Edge::None);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_POP, ""), 1), Edge::EndsOfThread);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_POP, ""), 1), Edge::None);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_POP, ""), 1), Edge::None); // There is none.
    ranges.lose(7);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_POP, "", 7), 1), Edge::None);
}

void NamedRangesTest::anyThreadEndsStartedOnes()
{
    NamedRanges ranges("frame");
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_START, "frame", 0, 5), 1), Edge::Begins);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_END, "", 9, 5), 2), Edge::None); // Of another process.
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_END, "", 9, 6), 1), Edge::None);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_END, "", 9, 5), 1), Edge::Ends);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_END, "", 9, 5), 1), Edge::None);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_START, "frame", 0, 8), 1), Edge::Begins);
    ranges.interrupt();
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_RANGE_END, "", 0, 8), 1), Edge::None);
}

void NamedRangesTest::matchesTextBehindThePrefix()
{
    NamedRanges ranges("frame *");
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_POINT, "frame 12"), 1), Edge::Begins);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_POINT, "frame"), 1), Edge::None);
    QCOMPARE(ranges.take(rangeCall(JSA_MARK_POINT, ""), 1), Edge::None);
    const std::string longest(160, 'a');
    NamedRanges cut(longest + "behind what is recorded");
    QCOMPARE(cut.take(rangeCall(JSA_MARK_POINT, longest.c_str()), 1), Edge::Begins);
}

void NamedRangesTest::keepsAFewOtherNames()
{
    NamedRanges ranges("frame");
    for (int i = 0; i < 1000; ++i)
        ranges.take(rangeCall(JSA_MARK_POINT, std::to_string(i % 50).c_str()), 1);
    ranges.take(rangeCall(JSA_MARK_POINT, "frame"), 1);
    QVERIFY(!ranges.otherNames().empty());
    QVERIFY(ranges.otherNames().size() < 50);
    QVERIFY(!ranges.otherNames().contains("frame"));
}

JETSCOPE_TEST(NamedRangesTest)
#include "tst_namedranges.moc"
