// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the kernel's scheduler tells, from lines in the format of the kernel's documentation, and from the kernel itself
// where the test may ask it.
#include "core/attach/kernel/schedulertrace.h"

#include "attachedprogram.h"
#include "tests/support/testprogram.h"

#include <QFileInfo>

#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace jetscope;

class SchedulerTraceTest : public QObject {
    Q_OBJECT

private slots:
    void readsLines_data();
    void readsLines();
    void refusesLines();
    void makesLanes();
    void endsWithTheThread_data();
    void endsWithTheThread();
    void takesOnlyItsOwnNumbers();
    void findsThreadsOfContainers();
    void findsAProgramInANamespace();
    void forgetsWhatWasLost();
    void survivesAnyBytes();
    void saysWhyNot();
    void endsWithTheRecording();
    void seesTheKernel();
};

namespace {

const std::string kHead = "            name-17      [001] d..2. 12.000005: ";

/// A trace with the threads 17 and 18, and the spans that it made.
struct Made {
    explicit Made(std::uint32_t pidNamespace = 0) : own(pidNamespace)
    {
        trace.setThreads({{5, 17, "first", "process"}, {5, 18, "", "process"}});
    }
    void take(const std::string &text) { trace.take(text, spans); }
    QStringList found() const
    {
        QStringList list;
        for (const Span &span : spans)
            list += QString("%1 %2 %3+%4")
                        .arg(QString::fromStdString(lanes.at(span.lane)), QString::fromStdString(spanName(span.name)))
                        .arg(span.startNs)
                        .arg(span.durationNs);
        return list;
    }

    const std::uint32_t own;
    std::vector<std::string> lanes;
    std::vector<Span> spans;
    SchedulerTrace trace{[](std::int64_t) { return 3U; },
                         [this](std::string name, std::string) {
                             lanes.push_back(std::move(name));
                             return std::optional(static_cast<LaneId>(lanes.size() - 1));
                         },
                         own};
};

/// Thread `from` leaves the CPU for `to`, at a time in microseconds.
std::string switched(int us, int from, const std::string &state, int to)
{
    return QString("            name-%1      [001] d..2. 0.%2: sched_switch: prev_comm=name prev_pid=%1 prev_prio=120 "
                   "prev_state=%3 ==> next_comm=other next_pid=%4 next_prio=120\n")
        .arg(from)
        .arg(us, 6, 10, QChar('0'))
        .arg(QString::fromStdString(state))
        .arg(to)
        .toStdString();
}

std::string woken(int us, int tid)
{
    return QString(
               "          <idle>-0       [000] dNh4. 0.%1: sched_wakeup: comm=name pid=%2 prio=120 target_cpu=001\n")
        .arg(us, 6, 10, QChar('0'))
        .arg(tid)
        .toStdString();
}

} // namespace

void SchedulerTraceTest::readsLines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("next");
    QTest::addColumn<bool>("ready");
    using Kind = TraceLine::Kind;
    const auto row = [](const char *name, const std::string &line, Kind kind, int next = 0, bool ready = false) {
        QTest::newRow(name) << QByteArray::fromStdString(line) << static_cast<int>(kind) << next << ready;
    };
    row("preempted",
        kHead
            + "sched_switch: prev_comm=a prev_pid=17 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=9 "
              "next_prio=49",
        Kind::Switch, 9, true);
    row("blocked",
        kHead
            + "sched_switch: prev_comm=a prev_pid=17 prev_prio=-1 prev_state=D|K ==> next_comm=b next_pid=0 "
              "next_prio=120",
        Kind::Switch, 0);
    row("names like keys",
        kHead
            + "sched_switch: prev_comm=x prev_pid=17 prev_pid=17 prev_prio=120 prev_state=S ==> next_comm= ==> "
              "next_comm= "
              "next_pid=9 next_prio=49",
        Kind::Switch, 9);
    row("next named like a key",
        kHead
            + "sched_switch: prev_comm=: sched_switch: prev_pid=17 prev_prio=120 prev_state=S ==> next_comm=a "
              "next_pid=8 next_pid=9 "
              "next_prio=49",
        Kind::Switch, 9);
    row("name like a head",
        "  [007] x 9.0: a-17    (     17) [001] d..2. 12.000005: sched_wakeup: comm= pid=8 pid=9 prio=1 target_cpu=001",
        Kind::Wake, 9);
    row("old kernel", kHead + "sched_wakeup: comm=a pid=9 prio=120 success=1 target_cpu=001", Kind::Wake, 9);
    row("new thread", kHead + "sched_wakeup_new: comm=a pid=9 prio=120 target_cpu=001", Kind::Wake, 9);
    row("driver", kHead + "gk20a_mm_l2_flush: name=17000000.gpu", Kind::Driver);
    row("other event", kHead + "irq_handler_entry: irq=9 name=gk20a_mm_l2_flush", Kind::Other);
    row("lost", "CPU:3 [LOST 1234 EVENTS]", Kind::Lost);
    row("comment", "# tracer: nop", Kind::Other);
    row("nothing", "", Kind::Other);
}

