// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"
#include "core/attach/record/attachrecorder.h"
#include "framecalls.h"
#include "ringsofaprocess.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

/// Frames, spans and figures from calls.
class FrameFinderTest : public QObject, private FrameCalls {
    Q_OBJECT

private slots:
    void findsFramesBySwap();
    void leavesOutOtherSurfaces();
    void followsANewSurface();
    void leavesOutFailedSwaps();
    void prefersMarksThatComeFirst();
    void forgetsRangesOfAPause();
    void findsFramesByCall();
    void findsFramesByHandOvers();
    void swapsAreMoreThanHandOvers();
    void streamsAreMoreThanBuffers();
    void countsPlanesOnce();
    void knowsWhoReleases();
    void followsHandOvers();
    void holdsHandOversForASwap();
    void readsWishes();
    void givesCallsToFrames();
    void measuresWaits();
    void measuresManyFramesAtOnce();
    void isUnsureWhereCallsWereLost_data();
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

/// The end of a range may be among the calls of a pause, or among those that were lost.
void FrameFinderTest::forgetsRangesOfAPause()
{
    for (const bool pauses : {true, false}) {
        FrameFinder finder(parseFrameWish("nvtx:frame").value());
        const auto push = [&](std::int64_t ns, std::uint32_t lost = 0) {
            AttachEvent event = mark(JSA_MARK_RANGE_PUSH, ns);
            event.text = "frame";
            event.lost = lost;
            return finder.take(event);
        };
        finder.take(mark(JSA_MARK_RANGE_PUSH, 50)); // Around all.
        push(100);
        if (pauses)
            finder.interrupt();
        push(200, pauses ? 0 : 1);
        finder.take(mark(JSA_MARK_RANGE_POP, 260));
        const auto frame = push(300);
        QVERIFY(frame && frame->period == (Interval{200, 300}) && frame->completeNs == 261);
    }
}

void FrameFinderTest::findsFramesByCall()
{
    FrameFinder finder(parseFrameWish("call:cuGraphLaunch").value());
    QVERIFY(!finder.take(swap(100)));
    QVERIFY(finder.take(call(JSA_CALL_cuGraphLaunch, 110, 120)));
    QCOMPARE(finder.sourceName(), std::string("call:cuGraphLaunch"));
}

namespace {

AttachEvent handOver(jsa_call function, std::int64_t endNs, std::uint64_t stream = 7, std::uint32_t thread = 0)
{
    return FrameCalls::call(function, endNs - 10, endNs, stream, thread);
}

AttachEvent buffer(std::int64_t endNs, std::uint64_t site)
{
    AttachEvent event = handOver(JSA_CALL_NvBufSurfTransform, endNs, static_cast<std::uint64_t>(endNs));
    event.site = site;
    return event;
}

} // namespace

void FrameFinderTest::findsFramesByHandOvers()
{
    for (const auto &[function, name] :
         {std::pair{JSA_CALL_cuEGLStreamConsumerReleaseFrame, "stream"},
          std::pair{JSA_CALL_eglStreamConsumerReleaseAttribNV, "stream"},
          std::pair{JSA_CALL_NvBufSurfTransform, "nvbuf"}, std::pair{JSA_CALL_NvBufSurfaceSyncForDevice, "nvbuf"},
          std::pair{JSA_CALL_NvBufSurfaceUnMapEglImage, "nvbuf"}}) {
        FrameFinder finder(FrameWish{});
        QVERIFY(!finder.take(handOver(JSA_CALL_cuEGLStreamConsumerAcquireFrame, 100)));
        AttachEvent failed = handOver(function, 150);
        failed.flags = JSA_FLAG_FAILED;
        QVERIFY(!finder.take(failed));
        const auto first = finder.take(handOver(function, 200));
        QVERIFY(first && first->period == (Interval{90, 200}));
        QVERIFY(!finder.take(handOver(JSA_CALL_cuEGLStreamConsumerAcquireFrame, 250)));
        const auto second = finder.take(handOver(function, 300));
        QVERIFY(second && second->period == (Interval{200, 300}));
        QCOMPARE(finder.sourceName(), std::string(name));
        QVERIFY(!finder.wantsGuess() && !finder.isCertain());
        QVERIFY(finder.note().find(attachCall(function)->name) != std::string::npos);
        // Not if something else is asked for.
        for (const char *wish : {"swap", "call:cuGraphLaunch", "nvtx:a"})
            QVERIFY(!FrameFinder(parseFrameWish(wish).value()).take(handOver(function, 200)));
    }
}

void FrameFinderTest::swapsAreMoreThanHandOvers()
{
    for (const AttachEvent &better : {swap(400), mark(JSA_MARK_FRAME_BEGIN, 400)}) {
        FrameFinder finder(FrameWish{});
        finder.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, 200));
        finder.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, 300, 8));
        const auto frame = finder.take(better);
        QVERIFY(frame && frame->period == (Interval{200, 400})); // Frames stay consecutive.
        QVERIFY(finder.isCertain());
        QVERIFY(!finder.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, 500)));
        QCOMPARE(finder.otherSwaps(), 0u);
    }
    FrameFinder asked(parseFrameWish("stream").value());
    QVERIFY(!asked.take(swap(100)));
    QVERIFY(asked.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, 200)));
    QVERIFY(!asked.take(swap(300)) && !asked.take(mark(JSA_MARK_FRAME_BEGIN, 310)));
    QVERIFY(asked.isCertain());
    // A guess is less.
    FrameFinder guessed(FrameWish{});
    guessed.setGuess(guessOf(JSA_CALL_glFinish));
    QVERIFY(guessed.take(call(JSA_CALL_glFinish, 10, 20)));
    QVERIFY(guessed.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, 200)));
    QCOMPARE(guessed.sourceName(), std::string("stream"));
}

