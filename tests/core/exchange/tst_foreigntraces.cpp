// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Chrome traces of other programs. The files in traces/ were written according to the documented formats of their
// producers.
#include "core/exchange/opentrace.h"
#include "core/trace/timelimits.h"
#include "tests/core/accounts.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <ctime>
#include <set>

using namespace jetscope;
using namespace jetscope::test;

class TestForeignTraces : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<OpenedTrace> opened(const QByteArray &json, const std::string &framesBy = {})
    {
        const QString path = m_folder.filePath("trace.json");
        writeFile(path, json);
        Watcher watcher;
        return openTrace(path.toStdString(), watcher, Trace::kDefaultMaxSpans, framesBy);
    }
    static Result<OpenedTrace> openedFile(const char *name)
    {
        Watcher watcher;
        return openTrace(std::string(JETSCOPE_TRACES "/") + name, watcher);
    }
    /// An event that names process 3 or its thread 4.
    static QByteArray named(const char *what, const char *key, const char *name);
    static QString notesOf(const OpenedTrace &opened) { return saidOf(opened); }
    /// "lane: role" of every lane.
    static QStringList rolesOf(const Trace &trace);
    /// "name: category", once for each name.
    static QStringList kindsOf(const Trace &trace);
    /// "from -> to" of every edge.
    static QStringList edgesOf(const Trace &trace);
    static std::string nameAt(const Trace &trace, LaneId lane, std::int64_t startNs);

private slots:
    void readsKineto();
    void readsKinetoOf2021();
    void readsBazel();
    void knowsGpusByName_data();
    void knowsGpusByName();
    void knowsTheNumberOfAGpu_data();
    void knowsTheNumberOfAGpu();
    void flowsBecomeEdges();
    void flowsLackTheirEnds();
    void asyncEventsBecomeLanes();
    void framesByName_data();
    void framesByName();
    void manyTextualThreadsAreLinear();
    void longWorkCanBeCancelled_data();
    void longWorkCanBeCancelled();
};

QStringList TestForeignTraces::rolesOf(const Trace &trace)
{
    QStringList roles;
    const char *const names[] = {"capture", "pipeline", "cpu", "gpu", "gl", "engine", "view", "tool"};
    for (const LaneInfo &lane : trace.lanes())
        roles << QString::fromStdString(lane.name) + ": " + names[static_cast<std::size_t>(lane.role)];
    return roles;
}

QStringList TestForeignTraces::kindsOf(const Trace &trace)
{
    std::set<std::string> kinds;
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
            const TraceName name = track.at(i).name;
            kinds.insert(trace.names().text(name) + ": " + std::string(categoryName(trace.names().category(name))));
        }
    QStringList all;
    for (const std::string &kind : kinds)
        all << QString::fromStdString(kind);
    return all;
}

/// Name of the innermost span that begins at this time.
std::string TestForeignTraces::nameAt(const Trace &trace, LaneId lane, std::int64_t startNs)
{
    std::string name = "nothing";
    for (const SpanTrack &track : trace.tracks()) {
        const std::uint64_t index = track.firstFrom(startNs);
        if (track.lane() == lane && index < track.endIndex() && track.at(index).startNs == startNs)
            name = trace.names().text(track.at(index).name);
    }
    return name;
}

QStringList TestForeignTraces::edgesOf(const Trace &trace)
{
    QStringList edges;
    for (const SpanEdge &edge : trace.edges({-kMaxTraceNs, kMaxTraceNs}))
        edges << QString::fromStdString(nameAt(trace, edge.fromLane, edge.fromNs) + " -> "
                                        + nameAt(trace, edge.toLane, edge.toNs));
    return edges;
}

