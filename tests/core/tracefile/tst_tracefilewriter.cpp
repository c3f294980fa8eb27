// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/system/database.h"
#include "core/time/clock.h"
#include "core/tracefile/tracefilewriter.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace jetscope;
using namespace jetscope::test;

namespace {

Result<OpenedTrace> opened(const QString &path)
{
    Watcher nobody;
    return openTrace(path.toStdString(), nobody);
}

std::unique_ptr<TraceFileWriter> writerOf(const QString &path)
{
    DeviceFacts facts;
    facts.id = "soft:orin";
    facts.eglSync = Capability::no("there is no EGL_NV_cuda_event");
    Result<std::unique_ptr<TraceFileWriter>> writer = TraceFileWriter::create(
        path.toStdString(), traceFileHeader({"device", "source", "Jetscope", {}, 5}, facts, {}));
    if (!writer.ok())
        return nullptr;
    TraceUpdate head;
    head.lanes = {{0, LaneRole::Pipeline, "pipeline", ""}, {1, LaneRole::DeviceStream, "stream 0", "GPU"}};
    writer.value()->take(head);
    return std::move(writer).value();
}

std::vector<Span> spansFrom(std::uint64_t first, std::uint64_t count, NameId name)
{
    std::vector<Span> spans(count);
    for (std::uint64_t i = 0; i < count; ++i)
        spans[i] = {
            static_cast<std::int64_t>((first + i) * 1000), 500, static_cast<std::uint32_t>(first + i), 7, name, 0, 0};
    return spans;
}

/// While an instance exists, all writes of SQLite fail as on a full disk.
class FullDisk {
public:
    FullDisk()
    {
        for (const char *call : {"pwrite", "pwrite64", "write"})
            vfs()->xSetSystemCall(vfs(), call, reinterpret_cast<sqlite3_syscall_ptr>(refuse));
    }
    ~FullDisk()
    {
        for (const char *call : {"pwrite", "pwrite64", "write"})
            vfs()->xSetSystemCall(vfs(), call, nullptr);
    }

private:
    static sqlite3_vfs *vfs() { return sqlite3_vfs_find("unix"); }
    static ssize_t refuse(int, const void *, size_t, off_t)
    {
        errno = ENOSPC;
        return -1;
    }
};

/// Data that another process reports about its recording in a memory-mapped file, readable after it was killed.
struct Told {
    static constexpr std::size_t kMax = 1 << 16;
    struct Step {
        std::int64_t timeNs;
        std::uint64_t spans; ///< Passed to the writer so far.
    };
    std::atomic<std::size_t> steps;
    Step step[kMax];

