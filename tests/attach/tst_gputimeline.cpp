// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/gpurecords.h"
#include "core/attach/record/attachrecorder.h"
#include "core/attach/record/gputimeline.h"
#include "core/time/clock.h"
#include "madecall.h"
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

/// Records of CUPTI, well-formed and hostile, and the spans and lanes that are made of them.
class GpuTimelineTest : public QObject {
    Q_OBJECT

private slots:
    void joinsNames();
    void countsImpossibleRecords_data();
    void countsImpossibleRecords();
    void survivesAnyRecord();
    void linksWorkWhileAThreadBlocks();
    void placesWorkWhileNoCallIsRecorded();
    void placesWorkThatIsTooMuchToHold();
    void knowsProcessesThatHaveEnded();
    void waitsForTheSubmission();
    void linksByTheIdOfTheCall();
    void linksWorkOfManyThreads();
    void shortensKernelNames_data();
    void shortensKernelNames();
};

namespace {

constexpr std::int32_t kProcess = 7;

jsa_gpu_record kernelRecord(std::int64_t startNs, std::int64_t endNs)
{
    jsa_gpu_record record{};
    record.kind = JSA_GPU_KERNEL;
    record.begin = static_cast<std::uint64_t>(startNs);
    record.end = static_cast<std::uint64_t>(endNs);
    return record;
}

/// A timeline that numbers frames by their times, and the rings that it reads.
struct TimedRings {
    RingsOfAProcess rings;
    ProgramModel model;
    GpuTimeline timeline{model, [](std::int64_t ns) { return static_cast<std::uint32_t>(ns); },
                         [](auto &&...) { return std::optional<LaneId>(0); }};
    std::int64_t startNs = nowNs();
    std::vector<Span> spans;

    TimedRings() { rings.deliver(startNs); }
    void read()
    {
        std::vector<AttachEvent> none;
        rings.reader().drain(none);
        timeline.read(rings.reader());
    }
    void submit(std::int64_t from, std::int64_t to, std::uint32_t submission = 0)
    {
        AttachEvent event = madeCall(JSA_CALL_cuLaunchKernel, startNs + to, {5});
        event.startNs = startNs + from;
        event.submission = submission;
        timeline.take(event, getpid(), gettid());
    }
    std::uint32_t frameAt(std::int64_t ns) const { return static_cast<std::uint32_t>(startNs + ns); }
};

} // namespace

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
    TimedRings timed;
    timed.rings.kernel(1, timed.startNs + 1000);
    timed.read();
    timed.submit(0, 500);
    timed.timeline.place(0, false, timed.spans);
    QVERIFY(timed.spans.empty());
    timed.submit(900, 1100);
    timed.timeline.place(0, false, timed.spans);
    QCOMPARE(timed.spans.size(), 1u);
    QCOMPARE(timed.spans[0].frame, timed.frameAt(900));
    QCOMPARE(timed.timeline.linked(), 1u);
}

/// Whatever the times are: both calls end behind both kernels.
void GpuTimelineTest::linksByTheIdOfTheCall()
{
    TimedRings timed;
    timed.rings.kernelOnly(2, timed.startNs + 1000);
    timed.rings.kernelOnly(1, timed.startNs + 2000);
    timed.read();
    timed.timeline.place(0, false, timed.spans);
    QVERIFY(timed.spans.empty());
    timed.submit(1, 5000, 1);
    timed.submit(2, 5000, 2);
    timed.timeline.place(0, false, timed.spans);
    QCOMPARE(timed.spans.size(), 2u);
    QCOMPARE(timed.spans[0].frame, timed.frameAt(2));
    QCOMPARE(timed.spans[1].frame, timed.frameAt(1));
    QCOMPARE(timed.timeline.linked(), 2u);
    QCOMPARE(timed.timeline.waiting(), 0u);
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
        timeline.take(madeCall(JSA_CALL_cuLaunchKernel, startNs - 20 * kSecond + i, {5}), getpid(), 1'000'000 + i);
    AttachEvent event = madeCall(JSA_CALL_cuLaunchKernel, startNs, {5});
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