void FrameFinderTest::streamsAreMoreThanBuffers()
{
    FrameFinder finder(FrameWish{});
    QVERIFY(finder.take(buffer(100, 1)));
    QVERIFY(finder.take(handOver(JSA_CALL_cuEGLStreamConsumerReleaseFrame, 200, 7, 1)));
    QCOMPARE(finder.sourceName(), std::string("stream"));
    QVERIFY(!finder.take(buffer(300, 1)));
    // What was seen ahead.
    FrameFinder knows(FrameWish{});
    knows.expect(FrameFinder::Source::Stream);
    QVERIFY(!knows.take(buffer(100, 1)));
    QVERIFY(knows.take(handOver(JSA_CALL_cuEGLStreamConsumerReleaseFrame, 200, 7, 1)));
}

/// The cache is made ready plane by plane, before the picture is copied.
void FrameFinderTest::countsPlanesOnce()
{
    const auto plane = [](std::int64_t endNs, std::uint64_t number) {
        AttachEvent event = handOver(JSA_CALL_NvBufferMemSyncForDevice, endNs);
        event.argument[1] = number;
        return event;
    };
    FrameFinder planes(FrameWish{});
    FrameFinder copies(FrameWish{});
    int frames = 0;
    int copied = 0;
    for (int i = 1; i <= 10; ++i) {
        for (std::uint64_t number = 0; number < 3; ++number) {
            const AttachEvent event = plane(i * 100 + static_cast<std::int64_t>(number), number);
            frames += planes.take(event).has_value();
            copies.take(event);
        }
        copied += copies.take(buffer(i * 100 + 50, 1)).has_value();
    }
    QCOMPARE(frames, 10);
    QCOMPARE(copied, 10);
    QVERIFY(planes.take(plane(2000, UINT32_MAX))); // All at once.
    QVERIFY2(copies.note().find("NvBufSurfTransform") != std::string::npos, copies.note().c_str());
}

/// A consumer gives back the frame before when it takes the next one, unless it does so by a call.
void FrameFinderTest::knowsWhoReleases()
{
    FrameFinder takes(FrameWish{});
    int frames = 0;
    for (int i = 1; i <= 10; ++i)
        frames += takes.take(handOver(JSA_CALL_eglStreamConsumerAcquireKHR, i * 100)).has_value();
    QCOMPARE(frames, 8);
    // Three frames are held before the first is released.
    FrameFinder holds(FrameWish{});
    for (int i = 1; i <= 3; ++i)
        holds.take(handOver(JSA_CALL_eglStreamConsumerAcquireKHR, i * 100));
    frames = 0;
    for (int i = 4; i <= 13; ++i) {
        frames += holds.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, i * 100)).has_value();
        frames += holds.take(handOver(JSA_CALL_eglStreamConsumerAcquireKHR, i * 100 + 50)).has_value();
    }
    QCOMPARE(frames, 10);
    // Two processes may have the same addresses.
    FrameFinder two(FrameWish{});
    for (int i = 1; i <= 2; ++i)
        for (const int process : {1, 2})
            QVERIFY(!two.take(handOver(JSA_CALL_eglStreamConsumerAcquireKHR, i * 100), process));
}

