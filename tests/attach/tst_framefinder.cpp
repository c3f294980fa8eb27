// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/attachrecorder.h"
#include "core/attach/calltable.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

namespace {

AttachEvent call(jsa_call function, std::int64_t startNs, std::int64_t endNs, std::uint64_t argument = 1,
                 std::uint32_t thread = 0)
{
    AttachEvent made;
    made.startNs = startNs;
    made.endNs = endNs;
    made.thread = thread;
    made.call = static_cast<std::uint16_t>(function);
    made.argument[0] = argument;
    return made;
}

AttachEvent swap(std::int64_t endNs, std::uint64_t surface = 1, std::uint32_t thread = 0)
{
    return call(JSA_CALL_eglSwapBuffers, endNs - 10, endNs, surface, thread);
}

AttachEvent mark(std::uint32_t kind, std::int64_t ns)
{
    return call(JSA_CALL_MARK, ns, ns + 1, kind);
}

} // namespace

/// Frames, spans and figures from calls.
class FrameFinderTest : public QObject {
    Q_OBJECT

private slots:
    void findsFramesBySwap();
    void leavesOutOtherSurfaces();
    void followsANewSurface();
    void leavesOutFailedSwaps();
    void prefersMarksThatComeFirst();
    void findsFramesByCall();
    void guessesFrames();
    void guessesNothingInDisorder();
    void swapsEndAGuess();
    void readsWishes();
    void givesCallsToFrames();
    void measuresWaits();
    void measuresManyFramesAtOnce();
    void isUnsureWhereCallsWereLost();
    void recordsProgramsWithoutFrames();
};

void FrameFinderTest::findsFramesBySwap()
{
    FrameFinder finder(FrameWish{});
    QVERIFY(!finder.take(call(JSA_CALL_glFinish, 100, 150)));
    const auto first = finder.take(swap(200));
    QVERIFY(first && first->period == (Interval{100, 200}) && first->completeNs == 200);
    const auto second = finder.take(swap(300));
    QVERIFY(second && second->period == (Interval{200, 300}));
    QCOMPARE(finder.sourceName(), std::string("swap"));
    QVERIFY(!finder.finish());
}

void FrameFinderTest::leavesOutOtherSurfaces()
{
    FrameFinder finder(FrameWish{});
    int frames = 0;
    for (int i = 1; i <= 10; ++i) {
        frames += finder.take(swap(i * 100)).has_value();
        frames += finder.take(swap(i * 100 + 20, 2)).has_value();
        frames += finder.take(swap(i * 100 + 30, 1, 3)).has_value();
    }
    QCOMPARE(frames, 10);
    QCOMPARE(finder.otherSwaps(), 20u);
}

void FrameFinderTest::followsANewSurface()
{
    FrameFinder finder(FrameWish{});
    finder.take(swap(100));
    int frames = 0;
    for (int i = 2; i <= 10; ++i)
        frames += finder.take(swap(i * 100, 2)).has_value();
    QCOMPARE(frames, 7); // All but the two that did not suffice.
    QCOMPARE(finder.moves(), 1u);
}

void FrameFinderTest::leavesOutFailedSwaps()
{
    FrameFinder finder(FrameWish{});
    AttachEvent failed = swap(100);
    failed.flags = JSA_FLAG_FAILED;
    QVERIFY(!finder.take(failed));
    QCOMPARE(finder.source(), FrameFinder::Source::None);
}

void FrameFinderTest::prefersMarksThatComeFirst()
{
    FrameFinder finder(FrameWish{});
    finder.take(mark(JSA_MARK_FRAME_BEGIN, 100));
    QVERIFY(!finder.take(swap(150)));
    finder.take(mark(JSA_MARK_FRAME_END, 160));
    const auto frame = finder.take(mark(JSA_MARK_FRAME_BEGIN, 200));
    QVERIFY(frame && frame->period == (Interval{100, 200}) && frame->completeNs == 161);
    QVERIFY(!finder.finish()); // The second has no end.
    finder.take(mark(JSA_MARK_FRAME_END, 260));
    const auto last = finder.finish();
    QVERIFY(last && last->period == (Interval{200, 261}));
    QCOMPARE(finder.sourceName(), std::string("mark"));
}

