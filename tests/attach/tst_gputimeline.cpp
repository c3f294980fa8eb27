// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/model/workbounds.h"
#include "core/attach/read/gpurecords.h"
#include "core/attach/record/attachrecorder.h"
#include "core/attach/record/gputimeline.h"
#include "core/time/clock.h"
#include "judged.h"
#include "ringsofaprocess.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

#include <csignal>
#include <cstring>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace jetscope;

/// Where the GPU's work was, from calls alone, and records of CUPTI, well-formed and hostile.
class GpuTimelineTest : public QObject {
    Q_OBJECT

private slots:
    void boundsWorkByTheWaitForIt_data();
    void boundsWorkByTheWaitForIt();
    void boundsOnlyWorkBeforeAnEvent();
    void givesEachFrameItsPart();
    void boundsWorkThatAnotherStreamAwaits();
    void boundsWorkOfTheDefaultStream();
    void boundsWorkOfDestroyedStreams();
    void boundsNothingThatIsCaptured();
    void keepsStreamsOfThreadsApart();
    void forgetsNothingThatRuns();
    void joinsNames();
    void countsImpossibleRecords_data();
    void countsImpossibleRecords();
    void survivesAnyRecord();
    void linksWorkWhileAThreadBlocks();
    void placesWorkWhileNoCallIsRecorded();
    void placesWorkThatIsTooMuchToHold();
    void forgetsWorkOfAPause();
    void forgetsWorkOfEndedProcesses();
    void knowsProcessesThatHaveEnded();
    void waitsForTheSubmission();
    void linksWorkOfManyThreads();
    void shortensKernelNames_data();
    void shortensKernelNames();
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

jsa_gpu_record kernelRecord(std::int64_t startNs, std::int64_t endNs)
{
    jsa_gpu_record record{};
    record.kind = JSA_GPU_KERNEL;
    record.begin = static_cast<std::uint64_t>(startNs);
    record.end = static_cast<std::uint64_t>(endNs);
    return record;
}

} // namespace

void GpuTimelineTest::boundsWorkByTheWaitForIt_data()
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

void GpuTimelineTest::boundsWorkByTheWaitForIt()
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

void GpuTimelineTest::boundsOnlyWorkBeforeAnEvent()
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

void GpuTimelineTest::givesEachFrameItsPart()
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
/// Calls are held until frames are found, and there may never be any.
void GpuTimelineTest::placesWorkWhileNoCallIsRecorded()
{
    constexpr std::uint32_t kKernels = 100;
    RingsOfAProcess rings;
    AttachRecorder recorder({});
    const std::int64_t ns = nowNs();
    for (std::uint32_t i = 0; i < kKernels; ++i)
        rings.kernel(i, ns - 500'000'000 + i);
    rings.deliver(ns);
    recorder.read(rings.reader(), false);
    QCOMPARE(recorder.take().spans.size(), std::size_t{kKernels});
    QCOMPARE(recorder.gpu().waiting(), std::size_t{0});
}

/// While a call is open nobody knows until when all calls are known, and those that ended are held.
void GpuTimelineTest::placesWorkThatIsTooMuchToHold()
{
    constexpr std::uint32_t kAtOnce = JSA_RING_RECORDS / 4;
    constexpr std::uint32_t kKernels = 32 * kAtOnce;
    RingsOfAProcess rings;
    AttachRecorder recorder({});
    rings.block();
    rings.call(JSA_CALL_cuLaunchKernel);
    const std::int64_t ns = nowNs();
    std::size_t spans = 0;
    std::size_t most = 0;
    for (std::uint32_t number = 0; number < kKernels; ++number) {
        rings.kernel(number, ns - 500'000'000 + number);
        if (number % kAtOnce != kAtOnce - 1)
            continue;
        rings.deliver(ns);
        recorder.read(rings.reader(), false);
        spans += recorder.take().spans.size();
        most = std::max(most, recorder.gpu().waiting());
    }
    QVERIFY2(most < kKernels, qPrintable(QString::number(most)));
    QVERIFY(spans > 0);
    QCOMPARE(rings.reader().gpuCounts().recorded[JSA_GPU_KERNEL], std::uint64_t{kKernels});
}

void GpuTimelineTest::forgetsWorkOfAPause()
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
void GpuTimelineTest::forgetsWorkOfEndedProcesses()
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

