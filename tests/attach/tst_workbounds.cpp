// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/workbounds.h"
#include "judged.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

/// Where the GPU's work was, from calls alone.
class WorkBoundsTest : public QObject {
    Q_OBJECT

private slots:
    void boundsWorkByTheWaitForIt_data();
    void boundsWorkByTheWaitForIt();
    void boundsOnlyWorkBeforeAnEvent();
    void givesEachFrameItsPart();
    void forgetsWorkOfAPause();
    void forgetsWorkOfEndedProcesses();
    void boundsWorkThatAnotherStreamAwaits();
    void boundsWorkOfTheDefaultStream();
    void boundsWorkOfDestroyedStreams();
    void boundsNothingThatIsCaptured();
    void keepsStreamsOfThreadsApart();
    void forgetsNothingThatRuns();
};

namespace {

constexpr std::int32_t kProcess = 7;
constexpr std::int32_t kThread = 8;

AttachEvent cudaCall(jsa_call function, std::int64_t startNs, std::initializer_list<std::uint64_t> arguments,
                     std::uint16_t flags = 0)
{
    AttachEvent made;
    made.startNs = startNs;
    made.endNs = startNs + 10;
    made.call = static_cast<std::uint16_t>(function);
    made.flags = flags;
    std::copy(arguments.begin(), arguments.end(), made.argument.begin());
    return made;
}

/// A WorkBounds with what it found.
struct Bounds {
    Judged<WorkBounds, true> bounds;
    std::vector<BoundedWork> found;

    void take(const AttachEvent &event, std::int32_t thread = kThread) { bounds.take(event, kProcess, thread, found); }
    Interval only() const { return found.size() == 1 ? found.front().time : Interval{-1, -1}; }
};

} // namespace

void WorkBoundsTest::boundsWorkByTheWaitForIt_data()
{
    QTest::addColumn<int>("function");
    QTest::addColumn<quint64>("argument");
    QTest::addColumn<bool>("settles");
    QTest::newRow("its stream") << int(JSA_CALL_cuStreamSynchronize) << quint64(5) << true;
    QTest::newRow("another stream") << int(JSA_CALL_cuStreamSynchronize) << quint64(6) << false;
    QTest::newRow("query") << int(JSA_CALL_cuStreamQuery) << quint64(5) << true;
    QTest::newRow("context") << int(JSA_CALL_cuCtxSynchronize) << quint64(0) << true;
    QTest::newRow("unknown event") << int(JSA_CALL_cuEventSynchronize) << quint64(5) << false;
}

void WorkBoundsTest::boundsWorkByTheWaitForIt()
{
    QFETCH(int, function);
    QFETCH(quint64, argument);
    QFETCH(bool, settles);
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {5}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 200, {5}));
    bounds.take(cudaCall(static_cast<jsa_call>(function), 300, {argument}, JSA_FLAG_FAILED)); // Says nothing.
    QVERIFY(bounds.found.empty());
    bounds.take(cudaCall(static_cast<jsa_call>(function), 400, {argument}));
    QCOMPARE(bounds.found.size(), settles ? 1u : 0u);
    if (settles)
        QCOMPARE(bounds.only(), (Interval{100, 410}));
    bounds.take(cudaCall(static_cast<jsa_call>(function), 500, {argument}));
    QCOMPARE(bounds.found.size(), settles ? 1u : 0u);
}

void WorkBoundsTest::boundsOnlyWorkBeforeAnEvent()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {5}));
    bounds.take(cudaCall(JSA_CALL_cuEventRecord, 200, {9, 5}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 300, {5}));
    bounds.take(cudaCall(JSA_CALL_cuEventSynchronize, 400, {9}));
    QCOMPARE(bounds.only(), (Interval{100, 410}));
    bounds.found.clear();
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 500, {5}));
    QCOMPARE(bounds.only(), (Interval{300, 510}));
}

void WorkBoundsTest::givesEachFrameItsPart()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {5}));
    bounds.bounds.cut(1000, bounds.found);
    QCOMPARE(bounds.only(), (Interval{100, 1000}));
    bounds.found.clear();
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 1100, {5}));
    QCOMPARE(bounds.only(), (Interval{1000, 1110}));
    bounds.found.clear();
    bounds.bounds.cut(2000, bounds.found);
    QVERIFY(bounds.found.empty());
}

