// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/attachrecorder.h"
#include "core/attach/record/frameloops.h"
#include "framecalls.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// A loop of launch and wait, one round each 10 ms.
void addLoop(std::vector<AttachEvent> &events, int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        const std::int64_t ns = (events.empty() ? 0 : events.back().endNs) + 5 * kMs;
        events.push_back(FrameCalls::call(JSA_CALL_cuLaunchKernel, ns, ns + 1000));
        events.push_back(FrameCalls::call(JSA_CALL_cuStreamSynchronize, ns + 2000, ns + 5 * kMs));
    }
}

/// As calls arrive.
void addEach(AttachRecorder &recorder, const std::vector<AttachEvent> &events)
{
    const std::vector<AttachThread> threads = {{1, 1, "main", "program"}};
    for (const AttachEvent &event : events)
        recorder.add({event}, threads, event.endNs);
    recorder.finish();
}

} // namespace

/// Frames of programs that neither swap nor mark them: by a call that repeats.
class FrameGuessTest : public QObject, private FrameCalls {
    Q_OBJECT

private slots:
    void guessesFrames();
    void guessesNothingInDisorder();
    void countsBurstsOnce();
    void aBurstIsNotCountedWhereAnotherCallIsOnce();
    void knowsWhatGoesOn();
    void swapsEndAGuess();
    void rangesEndNoGuess();
    void guessesAfterSettingUp();
    void replacesAGuessOfSettingUp();
    void takesCallsThatComeVeryLate();
    void aLongRoundMakesNoLoopTheMainOne();
    void warmUpCountsNowhere();
    void aLoopThatIsAPartOfAnotherIsLeft();
};

void FrameGuessTest::guessesFrames()
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

void FrameGuessTest::guessesNothingInDisorder()
{
    // Each stretch between two waits holds other calls.
    std::vector<AttachEvent> events;
    for (int i = 0; i < 200; ++i) {
        const std::int64_t ns = i * 100'000;
        for (int k = 0; k < i * i % 37; ++k) {
            events.push_back(call(JSA_CALL_cuLaunchKernel, ns + k * 100, ns + k * 100 + 50));
            events.back().site = static_cast<std::uint64_t>(i * 7 + k % 11);
        }
        events.push_back(call(JSA_CALL_cuStreamSynchronize, ns + 50'000, ns + 50'000));
    }
    QVERIFY(guessFrames(events, true).empty());
    QVERIFY(guessFrames({}, true).empty());
}

/// Waits right after each other are one, and their distance may be anything.
void FrameGuessTest::countsBurstsOnce()
{
    std::vector<AttachEvent> events;
    std::int64_t ns = 0;
    for (int i = 0; i < 200; ++i) {
        ns += i % 2 == 0 ? 100 : 100'000 + i % 14 * 50'000;
        events.push_back(call(JSA_CALL_cuStreamSynchronize, ns, ns));
    }
    const std::vector<FrameGuess> guesses = guessFrames(events, true);
    QVERIFY(!guesses.empty());
    QVERIFY2(guesses[0].rounds >= 99 && guesses[0].rounds <= 101, QByteArray::number(qulonglong(guesses[0].rounds)));
    AttachRecorder recorder({});
    addEach(recorder, events);
    QCOMPARE(recorder.frames(), guesses[0].rounds);
}

/// Launches in a burst are told apart by time only, so that a pause within one counts it twice; the copy before them is
/// once in each round.
void FrameGuessTest::aBurstIsNotCountedWhereAnotherCallIsOnce()
{
    std::vector<AttachEvent> events;
    std::int64_t ns = 0;
    for (int round = 0; round < 400; ++round) {
        ns += 300'000;
        events.push_back(call(JSA_CALL_cuMemcpyHtoDAsync_v2, ns, ns + 500));
        events.back().argument[4] = JSA_COPY_TO_DEVICE;
        for (int launch = 0; launch < 3; ++launch) {
            ns += launch == 2 && round % 100 == 7 ? 60'000 : 1000;
            events.push_back(call(JSA_CALL_cuLaunchKernel, ns, ns + 500));
        }
    }
    const std::vector<FrameGuess> guesses = guessFrames(events, true);
    QVERIFY(!guesses.empty());
    QCOMPARE(guesses[0].call, std::uint16_t{JSA_CALL_cuMemcpyHtoDAsync_v2});
    QVERIFY2(guesses[0].rounds >= 398 && guesses[0].rounds <= 400, QByteArray::number(qulonglong(guesses[0].rounds)));
}

/// What repeats no more is no loop to come, but it may have been one.
void FrameGuessTest::knowsWhatGoesOn()
{
    std::vector<AttachEvent> events;
    addLoop(events, 50);
    const std::int64_t endNs = events.back().endNs;
    for (int i = 1; i < 50; ++i)
        events.push_back(call(JSA_CALL_cuMemAlloc_v2, endNs + i * kMs, endNs + i * kMs + 10));
    QVERIFY(guessFrames(events, false).empty());
    const std::vector<FrameGuess> ended = guessFrames(events, true);
    QVERIFY(!ended.empty() && ended[0].rounds == 50 && ended[0].endNs == endNs);
    QVERIFY(ended[0].startNs == events.front().startNs);
}