void FrameFinderTest::followsHandOvers()
{
    FrameFinder finder(FrameWish{});
    int frames = 0;
    for (int i = 1; i <= 10; ++i) {
        frames += finder.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, i * 100)).has_value();
        frames += finder.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, i * 100 + 20, 8)).has_value();
    }
    QCOMPARE(frames, 10);
    for (int i = 11; i <= 20; ++i) // The first stream is gone.
        frames += finder.take(handOver(JSA_CALL_eglStreamConsumerReleaseKHR, i * 100, 8)).has_value();
    QCOMPARE(frames, 10 + 9); // Its last one counted, too.
    QCOMPARE(finder.moves(), 1u);
    QVERIFY2(finder.note().find("12 hand-overs of other streams left out; the stream changed 1 time")
                 != std::string::npos,
             finder.note().c_str());
    // A picture is copied in twenty parts, at another place.
    FrameFinder parts(FrameWish{});
    frames = 0;
    for (int i = 1; i <= 10; ++i) {
        frames += parts.take(buffer(i * 100, 1)).has_value();
        for (int part = 1; part <= 20; ++part)
            frames += parts.take(buffer(i * 100 + part, 2)).has_value();
    }
    QCOMPARE(frames, 10);
}

/// Of programs that swap, the frames by hand-overs before the first swap are none.
void FrameFinderTest::holdsHandOversForASwap()
{
    const std::vector<AttachThread> threads = {{1, 1, "camera", "program"}, {1, 2, "window", "program"}};
    AttachRecorder recorder({});
    for (int i = 1; i <= 20; ++i) {
        std::vector<AttachEvent> events = {handOver(JSA_CALL_eglStreamConsumerReleaseKHR, i * 1000)};
        if (i > 5)
            events.push_back(swap(i * 1000 + 500, 1, 1));
        recorder.add(std::move(events), threads, i * 1000 + 500);
    }
    recorder.finish();
    QCOMPARE(recorder.frames(), 15u);
    QCOMPARE(recorder.frameFinder().sourceName(), std::string("swap"));
    QCOMPARE(recorder.frameThread(), std::optional<std::uint32_t>(1));
    TraceUpdate made = recorder.take();
    QCOMPARE(made.lanes.size(), 2u);
    for (const LaneInfo &lane : made.lanes)
        QCOMPARE(lane.role, lane.name == "window" ? LaneRole::Pipeline : LaneRole::CpuStage);
}

void FrameFinderTest::readsWishes()
{
    QCOMPARE(parseFrameWish("auto").value().kind, FrameWish::Kind::Auto);
    QCOMPARE(parseFrameWish("swap").value().kind, FrameWish::Kind::Swap);
    QCOMPARE(parseFrameWish("stream").value().kind, FrameWish::Kind::Stream);
    QCOMPARE(parseFrameWish("site:main.cpp:12").value().name, std::string("main.cpp:12"));
    QCOMPARE(parseFrameWish("site:lib.so+0x1f").value().kind, FrameWish::Kind::Site);
    QCOMPARE(parseFrameWish("site:3").value().kind, FrameWish::Kind::Loop);
    QCOMPARE(parseFrameWish("site:3").value().rank, 2u);
    for (const char *wrong :
         {"", "call:", "call:main", "nvtx:", "call:glDrawArrays", "Swap", "site:", "site:0", "site:99"})
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
    const std::vector<WasteFinding> findings = recorder.findings();
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

void FrameFinderTest::isUnsureWhereCallsWereLost_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *what, const char *text) { QTest::newRow(what) << what << text; };
    row("nothing", "");
    row("draws", ""); // They are counted only, on every thread.
    row("ring", "7 calls were lost");
    row("thread", "7 calls were lost");
    row("damaged", "1 call was lost");
    row("unhooked", "could not be hooked 2 times");
}

void FrameFinderTest::isUnsureWhereCallsWereLost()
{
    QFETCH(QString, what);
    QFETCH(QString, text);
    RingsOfAProcess rings;
    jsa_session &session = rings.memory().session();
    AttachRecorder recorder({});
    for (int frame = 0; frame < 50; ++frame) {
        rings.call(JSA_CALL_glFinish);
        rings.call(JSA_CALL_eglSwapBuffers);
    }
    if (what == "ring")
        rings.memory().ring(1).lost = 7;
    else if (what == "thread")
        session.counts[JSA_CALL_glFinish] = 7;
    else if (what == "draws")
        session.counts[JSA_CALL_glDrawArrays] = 7;
    else if (what == "damaged")
        rings.call(JSA_CALL_NONE);
    else if (what == "unhooked")
        session.unhooked = 2;
    recorder.read(rings.reader(), false); // It goes on.
    QCOMPARE(recorder.findings().size(), 1u);
    const WasteFinding finding = recorder.findings()[0];
    QCOMPARE(finding.grade, text.isEmpty() ? FindingGrade::Seen : FindingGrade::Unknown);
    QVERIFY2(finding.text.find(text.toStdString()) != std::string::npos, finding.text.c_str());
    for (const WasteCheck &check : recorder.checks())
        QVERIFY2(check.what != finding.what || check.reason.empty() == text.isEmpty(), check.reason.c_str());
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
    QVERIFY(recorder.findings().empty());
}

JETSCOPE_TEST(FrameFinderTest)
#include "tst_framefinder.moc"