    static Told *at(const QString &path)
    {
        const int file = ::open(path.toLocal8Bit().constData(), O_RDWR | O_CREAT, 0600);
        void *const memory = ftruncate(file, sizeof(Told)) == 0
            ? mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            : MAP_FAILED;
        ::close(file);
        return memory == MAP_FAILED ? nullptr : static_cast<Told *>(memory);
    }
};

/// Another process: records like a pipeline, every 5 ms, until it is killed.
int recordForEver(const QString &path, const QString &toldPath)
{
    const NameId name = internName("submit", Category::Submit);
    const std::unique_ptr<TraceFileWriter> writer = writerOf(path);
    Told *const told = Told::at(toldPath);
    std::uint64_t spans = 0;
    for (std::size_t i = 0; writer && told && i < Told::kMax; ++i) {
        writer->add(spansFrom(spans, 400, name));
        spans += 400;
        told->step[i] = {nowNs(), spans};
        told->steps.store(i + 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return 1;
}

/// Starts this program again, to record.
class OtherProcess {
public:
    explicit OtherProcess(const QString &path) : told(Told::at(path + ".told"))
    {
        m_process.start(QCoreApplication::applicationFilePath(), {"--record", path, path + ".told"});
    }
    ~OtherProcess()
    {
        kill();
        munmap(told, sizeof(Told));
    }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    Told *const told;

private:
    QProcess m_process;
};

} // namespace

/// Captures that are written while a pipeline runs.
class TestTraceFileWriter : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    const NameId m_name = internName("submit", Category::Submit);

    QString pathOf(const char *name) const { return m_folder.filePath(name); }

private slots:
    void recordsEveryKindOfValue();
    void valuesAreSafeSoonWithoutAStop();
    void neverWaitsAndCountsWhatDoesNotFit();
    void fullDiskEndsTheRecordingAlone();
    void mayBeReadWhileItIsWritten();
    void allAreFinishedByAProgramThatMustEnd();
    void waitsWhileAnotherProgramHoldsTheFile();
    void anEndlessLockEndsTheRecordingOnly();
    // Must be last: ThreadSanitizer does not allow new threads after a fork.
    void refusesFilesThatAreThere();
    void killedRecorderLosesLessThanHalfASecond();
    void killedAtItsBeginningItLeavesACaptureOrNone();
};

/// As where a library ends the program: from any thread, while values are being added.
void TestTraceFileWriter::allAreFinishedByAProgramThatMustEnd()
{
    const QStringList paths = {pathOf("first.jscope"), pathOf("second.jscope")};
    std::vector<std::unique_ptr<TraceFileWriter>> writers;
    for (const QString &path : paths) {
        writers.push_back(writerOf(path));
        QVERIFY(writers.back());
        writers.back()->add(spansFrom(0, 1000, m_name));
    }
    bool finished = false;
    std::thread([&] { finished = TraceFileWriter::finishAll(std::chrono::minutes(1)); }).join();
    QVERIFY(finished);
    for (std::size_t i = 0; i < writers.size(); ++i) {
        QVERIFY(!QFile::exists(paths[static_cast<int>(i)] + "-wal"));
        writers[i]->add(spansFrom(1000, 10, m_name)); // Too late, and harmless.
        QVERIFY(writers[i]->stop().ok());
        const Result<OpenedTrace> file = opened(paths[static_cast<int>(i)]);
        QVERIFY(file.ok());
        QCOMPARE(file.value().trace.spanCount(), std::uint64_t{1000});
    }
    writers.clear();
    QVERIFY(TraceFileWriter::finishAll(std::chrono::milliseconds(0))); // There is none.
}

void TestTraceFileWriter::recordsEveryKindOfValue()
{
    const QString path = pathOf("all.jscope");
    const std::unique_ptr<TraceFileWriter> writer = writerOf(path);
    QVERIFY(writer);
    const Trace sample = sampleTrace();
    TraceUpdate head;
    head.counters = {{0, "GPU load", "%", std::nullopt}};
    writer->take(head);
    writer->add(spansFrom(0, 1000, m_name));
    writer->add(std::vector{sample.frames().at(0), sample.frames().at(1)});
    writer->add(std::vector<FrameNumber>{{0, 5}});
    writer->add(std::vector<FrameNumber>{{0, 5}, {1, 8}}); // Updates repeat the current offset.
    writer->add(std::vector<CounterSample>{{1, 0.5, 0}, {2, 0.75, 0}});
    writer->add(sample.marks().all()[0]);
    writer->add(sample.thumbnails().all()[0]);
    TraceUpdate more;
    more.spansLost = 3;
    writer->take(more);
    QVERIFY(writer->stop().ok());
    QVERIFY(!QFile::exists(path + "-wal") && !QFile::exists(path + "-shm"));
    QCOMPARE(writer->progress().spans, std::uint64_t{1000});
    QCOMPARE(writer->progress().lost, std::uint64_t{3});
    QVERIFY(writer->stop().ok()); // A second call is harmless.

    const Result<OpenedTrace> read = opened(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    const Trace &trace = read.value().trace;
    QCOMPARE(trace.spanCount(), std::uint64_t{1000});
    QCOMPARE(trace.names().text(trace.tracks()[0].at(999).name), std::string("submit"));
    QCOMPARE(trace.tracks()[0].at(999).startNs, std::int64_t{999'000});
    QCOMPARE(trace.tracks()[0].at(999).frame, std::uint32_t{999});
    QCOMPARE(trace.tracks()[0].at(999).bytes, std::uint64_t{7});
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{2});
    QCOMPARE(trace.frameNumber(0), std::uint64_t{5});
    QCOMPARE(trace.frameNumber(1), std::uint64_t{8});
    QCOMPARE(trace.counters()[0].at(1).second, 0.75);
    QCOMPARE(trace.marks().all().size(), std::size_t{1});
    QCOMPARE(trace.thumbnails().all().size(), std::size_t{1});
    QCOMPARE(trace.origin().wallClockOffsetNs, std::int64_t{5});
    QCOMPARE(read.value().notes.size(), std::size_t{1});
    QVERIFY(read.value().notes[0].find("lost while this was recorded: 3") != std::string::npos);
    Result<Database> database = Database::open(path.toStdString(), Database::Access::ReadOnly);
    QVERIFY(database.ok());
    Result<Statement> fact = database.value().prepare("SELECT value FROM device WHERE name = 'egl_sync'");
    QVERIFY(fact.ok() && fact.value().next());
    QCOMPARE(std::string(fact.value().text(0)), std::string("no: there is no EGL_NV_cuda_event"));
}

void TestTraceFileWriter::killedRecorderLosesLessThanHalfASecond()
{
    for (const std::size_t steps : {std::size_t{60}, std::size_t{217}, std::size_t{400}}) {
        const QString path = pathOf(("killed" + std::to_string(steps)).c_str());
        OtherProcess other(path);
        const Told &told = *other.told;
        QTRY_VERIFY_WITH_TIMEOUT(told.steps.load() >= steps, 60'000);
        other.kill();
        const std::size_t last = told.steps.load();
        const std::int64_t killedNs = told.step[last - 1].timeNs;
        QVERIFY(QFile::exists(path + "-wal"));

        const Result<OpenedTrace> read = opened(path);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
        std::size_t safe = 0; // The last step that must be in the file.
        while (safe + 1 < last && told.step[safe + 1].timeNs < killedNs - 500'000'000)
            ++safe;
        const std::uint64_t kept = read.value().trace.spanCount();
        QVERIFY2(kept >= told.step[safe].spans, qPrintable(QString("%1 of %2").arg(kept).arg(told.step[safe].spans)));
        QVERIFY(kept <= told.step[last - 1].spans);
        for (std::uint64_t i = 0; i < kept; ++i) // These are the first ones, without a gap.
            QCOMPARE(read.value().trace.tracks()[0].at(i).frame, static_cast<std::uint32_t>(i));
    }
}

void TestTraceFileWriter::valuesAreSafeSoonWithoutAStop()
{
    const std::unique_ptr<TraceFileWriter> writer = writerOf(pathOf("soon.jscope"));
    QVERIFY(writer);
    writer->add(spansFrom(0, 10, m_name));
    QTRY_COMPARE_WITH_TIMEOUT(writer->progress().spans, std::uint64_t{10}, 30'000);
    QVERIFY(writer->progress().fileBytes > 0);
}

void TestTraceFileWriter::neverWaitsAndCountsWhatDoesNotFit()
{
    const QString path = pathOf("much.jscope");
    const std::unique_ptr<TraceFileWriter> writer = writerOf(path);
    QVERIFY(writer);
    constexpr std::uint64_t kBatch = 10'000;
    constexpr std::uint64_t kBatches = 300; // More than fits into the queue, faster than the disk.
    for (std::uint64_t i = 0; i < kBatches; ++i)
        writer->add(spansFrom(i * kBatch, kBatch, m_name));
    QVERIFY(writer->stop().ok());
    const RecordingProgress progress = writer->progress();
    QVERIFY(progress.lost > 0);
    QCOMPARE(progress.spans + progress.lost, kBatch * kBatches); // Every value is either written or counted as lost.
    const Result<OpenedTrace> read = opened(path);
    QVERIFY(read.ok());
    QCOMPARE(read.value().trace.spanCount(), progress.spans);
    QVERIFY(read.value().notes.at(0).find("lost while this was recorded: " + std::to_string(progress.lost))
            != std::string::npos);
}

void TestTraceFileWriter::fullDiskEndsTheRecordingAlone()
{
    const QString path = pathOf("full.jscope");
    const std::unique_ptr<TraceFileWriter> writer = writerOf(path);
    QVERIFY(writer);
    writer->add(spansFrom(0, 5000, m_name));
    QTRY_COMPARE_WITH_TIMEOUT(writer->progress().spans, std::uint64_t{5000}, 30'000);
    {
        const FullDisk full;
        writer->add(spansFrom(5000, 5000, m_name));
        QTRY_VERIFY_WITH_TIMEOUT(!writer->progress().failure.empty(), 30'000);
        QVERIFY2(writer->progress().failure.find("is full: free some space") != std::string::npos,
                 writer->progress().failure.c_str());
        writer->add(spansFrom(10'000, 7, m_name)); // Still accepted, and counted as lost.
        QTRY_COMPARE_WITH_TIMEOUT(writer->progress().lost, std::uint64_t{5007}, 30'000);
    }
    const Status stopped = writer->stop();
    QVERIFY(!stopped.ok());
    QVERIFY(isOneSentence(stopped.error().text));
    const Result<OpenedTrace> read = opened(path); // Committed values remain.
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QCOMPARE(read.value().trace.spanCount(), std::uint64_t{5000});
    {
        const FullDisk full;
        const Result<std::unique_ptr<TraceFileWriter>> none =
            TraceFileWriter::create(pathOf("none.jscope").toStdString(), {});
        QVERIFY(!none.ok());
        QVERIFY(none.error().text.find("is full") != std::string::npos);
    }
    QVERIFY(!QFile::exists(pathOf("none.jscope")));
}

void TestTraceFileWriter::refusesFilesThatAreThere()
{
    const auto textOf = [](const QString &path) {
        const Result<std::unique_ptr<TraceFileWriter>> writer = TraceFileWriter::create(path.toStdString(), {});
        return writer.ok() ? std::string() : writer.error().text;
    };
    const QString there = pathOf("there.jscope");
    QVERIFY(writeFile(there, "precious"));
    QVERIFY(textOf(there).find("exists already: remove it, or take another name") != std::string::npos);
    QCOMPARE(readFile(there), QByteArray("precious"));
    QVERIFY(textOf(pathOf("no/folder.jscope")).find("no such folder") != std::string::npos);
    QVERIFY(textOf("/proc/x.jscope").find("cannot be made") != std::string::npos);

    const QString busy = pathOf("busy.jscope");
    OtherProcess other(busy);
    QTRY_VERIFY_WITH_TIMEOUT(other.told->steps.load() > 0, 60'000);
    const std::string refused = textOf(busy);
    QVERIFY2(refused.find("by another program") != std::string::npos, refused.c_str());
}

void TestTraceFileWriter::mayBeReadWhileItIsWritten()
{
    const QString path = pathOf("live.jscope");
    const std::unique_ptr<TraceFileWriter> writer = writerOf(path);
    QVERIFY(writer);
    writer->add(spansFrom(0, 100, m_name));
    QTRY_COMPARE_WITH_TIMEOUT(writer->progress().spans, std::uint64_t{100}, 30'000);
    const Result<OpenedTrace> read = opened(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QCOMPARE(read.value().trace.spanCount(), std::uint64_t{100});
    writer->add(spansFrom(100, 100, m_name));
    QVERIFY(writer->stop().ok());
    QCOMPARE(opened(path).value().trace.spanCount(), std::uint64_t{200});
}

/// Longer than SQLite's own limit; a connection of the same process is another program to SQLite's locks in WAL mode.
void TestTraceFileWriter::waitsWhileAnotherProgramHoldsTheFile()
{
    const QString path = pathOf("held.jscope");
    const std::unique_ptr<TraceFileWriter> writer = writerOf(path);
    QVERIFY(writer);
    writer->add(spansFrom(0, 100, m_name));
    QTRY_COMPARE_WITH_TIMEOUT(writer->progress().spans, std::uint64_t{100}, 30'000);
    Database other = Database::open(path.toStdString(), Database::Access::ReadWrite).value();
    QVERIFY(other.run("BEGIN IMMEDIATE").ok());
    writer->add(spansFrom(100, 100, m_name));
    QTRY_VERIFY_WITH_TIMEOUT(!writer->progress().waiting.empty(), 30'000);
    QVERIFY2(writer->progress().waiting.find("held.jscope is held locked by another program") != std::string::npos,
             writer->progress().waiting.c_str());
    QTest::qWait(1000); // The lock has to last for longer than SQLite waits.
    writer->add(spansFrom(200, 100, m_name));
    QCOMPARE(writer->progress().failure, std::string());
    QVERIFY(other.run("ROLLBACK").ok());
    QTRY_COMPARE_WITH_TIMEOUT(writer->progress().spans, std::uint64_t{300}, 30'000);
    QVERIFY(writer->progress().waiting.empty() && writer->progress().hasWaited);
    QCOMPARE(writer->progress().lost, std::uint64_t{0});
    QVERIFY(writer->stop().ok());
    QCOMPARE(opened(path).value().trace.spanCount(), std::uint64_t{300});
}

void TestTraceFileWriter::anEndlessLockEndsTheRecordingOnly()
{
    const QString path = pathOf("endless.jscope");
    const std::unique_ptr<TraceFileWriter> writer = writerOf(path);
    QVERIFY(writer);
    writer->add(spansFrom(0, 100, m_name));
    QTRY_COMPARE_WITH_TIMEOUT(writer->progress().spans, std::uint64_t{100}, 30'000);
    Database other = Database::open(path.toStdString(), Database::Access::ReadWrite).value();
    QVERIFY(other.run("BEGIN IMMEDIATE").ok());
    writer->add(spansFrom(100, 100, m_name));
    const Status stopped = writer->stop(); // Ends, although nobody lets go.
    QVERIFY(!stopped.ok());
    QVERIFY2(stopped.error().text.find("is locked by another program") != std::string::npos,
             stopped.error().text.c_str());
    QVERIFY(other.run("ROLLBACK").ok());
    QCOMPARE(opened(path).value().trace.spanCount(), std::uint64_t{100});
}

/// Whenever it is killed, what has the name is a capture.
void TestTraceFileWriter::killedAtItsBeginningItLeavesACaptureOrNone()
{
    int captures = 0;
    for (int i = 0; i < 40; ++i) {
        const QString path = pathOf(("young" + std::to_string(i)).c_str());
        OtherProcess other(path);
        QElapsedTimer timer;
        timer.start();
        // From the first moment that the folder has a file of its, in growing steps.
        while (!QFile::exists(path) && !QFile::exists(path + ".part") && timer.elapsed() < 60'000)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(250 * i * i));
        other.kill();
        if (!QFile::exists(path))
            continue;
        ++captures;
        const Result<OpenedTrace> read = opened(path);
        QVERIFY2(read.ok(), read.ok() ? "" : (std::to_string(i) + ": " + read.error().text).c_str());
    }
    QVERIFY(captures > 0);
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 4 && arguments[1] == "--record")
        return recordForEver(arguments[2], arguments[3]);
    TestTraceFileWriter test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_tracefilewriter.moc"