void FrameGuessTest::swapsEndAGuess()
{
    FrameFinder finder(FrameWish{});
    finder.setGuess(guessOf(JSA_CALL_glFinish));
    QVERIFY(finder.take(call(JSA_CALL_glFinish, 10, 20)));
    QVERIFY(finder.take(call(JSA_CALL_glFinish, 110, 120)));
    const auto frame = finder.take(swap(200));
    QVERIFY(frame && frame->period == (Interval{120, 200})); // Frames stay consecutive.
    QVERIFY(!finder.take(call(JSA_CALL_glFinish, 210, 220)));
    QCOMPARE(finder.sourceName(), std::string("swap"));
}

/// Programs name other things than frames, too.
void FrameGuessTest::rangesEndNoGuess()
{
    FrameFinder finder(FrameWish{});
    const auto range = [](std::uint32_t kind, const char *name, std::int64_t ns) {
        AttachEvent event = mark(kind, ns);
        event.text = name;
        return event;
    };
    finder.take(range(JSA_MARK_RANGE_PUSH, "load", 5));
    QVERIFY(finder.note().find("nvtx:NAME") != std::string::npos && finder.note().find("load") != std::string::npos);
    finder.setGuess(guessOf(JSA_CALL_glFinish));
    finder.take(call(JSA_CALL_glFinish, 10, 20));
    finder.take(range(JSA_MARK_RANGE_PUSH, "infer", 30));
    finder.take(mark(JSA_MARK_RANGE_POP, 40));
    finder.take(range(JSA_MARK_POINT, "here", 50));
    finder.take(mark(JSA_MARK_BUFFER, 55));
    AttachEvent failed = swap(60);
    failed.flags = JSA_FLAG_FAILED;
    finder.take(failed);
    QVERIFY(finder.take(call(JSA_CALL_glFinish, 110, 120)));
    QCOMPARE(finder.sourceName(), std::string("guess:glFinish"));
    for (const char *name : {"load", "infer", "here", "nvtx:NAME"})
        QVERIFY2(finder.note().find(name) != std::string::npos, finder.note().c_str());
    finder.take(mark(JSA_MARK_FRAME_BEGIN, 130));
    QCOMPARE(finder.sourceName(), std::string("mark"));
}

/// Three seconds of allocations without an order, which end long after the first guess.
void FrameGuessTest::guessesAfterSettingUp()
{
    std::vector<AttachEvent> events;
    std::int64_t ns = kMs;
    for (int i = 0; i < 30; ++i, ns += 100 * kMs)
        events.push_back(call(JSA_CALL_cuMemAlloc_v2, ns, ns + 50 * kMs));
    addLoop(events, 500);
    AttachRecorder recorder({});
    addEach(recorder, events);
    QCOMPARE(recorder.frameFinder().sourceName(), std::string("guess:cuStreamSynchronize"));
    QVERIFY2(recorder.frames() >= 490 && recorder.frames() <= 500, QByteArray::number(qulonglong(recorder.frames())));
    for (const FrameFigures &figures : recorder.figures()) { // None with the time of setting up.
        QCOMPARE(figures.periodNs(), (&figures == &recorder.figures()[0] ? 5 : 10) * kMs);
        QCOMPARE(figures.waitSyncNs, 5 * kMs - 2000);
    }
}

/// The first second is full of copies, one each 2 ms, which then stop.
void FrameGuessTest::replacesAGuessOfSettingUp()
{
    std::vector<AttachEvent> events;
    std::int64_t ns = kMs;
    for (int i = 0; i < 600; ++i, ns += 2 * kMs)
        events.push_back(call(JSA_CALL_cuMemcpyHtoD_v2, ns, ns + kMs));
    addLoop(events, 1000);
    AttachRecorder recorder({});
    addEach(recorder, events);
    QCOMPARE(recorder.frameFinder().sourceName(), std::string("guess:cuStreamSynchronize"));
    QVERIFY2(recorder.frames() >= 990 && recorder.frames() <= 1000, QByteArray::number(qulonglong(recorder.frames())));
    for (const FrameFigures &figures : recorder.figures())
        QVERIFY(figures.periodNs() <= 10 * kMs);
    // It comes back when the loop was another one for a moment.
    AttachRecorder uneven({});
    events.clear();
    addLoop(events, 300);
    for (int i = 0; i < 20; ++i) {
        ns = events.back().endNs + (i % 4 + 1) * 30 * kMs;
        events.push_back(call(JSA_CALL_cuStreamSynchronize, ns, ns + 5 * kMs));
    }
    addLoop(events, 300);
    addEach(uneven, events);
    QVERIFY2(uneven.frames() >= 588 && uneven.frames() <= 620, QByteArray::number(qulonglong(uneven.frames())));
}