void GpuTimelineTest::knowsProcessesThatHaveEnded()
{
    RingsOfAProcess rings;
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    rings.memory().ring(1).pid = rings.memory().ring(1).tid = child;
    std::vector<AttachEvent> events;
    const auto look = [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(60)); // It looks every 50 ms.
        rings.reader().drain(events);
    };
    rings.call(JSA_CALL_cuLaunchKernel);
    look();
    QVERIFY(!rings.reader().hasEnded(child));
    QCOMPARE(kill(child, SIGKILL), 0);
    QCOMPARE(waitpid(child, nullptr, 0), child);
    look();
    QVERIFY(rings.reader().hasEnded(child));
    QVERIFY(!rings.reader().hasEnded(getpid()) && !rings.reader().hasEnded(0) && !rings.reader().hasEnded(-1));
    // In the bounds, too.
    const ProgramModel model;
    GpuTimeline timeline(
        model, [](std::int64_t) { return 0; }, [](auto &&...) { return std::optional<LaneId>(1); });
    for (const AttachEvent &event : events)
        timeline.take(event, child, child);
    timeline.endProcesses(rings.reader());
    std::vector<Span> spans;
    timeline.endFrame(nowNs());
    timeline.place(nowNs(), true, spans);
    QCOMPARE(spans.size(), std::size_t(1));
    QCOMPARE(spans.front().endNs(), rings.reader().drainedNs());
}

/// Fork and join: the CPU waits for one stream only, which has waited for the others.
void GpuTimelineTest::boundsWorkThatAnotherStreamAwaits()
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

void GpuTimelineTest::boundsWorkOfTheDefaultStream()
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
void GpuTimelineTest::boundsWorkOfDestroyedStreams()
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

void GpuTimelineTest::boundsNothingThatIsCaptured()
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

void GpuTimelineTest::keepsStreamsOfThreadsApart()
{
    Bounds bounds;
    bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100, {0}, JSA_FLAG_PER_THREAD));
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 200, {0}, JSA_FLAG_PER_THREAD), kThread + 1);
    QVERIFY(bounds.found.empty());
    bounds.take(cudaCall(JSA_CALL_cuStreamSynchronize, 300, {2})); // CU_STREAM_PER_THREAD
    QCOMPARE(bounds.only(), (Interval{100, 310}));
}

/// More submissions than are remembered singly: the first one still bounds them.
void GpuTimelineTest::forgetsNothingThatRuns()
{
    Bounds bounds;
    for (int i = 0; i < 100'000; ++i)
        bounds.take(cudaCall(JSA_CALL_cuLaunchKernel, 100 + i * 20, {5}));
    bounds.take(cudaCall(JSA_CALL_cuCtxSynchronize, 3'000'000, {}));
    QCOMPARE(bounds.only(), (Interval{100, 3'000'010}));
}

void GpuTimelineTest::joinsNames()
{
    GpuRecordReader reader(nowNs());
    std::string text;
    jsa_gpu_record part{};
    part.kind = JSA_GPU_TEXT;
    std::memset(reinterpret_cast<char *>(&part) + JSA_GPU_TEXT_OFFSET, 'k', JSA_GPU_TEXT_BYTES);
    reader.take(part, kProcess, nowNs(), text);
    reader.take(part, kProcess, nowNs(), text);
    jsa_gpu_record end{};
    end.kind = JSA_GPU_NAME;
    end.name = 77;
    reader.take(end, kProcess, nowNs(), text);
    const std::int64_t now = nowNs();
    jsa_gpu_record kernel = kernelRecord(now, now);
    kernel.name = 77;
    reader.take(kernel, kProcess, nowNs(), text);
    kernel.name = 78; // Its name was lost.
    reader.take(kernel, kProcess, nowNs(), text);
    const std::vector<AttachGpuWork> work = reader.takeWork();
    QCOMPARE(work.size(), 2u);
    QCOMPARE(reader.names().at(work[0].name), std::string(80, 'k'));
    QCOMPARE(reader.names().at(work[1].name), std::string());
}

void GpuTimelineTest::countsImpossibleRecords_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<qint64>("begin");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<bool>("stray");
    const qint64 now = nowNs();
    QTest::newRow("no kind") << 0 << now << now << false;
    QTest::newRow("unknown kind") << 60'000 << now << now << false;
    QTest::newRow("ends before it begins") << int(JSA_GPU_KERNEL) << now << now - 1 << false;
    QTest::newRow("before the session") << int(JSA_GPU_COPY) << qint64(1) << now << true;
    QTest::newRow("another clock") << int(JSA_GPU_SET) << now * 1000 << now * 1000 << true;
    QTest::newRow("beyond all times") << int(JSA_GPU_KERNEL) << now << qint64(-1) << true;
}