void FrameFinderTest::findsFramesByCall()
{
    FrameFinder finder(parseFrameWish("call:cuGraphLaunch").value());
    QVERIFY(!finder.take(swap(100)));
    QVERIFY(finder.take(call(JSA_CALL_cuGraphLaunch, 110, 120)));
    QCOMPARE(finder.sourceName(), std::string("call:cuGraphLaunch"));
}

void FrameFinderTest::guessesFrames()
{
    const std::vector<AttachThread> threads = {{1, 1, "main", "program"}};
    AttachRecorder recorder({});
    std::vector<AttachEvent> events;
    for (int frame = 0; frame < 60; ++frame) {
        const std::int64_t start = 1'000'000 + frame * 2'000'000;
        for (int launch = 0; launch < 3; ++launch)
            events.push_back(call(JSA_CALL_cuLaunchKernel, start + launch * 1000, start + launch * 1000 + 500));
        events.push_back(call(JSA_CALL_cuStreamSynchronize, start + 10'000, start + 1'500'000 + frame % 3 * 1000));
    }
    recorder.add(std::move(events), threads, 130'000'000);
    recorder.finish();
    QCOMPARE(recorder.frameFinder().sourceName(), std::string("guess:cuStreamSynchronize"));
    QCOMPARE(recorder.frames(), 60u);
    QCOMPARE(recorder.figures().size(), 60u);
    QVERIFY(std::abs(recorder.frameFinder().guess()->periodMs - 2) < 0.01);
    QCOMPARE(recorder.frameFinder().guess()->sure, 1.0);
}

void FrameFinderTest::guessesNothingInDisorder()
{
    std::vector<AttachEvent> events;
    std::int64_t ns = 0;
    for (int i = 0; i < 200; ++i) {
        ns += i % 2 == 0 ? 100 : 100'000 + i * 5000;
        events.push_back(call(JSA_CALL_cuStreamSynchronize, ns, ns));
    }
    QVERIFY(!guessFrames(events));
    QVERIFY(!guessFrames({}));
}

void FrameFinderTest::swapsEndAGuess()
{
    FrameFinder finder(FrameGuess{JSA_CALL_glFinish, 0, 0.1, 1});
    QVERIFY(finder.take(call(JSA_CALL_glFinish, 10, 20)));
    QVERIFY(finder.take(call(JSA_CALL_glFinish, 110, 120)));
    const auto frame = finder.take(swap(200));
    QVERIFY(frame && frame->period == (Interval{120, 200})); // Frames stay consecutive.
    QVERIFY(!finder.take(call(JSA_CALL_glFinish, 210, 220)));
    QCOMPARE(finder.sourceName(), std::string("swap"));
}

void FrameFinderTest::readsWishes()
{
    QCOMPARE(parseFrameWish("auto").value().kind, FrameWish::Kind::Auto);
    QCOMPARE(parseFrameWish("swap").value().kind, FrameWish::Kind::Swap);
    for (const char *wrong : {"", "call:", "call:main", "nvtx:", "call:glDrawArrays", "Swap"})
        QVERIFY2(!parseFrameWish(wrong).ok(), wrong);
}

void FrameFinderTest::givesCallsToFrames()
{
    const std::vector<AttachThread> threads = {{1, 1, "main", "program"}, {1, 2, "worker", "program"}};
    AttachRecorder recorder({});
    std::vector<AttachEvent> events;
    for (int frame = 0; frame < 100; ++frame) {
        const std::int64_t start = 1'000'000 + frame * 1000;
        events.push_back(call(JSA_CALL_glFinish, start + 100, start + 400));
        events.push_back(call(JSA_CALL_glFlush, start + 410, start + 420, 0, 1));
        events.push_back(swap(start + 1000));
    }
    recorder.add(std::move(events), threads, 2'000'000);
    recorder.finish();
    QCOMPARE(recorder.frames(), 100u);
    QCOMPARE(recorder.figures().size(), 100u);
    QCOMPARE(recorder.calls()[JSA_CALL_glFinish], 100u);
    QCOMPARE(recorder.calls()[JSA_CALL_glFlush], 100u);
    // The whole period is on the path, and what no call explains is said.
    const PathSummary path = recorder.path();
    double shares = 0;
    for (const PathShare &share : path.shares)
        shares += share.share;
    QVERIFY(std::abs(shares - 1) < 1e-6);
}

void FrameFinderTest::measuresWaits()
{
    const std::vector<AttachThread> threads = {{1, 1, "main", "program"}};
    AttachRecorder recorder({});
    for (int frame = 0; frame < 50; ++frame) { // One at a time, as they arrive.
        const std::int64_t start = 1'000'000 + frame * 1000;
        recorder.add({call(JSA_CALL_glFinish, start + 100, start + 400), swap(start + 1000)}, threads, start + 1000);
    }
    recorder.finish();
    QCOMPARE(recorder.figures().size(), 50u);
    for (std::size_t i = 1; i < 50; ++i) {
        QCOMPARE(recorder.figures()[i].waitSyncNs, 300);
        QCOMPARE(recorder.figures()[i].periodNs(), 1000);
        QCOMPARE(recorder.figures()[i].overlap.gpuNs, 0);
    }
    const std::vector<WasteFinding> findings = recorder.waste().findings(50);
    QCOMPARE(findings.size(), 1u);
    QCOMPARE(findings[0].what, std::string("finish-per-frame"));
    QCOMPARE(findings[0].calls, 40u);
    QVERIFY(std::abs(*findings[0].msPerFrame - 300e-6) < 1e-9);
}

/// More than the builder of figures keeps open.
void FrameFinderTest::measuresManyFramesAtOnce()
{
    constexpr int kFrames = 10'000;
    AttachRecorder recorder({});
    std::vector<AttachEvent> events;
    for (int frame = 0; frame < kFrames; ++frame) {
        const std::int64_t start = 1'000'000 + frame * 1000;
        events.push_back(call(JSA_CALL_glFinish, start + 100, start + 400));
        events.push_back(swap(start + 1000));
    }
    recorder.add(std::move(events), {{1, 1, "main", "program"}}, 20'000'000);
    recorder.finish();
    QCOMPARE(recorder.figures().size(), std::size_t{kFrames});
    for (const FrameFigures &figures : recorder.figures())
        QCOMPARE(figures.waitSyncNs, 300);
}

void FrameFinderTest::isUnsureWhereCallsWereLost()
{
    AttachRecorder recorder({});
    for (int frame = 0; frame < 50; ++frame) {
        const std::int64_t start = 1'000'000 + frame * 1000;
        recorder.add({call(JSA_CALL_glFinish, start + 100, start + 400), swap(start + 1000)},
                     {{1, 1, "main", "program"}}, start + 1000);
    }
    recorder.finish(7);
    QCOMPARE(recorder.waste().findings(50).at(0).grade, FindingGrade::Unknown);
}

void FrameFinderTest::recordsProgramsWithoutFrames()
{
    const std::vector<AttachThread> threads = {{1, 1, "main", "program"}};
    AttachRecorder recorder({});
    recorder.add({call(JSA_CALL_cuCtxSynchronize, 10, 20)}, threads, 30);
    recorder.finish();
    QCOMPARE(recorder.frames(), 0u);
    QCOMPARE(recorder.calls()[JSA_CALL_cuCtxSynchronize], 1u);
    QVERIFY(recorder.path().empty());
    QVERIFY(recorder.waste().findings(0).empty());
}

JETSCOPE_TEST(FrameFinderTest)
#include "tst_framefinder.moc"