/// A thread was stopped between the end of its call and its record, while another one went on.
void FrameGuessTest::takesCallsThatComeVeryLate()
{
    const std::vector<AttachThread> threads = {{1, 1, "main", "program"}, {1, 2, "late", "program"}};
    AttachRecorder recorder({});
    for (std::int64_t i = 0; i < 3000; ++i) {
        std::vector<AttachEvent> events = {call(JSA_CALL_glFinish, i * kMs, i * kMs + 10)};
        if (i % 500 == 499)
            events.push_back(call(JSA_CALL_cuMemAlloc_v2, (i - 400) * kMs, (i - 400) * kMs + 10, 1, 1));
        recorder.add(std::move(events), threads, i * kMs + 10);
    }
    recorder.finish();
    QCOMPARE(recorder.frames(), 3000u);
}

JETSCOPE_TEST(FrameGuessTest)
/// A model's parameters are uploaded, it is compiled for seconds between two passes of the same place, then it runs.
void FrameGuessTest::aLongRoundMakesNoLoopTheMainOne()
{
    FrameLoops loops;
    std::int64_t endNs = 0;
    const auto add = [&](int frames, std::int64_t ns) {
        for (int i = 0; i < frames; ++i, endNs += ns)
            loops.addFrame({endNs, endNs + ns});
    };
    FrameGuess upload;
    upload.site = 1;
    upload.periodMs = 0.02;
    loops.begin(upload, 0);
    add(120, 20'000);
    add(3, 2000 * kMs);
    FrameGuess model;
    model.site = 2;
    model.periodMs = 2;
    loops.begin(model, 123);
    add(200, 2 * kMs);
    QCOMPARE(loops.frames(), 200u);
    QVERIFY(loops.guess() && loops.guess()->isSameLoop(model));
    QCOMPARE(loops.time()->endNs - loops.time()->startNs, 400 * kMs);
}

/// The first frames, in which a program sets up, are in none of the figures, nor in the path.
void FrameGuessTest::warmUpCountsNowhere()
{
    FrameLoops loops;
    FrameGuess guess;
    guess.site = 1;
    guess.periodMs = 2;
    constexpr std::uint32_t kBefore = 5; // Of another loop.
    loops.begin(guess, kBefore);
    std::int64_t startNs = 0;
    for (std::uint32_t i = 0; i < 30; ++i) {
        const std::int64_t ns = i < 10 ? 50 * kMs : 2 * kMs;
        loops.addFrame({startNs, startNs + ns});
        FrameFigures figures;
        figures.frame = kBefore + i;
        figures.startNs = startNs;
        figures.frameNs = ns;
        figures.overlap.periodNs = ns;
        loops.add(figures);
        PathPiece piece;
        piece.frame = kBefore + i;
        piece.startNs = startNs;
        piece.endNs = startNs + ns;
        loops.add(piece, 1);
        startNs += ns;
    }
    QCOMPARE(loops.frames(), 30u);
    QCOMPARE(loops.counted().size(), 20u);
    QCOMPARE(loops.meanPeriodMs(), 2.0);
    QCOMPARE(loops.warmUpSeconds(), 0.5);
    QCOMPARE(loops.path().frames(), 20u);
    QCOMPARE(loops.path().totalNs(), 40 * kMs);
}

/// Each round of a model has a pass like those by which its parameters were uploaded, and another one.
void FrameGuessTest::aLoopThatIsAPartOfAnotherIsLeft()
{
    std::int64_t ns = 0;
    std::vector<AttachEvent> uploads;
    const auto add = [&ns](std::vector<AttachEvent> &events, jsa_call which) {
        events.push_back(call(which, ns, ns + 1000));
        ns += 2000;
    };
    const auto upload = [&](std::vector<AttachEvent> &events) {
        add(events, JSA_CALL_cuMemcpyHtoDAsync_v2);
        add(events, JSA_CALL_cuStreamSynchronize);
    };
    for (int i = 0; i < 120; ++i)
        upload(uploads);
    const std::vector<FrameGuess> guesses = guessFrames(uploads, false);
    QVERIFY(!guesses.empty());
    FrameWatch watch;
    watch.start(guesses[0], ns);
    std::vector<AttachEvent> more;
    for (int i = 0; i < 50; ++i)
        upload(more);
    for (const AttachEvent &event : more)
        watch.take(event);
    QVERIFY(!watch.isStale(ns));
    FrameWatch afterPause = watch;
    ns += 1000 * kMs;
    std::vector<AttachEvent> one;
    upload(one);
    for (const AttachEvent &event : one)
        afterPause.take(event);
    QVERIFY(afterPause.isStale(ns)); // One pass is no loop; many are.
    for (int i = 0; i < 60; ++i)
        upload(one);
    for (const AttachEvent &event : one)
        afterPause.take(event);
    QVERIFY(!afterPause.isStale(ns));
    ns -= 1000 * kMs;
    std::vector<AttachEvent> rounds;
    for (int i = 0; i < 50; ++i) {
        upload(rounds);
        add(rounds, JSA_CALL_cuLaunchKernel);
        add(rounds, JSA_CALL_cuStreamSynchronize);
    }
    for (const AttachEvent &event : rounds)
        watch.take(event);
    QVERIFY(watch.isStale(ns));
}

#include "tst_frameguess.moc"