void TestForeignTraces::readsKineto()
{
    const Result<OpenedTrace> result = openedFile("kineto.json");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const Trace &trace = result.value().trace;
    QCOMPARE(rolesOf(trace),
             (QStringList{"PyTorch Profiler: tool", "thread 4321 (python3): pipeline", "stream 7: gpu"}));
    QCOMPARE(kindsOf(trace),
             (QStringList{"Memcpy HtoD (Pinned -> Device): copy", "Memset (Device): copy", "ProfilerStep#5: tool",
                          "ProfilerStep#6: tool", "ProfilerStep#7: tool", "PyTorch Profiler (0): tool",
                          "aten::conv2d: cpu-stage", "cudaDeviceSynchronize: wait-sync", "cudaLaunchKernel: submit",
                          "cudaMemcpyAsync: submit", "cudaMemsetAsync: submit", "train.py(31): make_frame: cpu-stage",
                          "void conv<float, 4>(float*): kernel"}));
    // The steps are the frames, not the function whose name ends with "frame", nor the GPU's copies of the steps.
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{3});
    for (std::uint64_t i = 0; i < 3; ++i) {
        const FrameFigures figures = trace.frames().at(i);
        QCOMPARE(figures.frame, static_cast<std::uint32_t>(i + 5));
        QCOMPARE(figures.periodNs(), std::int64_t{1'500'000});
        QCOMPARE(figures.overlap.gpuNs, std::int64_t{705'250}); // Copy, memset and kernel.
        QCOMPARE(figures.overlap.cpuNs, std::int64_t{400'000}); // The function that contains all other spans.
        QCOMPARE(figures.waitSyncNs, std::int64_t{450'000});
        QCOMPARE(figures.bytesCopied, std::uint64_t{602'112});
    }
    QVERIFY2(notesOf(result.value()).contains("3 frames are taken from the ranges named \"ProfilerStep\""),
             qPrintable(notesOf(result.value())));
    QStringList wanted;
    for (int i = 0; i < 3; ++i)
        wanted << "cudaMemcpyAsync -> Memcpy HtoD (Pinned -> Device)"
               << "cudaMemsetAsync -> Memset (Device)"
               << "cudaLaunchKernel -> void conv<float, 4>(float*)";
    QCOMPARE(edgesOf(trace), wanted);
}

void TestForeignTraces::readsKinetoOf2021()
{
    const Result<OpenedTrace> result = openedFile("kineto_2021.json");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const Trace &trace = result.value().trace;
    QCOMPARE(rolesOf(trace), (QStringList{"thread 77: pipeline", "stream 7: gpu", "stream 20: gpu"}));
    QCOMPARE(kindsOf(trace),
             (QStringList{"Memcpy DtoH: copy", "Memset: copy", "ProfilerStep#0: tool", "ProfilerStep#1: tool",
                          "add: kernel", "cudaLaunchKernel: submit"}));
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{2});
    QCOMPARE(trace.frames().at(0).overlap.gpuNs, std::int64_t{400'000});
    QCOMPARE(trace.frames().at(0).overlap.cpuNs, std::int64_t{20'000});
}

void TestForeignTraces::readsBazel()
{
    const Result<OpenedTrace> result = openedFile("bazel.json");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.spanCount(), std::uint64_t{3});
    QCOMPARE(trace.oldestNs(), std::int64_t{-1'306'000'000});
    QCOMPARE(trace.counters().size(), std::size_t{2});
    QCOMPARE(trace.counters()[1].at(0), (std::pair<std::int64_t, double>(252'177'500, 0.8312)));
    QCOMPARE(trace.marks().all().size(), std::size_t{1});
    QCOMPARE(result.value().account.leftOut(), leftOutOf(result.value(), "say nothing that is shown"));
}

QByteArray TestForeignTraces::named(const char *what, const char *key, const char *name)
{
    return QByteArray(R"({"ph":"M","pid":3,"tid":4,"name":")") + what + R"(","args":{")" + key + R"(":")" + name
        + R"("}})";
}

void TestForeignTraces::knowsGpusByName_data()
{
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<bool>("isGpu");
    QTest::newRow("process") << named("process_name", "name", "/device:GPU:0 (NVIDIA H100)") << true;
    QTest::newRow("label") << named("process_labels", "labels", "GPU 0") << true;
    QTest::newRow("stream") << named("thread_name", "name", "stream 7 ") << true;
    QTest::newRow("CUDA") << named("thread_name", "name", "CUDA HW") << true;
    QTest::newRow("Chrome's process of the CPU") << named("process_name", "name", "GPU Process") << false;
    QTest::newRow("a reader") << named("thread_name", "name", "stream reader") << false;
    QTest::newRow("label of a CPU") << named("process_labels", "labels", "CPU") << false;
    QTest::newRow("a thread that calls the GPU") << named("thread_name", "name", "CUDA worker")
            + R"(,{"ph":"X","ts":9,"dur":1,"pid":3,"tid":4,"name":"cudaFree","cat":"cuda_runtime"})"
                                                 << false;
    QTest::newRow("its kernels") << QByteArray(
        R"({"ph":"X","ts":9,"dur":1,"pid":3,"tid":4,"name":"k","cat":"kernel","args":{"stream":7}})")
                                 << true;
}

void TestForeignTraces::knowsGpusByName()
{
    QFETCH(QByteArray, events);
    QFETCH(bool, isGpu);
    const Result<OpenedTrace> result =
        opened(R"([{"ph":"X","ts":1,"dur":1,"pid":3,"tid":4,"name":"work"},)" + events + "]");
    QVERIFY(result.ok());
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.lanes()[0].role, isGpu ? LaneRole::DeviceStream : LaneRole::CpuStage);
    const TraceSpan span = trace.tracks()[0].at(0);
    QCOMPARE(trace.names().category(span.name), isGpu ? Category::Kernel : Category::CpuStage);
}

void TestForeignTraces::knowsTheNumberOfAGpu_data()
{
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QString>("number");
    const auto kernel = [](const char *arguments) {
        return QByteArray(R"({"ph":"X","ts":9,"dur":1,"pid":3,"tid":4,"name":"k","cat":"kernel","args":{)") + arguments
            + "}}";
    };
    QTest::newRow("label") << named("process_labels", "labels", "GPU 1") << "1";
    QTest::newRow("process of XLA") << named("process_name", "name", "/device:GPU:2") << "2";
    QTest::newRow("process of TensorFlow") << named("process_name", "name", "/device:GPU:12/stream:13 Compute") << "12";
    QTest::newRow("process of rocprof") << named("process_name", "name", "GPU3") << "3";
    QTest::newRow("thread") << named("thread_name", "name", "GPU 4 stream") << "4";
    QTest::newRow("its kernels") << kernel(R"("device":5)") << "5";
    QTest::newRow("its kernels, as text") << kernel(R"("device":"6")") << "6";
    QTest::newRow("kernels before names")
        << kernel(R"("device":7)") + "," + named("process_labels", "labels", "GPU 1") << "7";
    QTest::newRow("none") << kernel(R"("stream":7)") << "";
    QTest::newRow("no number") << kernel(R"("device":-1)") << "";
    QTest::newRow("another number") << named("process_name", "name", "GPU 3.5 s") << "";
    QTest::newRow("a thread of the CPU") << QByteArray(
        R"({"ph":"X","ts":9,"dur":1,"pid":3,"tid":4,"name":"cudaFree","cat":"cuda_runtime","args":{"device":1}})")
                                         << "";
}

void TestForeignTraces::knowsTheNumberOfAGpu()
{
    QFETCH(QByteArray, events);
    QFETCH(QString, number);
    const Result<OpenedTrace> result =
        opened(R"([{"ph":"X","ts":1,"dur":1,"pid":3,"tid":4,"name":"work"},)" + events + "]");
    QVERIFY(result.ok());
    const LaneInfo &lane = result.value().trace.lanes()[0];
    QCOMPARE(lane.gpu ? QString::number(*lane.gpu) : QString(), number);
}

void TestForeignTraces::flowsBecomeEdges()
{
    // An arrow from the inner of two spans, with a step in between, to the next span and to two kernels of one launch.
    const Result<OpenedTrace> result = opened(R"([
        {"ph":"X","ts":0,"dur":100,"pid":1,"tid":1,"name":"outer"},{"ph":"X","ts":10,"dur":20,"pid":1,"tid":1,"name":"inner"},
        {"ph":"X","ts":50,"dur":10,"pid":1,"tid":2,"name":"step"},{"ph":"X","ts":80,"dur":5,"pid":1,"tid":2,"name":"next"},
        {"ph":"X","ts":110,"dur":5,"pid":1,"tid":1,"name":"launch"},
        {"ph":"X","ts":120,"dur":9,"pid":2,"tid":7,"cat":"kernel","name":"k1"},
        {"ph":"X","ts":130,"dur":9,"pid":2,"tid":7,"cat":"kernel","name":"k2"},
        {"ph":"f","ts":70,"pid":1,"tid":2,"id":"0x1","cat":"c","name":"n"},
        {"ph":"t","ts":55,"pid":1,"tid":2,"id":"0x1","cat":"c","name":"n"},
        {"ph":"s","ts":30,"pid":1,"tid":1,"id":"0x1","cat":"c","name":"n"},
        {"ph":"f","ts":120,"pid":2,"tid":7,"id":1,"cat":"ac2g","name":"ac2g","bp":"e"},
        {"ph":"f","ts":130,"pid":2,"tid":7,"id":1,"cat":"ac2g","name":"ac2g","bp":"e"},
        {"ph":"s","ts":110,"pid":1,"tid":1,"id":1,"cat":"ac2g","name":"ac2g"}])");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(edgesOf(result.value().trace),
             (QStringList{"outer -> step", "step -> next", "launch -> k1", "launch -> k2"}));
    QVERIFY2(!notesOf(result.value()).contains("arrow"), qPrintable(notesOf(result.value())));
    // At the end of the inner span, the outer span contains the point; without an outer span, the ending span is used.
    const Result<OpenedTrace> ending = opened(R"([
        {"ph":"X","ts":0,"dur":10,"tid":1,"name":"a"},{"ph":"X","ts":20,"dur":10,"tid":2,"name":"b"},
        {"ph":"s","ts":10,"tid":1,"id":1},{"ph":"f","ts":20,"tid":2,"id":1,"bp":"e"}])");
    QVERIFY(ending.ok());
    QCOMPARE(edgesOf(ending.value().trace), QStringList{"a -> b"});
    // A kernel whose clock is earlier than that of its launch.
    const Result<OpenedTrace> skewed = opened(R"([
        {"ph":"X","ts":20,"dur":10,"tid":1,"name":"launch"},{"ph":"X","ts":15,"dur":1,"tid":2,"name":"k"},
        {"ph":"f","ts":15,"tid":2,"id":1,"bp":"e"},{"ph":"s","ts":20,"tid":1,"id":1}])");
    QVERIFY(skewed.ok());
    QCOMPARE(edgesOf(skewed.value().trace), QStringList{"launch -> k"});
}

void TestForeignTraces::flowsLackTheirEnds()
{
    const Result<OpenedTrace> result = opened(R"([{"ph":"X","ts":0,"dur":10,"tid":1,"name":"a"},
        {"ph":"s","ts":1,"tid":1,"id":1},{"ph":"f","ts":1,"tid":1,"id":2,"bp":"e"},{"ph":"f","ts":99,"tid":1,"id":3},
        {"ph":"s","ts":5,"tid":2,"id":4},{"ph":"f","ts":6,"tid":1,"id":4,"bp":"e"},{"ph":"t","ts":6,"tid":1}])");
    QVERIFY(result.ok());
    QVERIFY(result.value().trace.edges().empty());
    QCOMPARE(leftOutOf(result.value(), "they touch no span"), std::uint64_t{2});
    QCOMPARE(leftOutOf(result.value(), "other end of their arrow"), std::uint64_t{4});
}

void TestForeignTraces::asyncEventsBecomeLanes()
{
    const Result<OpenedTrace> result = opened(R"([
        {"ph":"b","ts":1,"pid":5,"id":"0x1","cat":"net","name":"load"},{"ph":"b","ts":2,"pid":5,"id":"0x1","cat":"net","name":"dns"},
        {"ph":"b","ts":3,"pid":5,"id2":{"local":"0x2"},"cat":"net","name":"load"},{"ph":"n","ts":4,"pid":5,"id":"0x1","cat":"net","name":"hit"},
        {"ph":"e","ts":5,"pid":5,"id":"0x1","cat":"net","name":"dns"},{"ph":"e","ts":9,"pid":5,"id":"0x1","cat":"net","name":"load"},
        {"ph":"e","ts":7,"pid":5,"id2":{"local":"0x2"},"cat":"net","name":"load"},
        {"ph":"S","ts":1,"pid":5,"id":3,"cat":"old","name":"o"},{"ph":"F","ts":4,"pid":5,"id":3,"cat":"old","name":"o"},
        {"ph":"e","ts":4,"pid":5,"id":9,"cat":"net","name":"x"},{"ph":"b","ts":6,"pid":5,"id":10,"cat":"net","name":"open"},
        {"ph":"X","ts":0,"dur":20,"pid":5,"tid":1,"name":"work"},{"ph":"M","pid":5,"name":"process_name","args":{"name":"app"}}])");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const Trace &trace = result.value().trace;
    QCOMPARE(rolesOf(trace), (QStringList{"net: tool", "old: tool", "thread 1: cpu"}));
    QCOMPARE(trace.lanes()[0].detail, std::string("asynchronous · app"));
    QStringList spans;
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
            const TraceSpan span = track.at(i);
            QCOMPARE(trace.names().category(span.name), track.lane() == 2 ? Category::CpuStage : Category::Tool);
            if (track.lane() != 2)
                spans << QStringLiteral("%1 %2+%3")
                             .arg(QString::fromStdString(trace.names().text(span.name)))
                             .arg(span.startNs)
                             .arg(span.durationNs);
        }
    spans.sort();
    QCOMPARE(spans,
             (QStringList{"dns 2000+3000", "hit 4000+0", "load 1000+8000", "load 3000+4000", "o 1000+3000",
                          "open 6000+14000"}));
    QCOMPARE(leftOutOf(result.value(), "no beginning"), std::uint64_t{1});
    QVERIFY(notesOf(result.value()).contains("spans without an end last until the end of the trace: 1"));
}