/// What is complete by then is not known, and not which captures have ended.
void WorkBoundsTest::forgetsWorkOfAPause()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {5}));
    bounds.take(cudaCall(JSA_CALL_cuStreamBeginCapture_v2, 110, {6, 0}));
    bounds.bounds.interrupt();
    bounds.bounds.cut(1000, bounds.found);
    QVERIFY(bounds.found.empty());
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 1100, {6}));
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 1200, {6}));
    QCOMPARE(bounds.only(), (Interval{1100, 1210}));
}

/// Others go on, and what it has left would be busy for ever.
void WorkBoundsTest::forgetsWorkOfEndedProcesses()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuEventRecord, 90, {9, 5}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {5}));
    bounds.take(cudaCall(JSA_CALL_cuStreamWaitEvent, 120, {6, 9}));
    bounds.bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 300, {5}), kProcess + 1, kThread, bounds.found);
    QCOMPARE(bounds.bounds.processes(), (std::vector<std::int32_t>{kProcess, kProcess + 1}));
    bounds.bounds.endProcess(kProcess, 1000, bounds.found);
    QCOMPARE(bounds.only(), (Interval{100, 1000}));
    QCOMPARE(bounds.found.front().pid, kProcess);
    QCOMPARE(bounds.bounds.processes(), std::vector<std::int32_t>{kProcess + 1});
    bounds.found.clear();
    bounds.bounds.cut(2000, bounds.found);
    QCOMPARE(bounds.only(), (Interval{300, 2000}));
}

/// Fork and join: the CPU waits for one stream only, which has waited for the others.
void WorkBoundsTest::boundsWorkThatAnotherStreamAwaits()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {6}));
    bounds.take(cudaCall(JSA_CALL_cuEventRecord, 150, {9, 6}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 160, {6})); // Behind the event.
    bounds.take(cudaCall(JSA_CALL_cuStreamWaitEvent, 200, {7, 9}));
    bounds.take(cudaCall(JSA_CALL_cuEventRecord, 250, {10, 7})); // Of a stream without work of its own.
    bounds.take(cudaCall(JSA_CALL_cuStreamWaitEvent, 300, {5, 10}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 350, {5}));
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 400, {5}));
    QCOMPARE(bounds.found.size(), 2u);
    QVERIFY(bounds.found[0].stream == 6 && bounds.found[0].time == (Interval{100, 410}));
    QVERIFY(bounds.found[1].stream == 5 && bounds.found[1].time == (Interval{350, 410}));
    bounds.found.clear();
    bounds.bounds.cut(500, bounds.found);
    QVERIFY(bounds.found.size() == 1 && bounds.found[0].time == (Interval{160, 500}));
    bounds.found.clear();
    // A wait that is submitted behind the event that the CPU waits for shows nothing.
    bounds.take(cudaCall(JSA_CALL_cuEventRecord, 600, {9, 6}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 650, {5}));
    bounds.take(cudaCall(JSA_CALL_cuEventRecord, 660, {11, 5}));
    bounds.take(cudaCall(JSA_CALL_cuStreamWaitEvent, 700, {5, 9}));
    bounds.take(cudaCall(JSA_CALL_cuEventSynchronize, 800, {11}));
    QVERIFY(bounds.found.size() == 1 && bounds.found[0].stream == 5);
    for (std::uint64_t i = 0; i < 200; ++i) // Streams that wait for each other in a circle, and too many waits.
        bounds.take(
            cudaCall(JSA_CALL_cuStreamWaitEvent, std::int64_t(900 + i), {i % 2 == 0 ? 6U : 5U, 11U - i % 2 * 2U}));
    bounds.found.clear();
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 2000, {5}));
    QVERIFY(bounds.found.size() == 1 && bounds.found[0].time == (Interval{500, 2010}));
}