void GpuTimelineTest::countsImpossibleRecords()
{
    QFETCH(int, kind);
    QFETCH(qint64, begin);
    QFETCH(qint64, end);
    QFETCH(bool, stray);
    GpuRecordReader reader(nowNs());
    std::string text;
    jsa_gpu_record record = kernelRecord(begin, end);
    record.kind = static_cast<std::uint16_t>(kind);
    reader.take(record, kProcess, nowNs(), text);
    QVERIFY(reader.takeWork().empty());
    QCOMPARE(reader.counts().stray, stray ? 1u : 0u);
    QCOMPARE(reader.counts().damaged, stray ? 0u : 1u);
}

/// A program may write anything into its ring.
void GpuTimelineTest::survivesAnyRecord()
{
    std::mt19937_64 random(1);
    GpuRecordReader reader(nowNs());
    std::string text;
    for (int i = 0; i < 200'000; ++i) {
        std::array<std::uint64_t, 8> words{};
        for (std::uint64_t &word : words)
            word = random() % 2 == 0 ? random() : random() % 16;
        if (random() % 2 == 0)
            words[0] = words[1] = static_cast<std::uint64_t>(nowNs());
        if (random() % 2 == 0)
            words[2] = random() % (JSA_GPU_KINDS + 1);
        reader.take(std::bit_cast<jsa_gpu_record>(words), kProcess, nowNs(), text);
        QVERIFY(text.size() <= JSA_GPU_NAME_BYTES + JSA_GPU_TEXT_BYTES);
    }
    for (const AttachGpuWork &work : reader.takeWork())
        QVERIFY(work.endNs >= work.startNs && work.name < reader.names().size());
    QVERIFY(reader.names().size() <= 8192);
    jsa_ring ring;
    std::memset(&ring, 0xff, sizeof ring);
    const AttachGpuProcess process = GpuRecordReader::process(ring);
    QCOMPARE(process.state, JSA_GPU_ABSENT);
    QCOMPARE(process.reason.size(), sizeof ring.gpu.reason);
}