void TestForeignTraces::framesByName_data()
{
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<int>("frames");
    QTest::addColumn<QString>("note");
    QTest::newRow("by convention") << QByteArray() << 2 << "2 frames are taken from the ranges named \"frame\"";
    QTest::newRow("numbered") << QByteArray("step") << 3 << "3 frames are taken from the ranges named \"step\"";
    QTest::newRow("with what separates it") << QByteArray("step #") << 3 << "named \"step\"";
    QTest::newRow("one") << QByteArray("step #2") << 1 << "1 frame is taken from the ranges named";
    QTest::newRow("without numbers") << QByteArray("iterate") << 4
                                     << "4 frames are taken from the ranges named \"iterate\"";
    QTest::newRow("marks") << QByteArray("vsync") << 5 << "5 frames are taken from the marks named \"vsync\"";
    QTest::newRow("nothing") << QByteArray("Step") << 0
                             << "there are no frames: no range and no mark is named \"Step\"";
    QTest::newRow("a number in the name") << QByteArray("conv2") << 1 << "named \"conv\"";
}

void TestForeignTraces::framesByName()
{
    QFETCH(QByteArray, asked);
    QFETCH(int, frames);
    QFETCH(QString, note);
    QByteArray json = "[";
    const auto range = [&json](const QByteArray &name, int at, int duration) {
        json += R"({"ph":"X","ts":)" + QByteArray::number(at) + R"(,"dur":)" + QByteArray::number(duration)
            + R"(,"name":")" + name + R"("},)";
    };
    range("frame 1", 0, 40);
    range("frame 2", 50, 40);
    for (int i = 0; i < 3; ++i)
        range("step #" + QByteArray::number(i), 100 + i * 100, 90);
    for (int i = 0; i < 4; ++i)
        range("iterate", 110 + i * 50, 10);
    range("conv2", 500, 10);
    range("conv3", 520, 10);
    for (int i = 0; i < 5; ++i)
        json += R"({"ph":"i","name":"vsync","ts":)" + QByteArray::number(i * 100) + "},";
    const Result<OpenedTrace> result = opened(json, asked.toStdString());
    QVERIFY(result.ok());
    QCOMPARE(result.value().trace.frames().endIndex(), static_cast<std::uint64_t>(frames));
    QVERIFY2(notesOf(result.value()).contains(note), qPrintable(notesOf(result.value())));
    // The name with the longest total time comes first.
    QCOMPARE(result.value().frameNames.front(), std::string("step"));
    QVERIFY(result.value().frameNames.size() >= 4);
}