void WorkBoundsTest::boundsWorkOfTheDefaultStream()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuStreamCreate, 10, {5, 0}));
    bounds.take(cudaCall(JSA_CALL_cuStreamCreate, 20, {6, 1})); // CU_STREAM_NON_BLOCKING
    bounds.take(cudaCall(JSA_CALL_cuStreamCreate, 30, {7, 0}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 50, {7}));
    bounds.take(cudaCall(JSA_CALL_cuMemsetD8Async, 100, {0, 1000, 16, 1}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 200, {6}));
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 300, {6}));
    QVERIFY(bounds.found.size() == 1 && bounds.found[0].stream == 6);
    bounds.found.clear();
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 400, {5}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 450, {0}));
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 500, {5}));
    QCOMPARE(bounds.found.size(), 3u); // With the memset before it, and what that had waited for.
    QVERIFY(bounds.found[0].stream == 5 && bounds.found[0].time == (Interval{400, 510}));
    QVERIFY(bounds.found[1].stream == 0 && bounds.found[1].time == (Interval{100, 510}));
    QVERIFY(bounds.found[2].stream == 7 && bounds.found[2].time == (Interval{50, 510}));
    bounds.found.clear();
    bounds.bounds.cut(600, bounds.found);
    QVERIFY(bounds.found.size() == 1 && bounds.found[0].time == (Interval{450, 600}));
}

/// Their work goes on, and another stream of the same handle has nothing to do with it.
void WorkBoundsTest::boundsWorkOfDestroyedStreams()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {5}));
    bounds.take(cudaCall(JSA_CALL_cuEventRecord, 150, {9, 5}));
    bounds.take(cudaCall(JSA_CALL_cuStreamDestroy_v2, 200, {5}));
    QVERIFY(bounds.found.empty());
    bounds.take(cudaCall(JSA_CALL_cuStreamCreate, 300, {5}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 400, {5}));
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 500, {5}));
    QCOMPARE(bounds.only(), (Interval{400, 510}));
    bounds.found.clear();
    bounds.bounds.cut(600, bounds.found);
    QCOMPARE(bounds.only(), (Interval{100, 600}));
    QCOMPARE(bounds.found[0].stream, 5u); // Still its lane.
    bounds.found.clear();
    bounds.take(cudaCall(JSA_CALL_cuEventSynchronize, 700, {9}));
    QCOMPARE(bounds.only(), (Interval{600, 710}));
    bounds.found.clear();
    for (int i = 0; i < 1000; ++i) { // Of many, the first ones still bound the work.
        bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 1000 + i * 100, {5}));
        bounds.take(cudaCall(JSA_CALL_cuStreamDestroy_v2, 1050 + i * 100, {5}));
    }
    bounds.bounds.cut(200'000, bounds.found);
    QVERIFY(bounds.found.size() <= 20);
    bounds.found.clear();
    bounds.take(cudaCall(JSA_CALL_cuCtxSynchronize, 300'000, {}));
    QVERIFY(bounds.found.size() <= 20 && bounds.found.front().time == (Interval{200'000, 300'010}));
    bounds.found.clear();
    bounds.bounds.cut(400'000, bounds.found);
    QVERIFY(bounds.found.empty());
}

void WorkBoundsTest::boundsNothingThatIsCaptured()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuStreamBeginCapture_v2, 100, {5}));
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 200, {5}));
    bounds.take(cudaCall(JSA_CALL_cuStreamEndCapture, 300, {5}));
    bounds.bounds.cut(400, bounds.found);
    QVERIFY(bounds.found.empty());
    bounds.take(cudaCall(JSA_CALL_cuGraphLaunch, 500, {5}));
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 600, {5}));
    QCOMPARE(bounds.only(), (Interval{500, 610}));
}

void WorkBoundsTest::keepsStreamsOfThreadsApart()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {0}, JSA_FLAG_PER_THREAD));
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 200, {0}, JSA_FLAG_PER_THREAD), kThread + 1);
    QVERIFY(bounds.found.empty());
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 300, {2})); // CU_STREAM_PER_THREAD
    QCOMPARE(bounds.only(), (Interval{100, 310}));
}

/// More submissions than are remembered singly: the first one still bounds them.
void WorkBoundsTest::forgetsNothingThatRuns()
{
    Bounds bounds;
    for (int i = 0; i < 100'000; ++i)
        bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100 + i * 20, {5}));
    bounds.take(cudaCall(JSA_CALL_cuCtxSynchronize, 3'000'000, {}));
    QCOMPARE(bounds.only(), (Interval{100, 3'000'010}));
}

JETSCOPE_TEST(WorkBoundsTest)
#include "tst_workbounds.moc"
