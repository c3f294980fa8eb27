// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Copies of the newest frames of a trace.
#include "core/trace/traceslice.h"
#include "tests/core/comparetraces.h"
#include "tests/core/sampletrace.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

class TestTraceSlice : public QObject {
    Q_OBJECT
private slots:
    void theWholeIsAnEqualTrace();
    void aPartHasWhatHappenedInIt();
    void valuesHoldFromBefore();
    void theSwitchToTheSettingIsNotCopied();
    void figuresAreThoseOfTheFrames();
    void newestFramesFromAKeyOn();
    void withoutFramesItIsEmpty();
};

void TestTraceSlice::theWholeIsAnEqualTrace()
{
    const Trace trace = sampleTrace();
    const Trace copy = copyFrames(trace, 0, trace.frames().endIndex());
    QCOMPARE(described(copy, false), described(trace, false));
}

void TestTraceSlice::aPartHasWhatHappenedInIt()
{
    const Trace trace = sampleTrace(40);
    const Trace copy = copyFrames(trace, 10, 20);
    QCOMPARE(copy.frames().endIndex() - copy.frames().firstIndex(), std::uint64_t{10});
    QCOMPARE(copy.frames().at(copy.frames().firstIndex()).frame, 10U);
    const std::int64_t start = trace.frames().at(10).startNs;
    const std::int64_t end = trace.frames().at(20).startNs;
    std::uint64_t spans = 0;
    for (const SpanTrack &track : copy.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i, ++spans)
            QVERIFY(track.at(i).startNs >= start && track.at(i).startNs < end);
    QCOMPARE(spans, trace.spanCount() / 4);
    QCOMPARE(copy.tracks().size(), trace.tracks().size());
    for (std::uint32_t frame = 10; frame < 20; ++frame)
        QCOMPARE(copy.frameNumber(frame), trace.frameNumber(frame));
    QCOMPARE(copy.origin().device, trace.origin().device);
}

void TestTraceSlice::valuesHoldFromBefore()
{
    Trace trace = runTrace(1);
    trace.setCounters({{0, "GPU clock", "Hz", std::nullopt}});
    const CounterSample early{trace.oldestNs() - 5, 1e9, 0};
    trace.add(std::span(&early, 1));
    const Trace copy = copyFrames(trace, 50, 60);
    QCOMPARE(copy.counters().size(), std::size_t{1});
    QCOMPARE(copy.counters()[0].valueAt(copy.frames().at(0).startNs), std::optional(1e9));
}

void TestTraceSlice::theSwitchToTheSettingIsNotCopied()
{
    Trace trace = runTrace(1);
    const FrameFigures first = trace.frames().at(100);
    const FrameFigures later = trace.frames().at(150);
    trace.add(TraceMark{TraceMark::Kind::Switch, first.startNs, first.frame, "sync: finish → event", {}, {}});
    QVERIFY(copyFrames(trace, 100, 140).marks().all().empty());
    trace.add(TraceMark{TraceMark::Kind::Switch, later.startNs, later.frame, "sync: event → finish", {}, {}});
    QCOMPARE(copyFrames(trace, 100, 140).marks().all().size(), std::size_t{0});
    QCOMPARE(copyFrames(trace, 100, 200).marks().all().size(), std::size_t{1});
    NoProgress progress;
    QVERIFY(figuresOfCapture(copyFrames(trace, 100, 140), progress)->change.empty());
}

void TestTraceSlice::figuresAreThoseOfTheFrames()
{
    const Trace trace = runTrace(1);
    const CaptureFigures whole = captureOf(trace);
    const CaptureFigures copied = captureOf(copyFrames(trace, 0, trace.frames().endIndex()));
    for (std::size_t i = 0; i < kFigures; ++i)
        QCOMPARE(copied.values[i], whole.values[i]);
    QCOMPARE(copied.path.size(), whole.path.size());
    QCOMPARE(copied.spans.size(), whole.spans.size());
}

void TestTraceSlice::newestFramesFromAKeyOn()
{
    const Trace trace = runTrace(1); // 300 frames, keys 0 to 299.
    using Range = std::pair<std::uint64_t, std::uint64_t>;
    QCOMPARE(newestFrames(trace.frames(), 0, 1000), Range(0, 300));
    QCOMPARE(newestFrames(trace.frames(), 0, 100), Range(200, 300));
    QCOMPARE(newestFrames(trace.frames(), 250, 100), Range(250, 300));
    QCOMPARE(newestFrames(trace.frames(), 300, 100), Range(300, 300));
    QCOMPARE(newestFrames(Trace().frames(), 5, 100), Range(0, 0));
}

void TestTraceSlice::withoutFramesItIsEmpty()
{
    QVERIFY(copyFrames(Trace(), 0, 100).empty());
    const Trace trace = runTrace(1);
    const Trace none = copyFrames(trace, 300, 300);
    QVERIFY(none.empty());
    QCOMPARE(none.lanes().size(), trace.lanes().size());
    QVERIFY(copyFrames(trace, 200, 100).empty());
}

JETSCOPE_TEST(TestTraceSlice)
#include "tst_traceslice.moc"