/// An idle camera holds up neither the times of the other threads nor, for long, their figures.
void GpuTimelineTest::linksWorkWhileAThreadBlocks()
{
    constexpr std::uint32_t kFrames = 20;
    RingsOfAProcess rings;
    AttachRecorder recorder({FrameWish::Kind::Swap});
    rings.block();
    rings.deliver(nowNs());
    recorder.read(rings.reader(), false);
    for (std::uint32_t i = 1; i <= kFrames; ++i) {
        const std::int64_t beforeNs = nowNs();
        rings.call(JSA_CALL_cuLaunchKernel);
        rings.kernel(i, beforeNs + (nowNs() - beforeNs) / 2);
        rings.call(JSA_CALL_eglSwapBuffers);
        recorder.read(rings.reader(), false);
    }
    rings.deliver(nowNs() + 1'000'000'000); // All work is late from now on.
    recorder.read(rings.reader(), false);
    QCOMPARE(recorder.gpu().linked(), std::uint64_t{kFrames});
    QCOMPARE(recorder.gpu().unlinked(), 0u);
    std::this_thread::sleep_for(std::chrono::nanoseconds(RingReader::kLongestOpenNs));
    rings.deliver(nowNs() + 1'000'000'000);
    recorder.read(rings.reader(), false);
    QVERIFY2(recorder.figures().size() >= kFrames - 1, QByteArray::number(qulonglong(recorder.figures().size())));
}

/// The record of a call may be read before the call, and the call before may have ended just then.
void GpuTimelineTest::waitsForTheSubmission()
{
    RingsOfAProcess rings;
    const ProgramModel model;
    GpuTimeline timeline(
        model, [](std::int64_t ns) { return static_cast<std::uint32_t>(ns); },
        [](auto &&...) { return std::optional<LaneId>(0); });
    const std::int64_t startNs = nowNs();
    std::vector<AttachEvent> none;
    rings.deliver(startNs);
    rings.kernel(1, startNs + 1000);
    rings.reader().drain(none);
    timeline.read(rings.reader());
    const auto submit = [&](std::int64_t from, std::int64_t to) {
        AttachEvent event = cudaCall(JSA_CALL_cuLaunchKernel, startNs + from, {5});
        event.endNs = startNs + to;
        timeline.take(event, getpid(), gettid());
    };
    std::vector<Span> spans;
    submit(0, 500);
    timeline.place(0, false, spans);
    QVERIFY(spans.empty());
    submit(900, 1100);
    timeline.place(0, false, spans);
    QCOMPARE(spans.size(), 1u);
    QCOMPARE(spans[0].frame, static_cast<std::uint32_t>(startNs + 900));
    QCOMPARE(timeline.linked(), 1u);
}

/// Threads that have ended make place for others.
void GpuTimelineTest::linksWorkOfManyThreads()
{
    RingsOfAProcess rings;
    const ProgramModel model;
    GpuTimeline timeline(
        model, [](std::int64_t) { return 0U; }, [](auto &&...) { return std::optional<LaneId>(0); });
    const std::int64_t startNs = nowNs();
    std::vector<AttachEvent> none;
    rings.deliver(startNs);
    rings.kernel(1, startNs + 500);
    rings.reader().drain(none);
    timeline.read(rings.reader());
    constexpr std::int64_t kSecond = 1'000'000'000;
    for (std::int32_t i = 0; i < 5000; ++i)
        timeline.take(cudaCall(JSA_CALL_cuLaunchKernel, startNs - 20 * kSecond + i, {5}), getpid(), 1'000'000 + i);
    AttachEvent event = cudaCall(JSA_CALL_cuLaunchKernel, startNs, {5});
    event.endNs = startNs + 1000;
    timeline.take(event, getpid(), gettid());
    std::vector<Span> spans;
    timeline.place(startNs + kSecond, true, spans);
    QCOMPARE(timeline.linked(), 1u);
}

void GpuTimelineTest::shortensKernelNames_data()
{
    QTest::addColumn<QByteArray>("mangled");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("C") << QByteArray("scale") << QByteArray("scale");
    QTest::newRow("C++") << QByteArray("_Z5scalePfi") << QByteArray("scale");
    QTest::newRow("template") << QByteArray("_Z5scaleIfEvPT_i") << QByteArray("scale<float>");
    QTest::newRow("template that returns a type of CUDA")
        << QByteArray("_Z6uploadIfE9cudaErrorPT_m") << QByteArray("upload<float>");
    QTest::newRow("anonymous namespace") << QByteArray("_ZN3cam12_GLOBAL__N_16uploadEi")
                                         << QByteArray("cam::(anonymous namespace)::upload");
    QTest::newRow("lambda") << QByteArray("_ZZ4mainENKUlvE_clEv") << QByteArray("main::{lambda()#1}::operator()");
    QTest::newRow("call operator") << QByteArray("_ZN3FooclEi") << QByteArray("Foo::operator()");
    QTest::newRow("signs") << QByteArray("_ZlsR3FooS0_") << QByteArray("operator<<");
    QTest::newRow("conversion") << QByteArray("_ZN3FoocvbEv") << QByteArray("Foo::operator bool");
    QTest::newRow("template of a function type") << QByteArray("_Z4callIFviEEvT_") << QByteArray("call<void (int)>");
    QTest::newRow("a type's letter") << QByteArray("f") << QByteArray("f");
    QTest::newRow("none") << QByteArray() << QByteArray("kernel");
    QTest::newRow("control characters") << QByteArray("a\n\x1b[2J") << QByteArray("a  [2J");
    QTest::newRow("long") << QByteArray(500, 'x') << QByteArray(160, 'x');
}

void GpuTimelineTest::shortensKernelNames()
{
    QFETCH(QByteArray, mangled);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(kernelNameForUsers(mangled.toStdString())), shown);
}

JETSCOPE_TEST(GpuTimelineTest)
#include "tst_gputimeline.moc"