void TestForeignTraces::manyTextualThreadsAreLinear()
{
    const auto secondsFor = [this](int threads) {
        QByteArray json = "[";
        for (int i = 0; i < threads; ++i)
            json += R"({"ph":"X","ts":1,"dur":1,"pid":"p)" + QByteArray::number(i) + R"(","tid":"a thread )"
                + QByteArray::number(i) + R"("},)";
        double best = 1e9;
        for (int round = 0; round < 3; ++round) {
            QElapsedTimer timer;
            timer.start();
            const Result<OpenedTrace> result = opened(json);
            if (!result.ok()
                || result.value().trace.spanCount()
                    != std::min<std::uint64_t>(10'000, static_cast<std::uint64_t>(threads)))
                return -1.0;
            best = std::min(best, static_cast<double>(timer.nsecsElapsed()) * 1e-9);
        }
        return best;
    };
    const double few = secondsFor(20'000);
    const double many = secondsFor(160'000);
    QVERIFY(few > 0 && many > 0);
    QVERIFY2(many < 8 * 3 * few, qPrintable(QStringLiteral("%1 s for 20000, %2 s for 160000").arg(few).arg(many)));
}

void TestForeignTraces::longWorkCanBeCancelled_data()
{
    QTest::addColumn<QByteArray>("event");
    QTest::newRow("spans in reverse") << QByteArray(R"({"ph":"X","ts":-%,"dur":1})");
    QTest::newRow("begin and end") << QByteArray(R"({"ph":"B","ts":-%},{"ph":"E","ts":-%.5})");
    QTest::newRow("flows") << QByteArray(R"({"ph":"s","ts":%,"id":%},{"ph":"f","ts":%,"id":%,"bp":"e"})");
    QTest::newRow("asynchronous") << QByteArray(R"({"ph":"b","ts":-%,"id":%},{"ph":"e","ts":%,"id":%})");
    QTest::newRow("marks") << QByteArray(R"({"ph":"i","ts":-%})");
    QTest::newRow("counters") << QByteArray(R"({"ph":"C","ts":-%,"name":"c","args":{"v":%}})");
}

/// The work between two progress callbacks must not grow with the file. In time of the CPU, which other programs do not
/// change.
void TestForeignTraces::longWorkCanBeCancelled()
{
    QFETCH(QByteArray, event);
    QByteArray json = "[";
    for (int i = 0; i < 200'000; ++i)
        json += QByteArray(event).replace('%', QByteArray::number(i)) + ",";
    const QString path = m_folder.filePath("long.json");
    QVERIFY(writeFile(path, json));
    const auto cpuMs = [] { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
    Watcher whole;
    const double begin = cpuMs();
    QVERIFY(openTrace(path.toStdString(), whole).ok());
    const double wholeMs = cpuMs() - begin;
    QVERIFY(whole.rises);
    class Counter : public OpenProgress {
    public:
        bool advance(double) override
        {
            ++calls;
            const std::clock_t now = std::clock();
            longestMs = std::max(longestMs, 1e3 * static_cast<double>(now - last) / CLOCKS_PER_SEC);
            last = now;
            return true;
        }
        std::clock_t last = std::clock();
        double longestMs = 0;
        int calls = 0;
    } counter;
    QVERIFY(openTrace(path.toStdString(), counter).ok());
    QVERIFY2(counter.calls > 8, qPrintable(QString::number(counter.calls)));
    QVERIFY2(counter.longestMs <= wholeMs / 2,
             qPrintable(QStringLiteral("%1 ms of %2").arg(counter.longestMs).arg(wholeMs)));
    for (int calls : {counter.calls / 4, counter.calls / 2, counter.calls - 1}) {
        Watcher watcher(calls);
        const Result<OpenedTrace> result = openTrace(path.toStdString(), watcher);
        QVERIFY(!result.ok() && wasCancelled(result.error()));
    }
}

JETSCOPE_TEST(TestForeignTraces)
#include "tst_foreigntraces.moc"