void SchedulerTraceTest::readsLines()
{
    QFETCH(QByteArray, line);
    QFETCH(int, kind);
    const auto read = parseTraceLine({line.data(), static_cast<std::size_t>(line.size())});
    QVERIFY(read);
    QCOMPARE(static_cast<int>(read->kind), kind);
    QTEST(read->next, "next");
    QTEST(read->isReady, "ready");
    if (read->kind == TraceLine::Kind::Switch || read->kind == TraceLine::Kind::Wake) {
        QCOMPARE(read->pid, 17);
        QCOMPARE(read->cpu, 1u);
        QCOMPARE(read->ns, 12'000'005'000);
    }
}

void SchedulerTraceTest::refusesLines()
{
    const std::string good = kHead
        + "sched_switch: prev_comm=a prev_pid=17 prev_prio=120 prev_state=S ==> next_comm=b next_pid=9 next_prio=4";
    QVERIFY(parseTraceLine(good));
    for (std::size_t length = 1; length < good.size() - std::string("9 next_prio=4").size(); ++length)
        QVERIFY2(!parseTraceLine(good.substr(0, length)), good.substr(0, length).c_str());
    for (const char *part :
         {"12.00005:", "12.0000005:", "-2.000005:", "99999999999999999999.000005:", "9223372036854775807.000005:"}) {
        std::string line = good;
        line.replace(line.find("12.000005:"), 10, part);
        QVERIFY2(!parseTraceLine(line), part);
    }
    QVERIFY(!parseTraceLine(kHead + "sched_wakeup: comm=a pid=-9 prio=1"));
    QVERIFY(!parseTraceLine(kHead + "sched_wakeup: comm=a pid=99999999999 prio=1"));
    QVERIFY(!parseTraceLine(
        kHead + "sched_switch: prev_comm=a prev_pid=18 prev_prio=120 prev_state=S ==> next_comm=b next_pid=9"));
}

void SchedulerTraceTest::makesLanes()
{
    Made made;
    const std::string text = switched(10, 0, "R", 17) + switched(30, 17, "S", 18) + woken(50, 17) + woken(55, 18)
        + switched(60, 18, "R+", 17) + switched(90, 17, "S", 18);
    for (const char byte : text) // A line comes in parts.
        made.take(std::string(1, byte));
    made.trace.finish(made.spans);
    QCOMPARE(made.found(),
             QStringList({"first, scheduler on a CPU 10000+20000", "first, scheduler blocked 30000+20000",
                          "thread 18, scheduler on a CPU 30000+30000",
                          "first, scheduler ready, no CPU is free 50000+10000", "first, scheduler on a CPU 60000+30000",
                          "thread 18, scheduler ready, no CPU is free 60000+30000"}));
    QCOMPARE(made.spans[0].frame, 3u);
    const auto times = made.trace.times(0);
    QVERIFY(times && times->onCpuNs == 50'000 && times->readyNs == 10'000 && times->blockedNs == 20'000);
    QVERIFY(!made.trace.times(2));
    QCOMPARE(made.trace.lines(), 6u);
    QCOMPARE(made.trace.newestNs(), 90'000);
    // Another thread gets the number of one that has ended.
    made.trace.setThreads({{5, 17, "first", "process"}, {5, 18, "", "process"}, {5, 17, "later", "process"}});
    made.take(switched(100, 0, "R", 17) + switched(140, 17, "S", 0));
    QCOMPARE(made.trace.times(2)->onCpuNs, 40'000);
    QCOMPARE(made.trace.times(0)->onCpuNs, 50'000);
    const std::string driver = "            name-99      [001] .... 0.000200: gk20a_mm_l2_flush";
    made.take(driver + ": name=gpu\n" + driver + "_done: name=gpu\n");
    QCOMPARE(made.found().last(), QString("GPU driver gk20a_mm_l2_flush 200000+0"));
}

void SchedulerTraceTest::endsWithTheThread_data()
{
    QTest::addColumn<QString>("state");
    for (const char *state : {"X", "Z", "x"})
        QTest::newRow(state) << state;
}

/// Nothing is known of a thread that has ended, also if another one gets its number.
void SchedulerTraceTest::endsWithTheThread()
{
    QFETCH(QString, state);
    Made made;
    made.take(switched(10, 0, "R", 17) + switched(30, 17, state.toStdString(), 18) + woken(40, 17)
              + switched(50, 18, "S", 17) + switched(60, 17, "S", 0) + switched(900, 0, "R", 18));
    made.trace.finish(made.spans);
    const auto times = made.trace.times(0);
    QVERIFY(times && times->onCpuNs == 20'000 && times->allNs() == 20'000);
    QCOMPARE(made.found().first(), QString("first, scheduler on a CPU 10000+20000"));
    QVERIFY(made.found().filter("first").size() == 1 && made.trace.times(1)->blockedNs == 850'000);
    // The end of the thread that had the number before may be told when the new one is known.
    made.trace.setThreads({{5, 17, "first", "process"}, {5, 18, "", "process"}, {5, 17, "later", "process"}});
    made.take(switched(910, 17, state.toStdString(), 0) + switched(920, 0, "R", 17) + switched(930, 17, "S", 0));
    QVERIFY(made.trace.times(2) && made.trace.times(2)->onCpuNs == 10'000);
}

/// In a container a thread has another number than in the kernel's trace, where its number is that of a thread of the
/// host. A trace that does not say how it counts is one of the tests.
void SchedulerTraceTest::takesOnlyItsOwnNumbers()
{
    const std::string lines = switched(10, 0, "R", 17) + switched(30, 17, "S", 18);
    for (const auto &[own, said, isTaken] :
         {std::tuple{7U, "# threads: 7\n", true}, std::tuple{7U, "", true}, std::tuple{0U, "# threads: 7\n", true},
          std::tuple{8U, "# threads: 7\n", false}, std::tuple{8U, "# threads: 7 or more\n", true}}) {
        Made made(own);
        made.take(said + lines);
        QCOMPARE(made.trace.countsElsewhere(), !isTaken);
        QCOMPARE(made.trace.times(0).has_value(), isTaken);
        QCOMPARE(made.trace.lines(), 2u);
        made.trace.setThreads({{5, 17, "", ""}, {5, 18, "", ""}, {5, 19, "", ""}});
        made.take(switched(40, 18, "S", 19) + switched(50, 19, "S", 0));
        QCOMPARE(made.trace.times(2).has_value(), isTaken);
    }
    Made other;
    AttachThread thread{5, 19, "nested", "process"};
    thread.isElsewhere = true;
    other.trace.setThreads({{}, {}, thread});
    other.take(switched(40, 0, "R", 19) + switched(50, 19, "S", 0));
    QVERIFY(!other.trace.hasTimes());
}

/// By a folder in place of /proc.
void SchedulerTraceTest::findsThreadsOfContainers()
{
    QTemporaryDir folder;
    const auto write = [&](const QString &path, const char *text) {
        QFile file(folder.filePath(path));
        return QDir().mkpath(QFileInfo(file).path()) && file.open(QIODevice::WriteOnly) && file.write(text) >= 0;
    };
    // Process 1 of two containers; the second one has the thread 7.
    for (const char *process : {"self", "40", "50"})
        QVERIFY(write(QString(process) + "/ns/pid", ""));
    QVERIFY(write("40/status", "Name:\tNSpid:\nNSpid:\t40\t1\n") && write("40/task/41/status", "NSpid:\t41\t7\n"));
    QVERIFY(write("50/status", "NSpid:\t50\t9\t1\n") && write("50/task/50/status", "NSpid:\t50\t9\t1\n"));
    QVERIFY(write("50/task/52/status", "Pid:\t52\nNSpid:\t52\t11\t7\nx") && write("50/task/53/status", "NSpid:\t7x\n"));
    const std::string proc = folder.path().toStdString();
    const std::uint32_t second = pidNamespace(proc + "/50");
    QVERIFY(second != 0 && second != pidNamespace(proc + "/40") && pidNamespace(proc + "/60") == 0);
    QVERIFY(findThread(second, {1, 7}, proc) == (ThreadNumbers{50, 52}));
    QVERIFY(findThread(second, {1, 1}, proc) == (ThreadNumbers{50, 50}));
    QVERIFY(findThread(pidNamespace(proc + "/40"), {1, 7}, proc) == (ThreadNumbers{40, 41}));
    QVERIFY(!findThread(second, {1, 8}, proc) && !findThread(second, {2, 7}, proc));
    QVERIFY(!findThread(second + 1000, {1, 7}, proc) && !findThread(0, {1, 7}, proc));
    QVERIFY(!findThread(second, {1, 7}, proc + "/missing"));
    // And in this one.
    QVERIFY(findThread(pidNamespace(), {getpid(), gettid()}).has_value());
}

/// Only root may make a PID namespace without a user namespace, from which Jetscope's memory cannot be opened.
void SchedulerTraceTest::findsAProgramInANamespace()
{
    const QStringList inside = {"unshare", "--pid", "--fork"};
    if (runPlain(inside + QStringList("true")).code != 0)
        QSKIP("no PID namespace can be made here");
    const Attached run = attach(inside + QStringList{PROGRAM_CUDA, MOCK_CUDA, "rate", "300"});
    const QJsonArray threads = run.json["threads"].toArray();
    QVERIFY2(threads.size() == 1 && threads[0]["pid"].toInt() > 1, run.describe()); // Which it is inside.
    QCOMPARE(threads[0]["tid"], threads[0]["pid"]);
}

void SchedulerTraceTest::forgetsWhatWasLost()
{
    Made made;
    made.take(switched(10, 0, "R", 17) + "CPU:1 [LOST 7 EVENTS]\n" + switched(50, 17, "S", 0)
              + switched(70, 0, "R", 17));
    QCOMPARE(made.found(), QStringList({"first, scheduler blocked 50000+20000"}));
    QCOMPARE(made.trace.lost(), 1u);
}

void SchedulerTraceTest::survivesAnyBytes()
{
    std::mt19937 random(1);
    const std::string good = switched(10, 17, "S", 18) + woken(20, 17) + "CPU:0 [LOST 1 EVENTS]\n";
    Made made;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = good;
        for (int k = 0; k < 6; ++k)
            text[random() % text.size()] = static_cast<char>(random());
        made.take(text);
    }
    made.take(std::string(100'000, 'x') + "\n# error: " + std::string(5000, '\33') + "\n");
    QVERIFY(made.trace.damaged() > 0);
    QVERIFY(made.trace.refusal().size() <= 200 && made.trace.refusal().find('\33') == std::string::npos);
    QVERIFY(made.lanes.size() <= 3);
}

void SchedulerTraceTest::saysWhyNot()
{
    QTemporaryDir folder;
    const auto write = [&](const char *name, const char *text) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) >= 0 ? file.fileName() : QString();
    };
    const auto reasonWith = [](const QStringList &options) {
        const Attached run = attach({PROGRAM_LAZY, "linked", "3"}, options);
        for (const QJsonValue row : run.json["refused"].toArray())
            if (row["tier"] == "D" && run.json["scheduler"].isNull())
                return row["reason"].toString();
        return QString(run.describe());
    };
    QVERIFY(reasonWith({}).contains("--scheduler"));
    QCOMPARE(reasonWith({"--scheduler", write("refused", "# error: only root may see it\n")}),
             QString("jetscope-sched: only root may see it"));
    QVERIFY(reasonWith({"--scheduler", write("empty", "")}).startsWith("no line"));
    QVERIFY(reasonWith({"--scheduler", write("others", switched(10, 17, "S", 18).c_str())})
                .contains("none of the program's threads"));
    const Outcome missing =
        runProgram({"attach", "--scheduler", folder.filePath("missing"), "--", PROGRAM_LAZY, "linked", "3"});
    QVERIFY2(missing.code != 0 && missing.err.contains("cannot be read"), missing.describe());
}

/// The other end of the pipe is closed when the recording has ended, while the program still runs: it waits for that.
void SchedulerTraceTest::endsWithTheRecording()
{
    QTemporaryDir folder;
    const QString ended = folder.filePath("ended");
    const QString command =
        QString("exec '%1' attach --frames 2 --scheduler <(trap '' PIPE; while echo '#'; do sleep 0.05; "
                "done 2>/dev/null; : > '%2') -- /bin/sh -c \"%3 linked 3; for i in \\$(seq 200); do test "
                "-e '%2' && exit 5; sleep 0.05; done; exit 6\"")
            .arg(JETSCOPE_PROGRAM, ended, PROGRAM_LAZY);
    QProcess shell;
    shell.start("bash", {"-c", command});
    QVERIFY(shell.waitForFinished(60'000));
    QVERIFY2(shell.exitCode() == 5, shell.readAllStandardError() + shell.readAllStandardOutput());
}

/// Only where the test may ask the kernel: as root, and with tracefs.
void SchedulerTraceTest::seesTheKernel()
{
    QTemporaryDir folder;
    const QString pipe = folder.filePath("pipe");
    QCOMPARE(mkfifo(pipe.toUtf8().constData(), 0600), 0);
    QProcess sched;
    sched.setStandardOutputFile(pipe); // It is opened for writing once there is a reader.
    const int kept = ::open(pipe.toUtf8().constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    sched.start(PROGRAM_SCHED, QStringList());
    if (!sched.waitForStarted() || sched.waitForFinished(300)) {
        ::close(kept);
        QSKIP(qPrintable("jetscope-sched: " + QString(sched.readAllStandardError()).trimmed()));
    }
    const Attached run = attach({PROGRAM_CUDA, MOCK_CUDA, "rate", "300"}, {"--scheduler", pipe});
    ::close(kept);
    QVERIFY(sched.waitForFinished());
    if (pidNamespace() != JSA_TRACED_NAMESPACE) {
        QVERIFY2(!run.json["tiers"].toArray().contains("D"), run.describe());
        QSKIP("threads have other numbers here than in the kernel's trace");
    }
    QVERIFY2(run.json["tiers"].toArray().contains("D"), run.describe());
    const QJsonObject thread = run.json["scheduler"]["threads"][0].toObject();
    QVERIFY2(thread["on_cpu_ms"].toDouble() + thread["blocked_ms"].toDouble() + thread["ready_ms"].toDouble() > 0,
             run.describe());
    QVERIFY(!rowsOf(run.capture, "SELECT 1 FROM spans WHERE name = 'on a CPU'").isEmpty());
}

JETSCOPE_TEST(SchedulerTraceTest)
#include "tst_schedulertrace.moc"
