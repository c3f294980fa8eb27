// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the drivers of a Jetson's engines tell, from lines in the formats that the kernels' sources print
// (core/attach/kernel/tracedevents.h); no such machine was seen. And the program that asks for them, with a tracefs
// that is a plain folder.
#include "core/attach/kernel/schedulertrace.h"
#include "core/attach/kernel/traceline.h"
#include "gpu/attach/host/scheduleraccess.h"

#include "attachedprogram.h"
#include "schedprogram.h"
#include "tests/support/testprogram.h"
#include "tracelanes.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace jetscope;

class EngineTraceTest : public QObject {
    Q_OBJECT

private slots:
    void readsEvents_data();
    void readsEvents();
    void refusesEvents_data();
    void refusesEvents();
    void drawsWorkOfHost1x();
    void completesByThreshold();
    void drawsWorkOfGpuChannels();
    void followsValuesThatGoAround();
    void forgetsWhatWasLost();
    void makesNothingWhilePaused();
    void isBounded();
    void survivesAnyBytes();
    void countsEventsOfTheKernel();
    void asksForEvents();
    void stopsAtNoWarning();
    void takesNoFolder();
    void endsWithoutAReader();
    void reportsEngines();
};

namespace {

/// Of the thread 17.
struct EngineLanes : TraceLanes {
    EngineLanes() { trace.setThreads({{5, 17, "first", "process"}}); }
    /// An event of a thread at a time in microseconds.
    void take(int us, int tid, const std::string &event)
    {
        trace.take(
            QString("            name-%1      [001] d..2. 0.%2: ").arg(tid).arg(us, 6, 10, QChar('0')).toStdString()
                + event + "\n",
            spans);
    }
};

const std::string kSubmit =
    "host1x_channel_submit: name=15340000.vic, cmdbufs=1, relocs=0, syncpt_id=7, syncpt_incrs=1";
const std::string kSubmitted = "host1x_channel_submitted: name=15340000.vic, syncpt_base=40, syncpt_max=";

} // namespace

void EngineTraceTest::readsEvents_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("engine");
    QTest::addColumn<qint64>("channel");
    QTest::addColumn<qint64>("syncpoint");
    QTest::addColumn<qint64>("value");
    const auto row = [](const char *name, const QByteArray &line, const QString &engine, qint64 channel,
                        qint64 syncpoint,
                        qint64 value) { QTest::newRow(name) << line << engine << channel << syncpoint << value; };
    row("submit", QByteArray::fromStdString(kSubmit), "15340000.vic", -1, 7, -1);
    row("submit of NVIDIA's kernel",
        "nvhost_channel_submit: name=15340000.vic, cmdbufs=2, relocs=0, waitchks=0,syncpt_id=9, syncpt_incrs=1",
        "15340000.vic", -1, 9, -1);
    row("submit without a syncpoint", "host1x_channel_submit: name=54200000.dc, cmdbufs=1, relocs=0, checkpoints=1",
        "54200000.dc", -1, -1, -1);
    row("submitted", QByteArray::fromStdString(kSubmitted) + "41", "15340000.vic", -1, -1, 41);
    row("submitted, a large value", QByteArray::fromStdString(kSubmitted) + "-2", "15340000.vic", -1, -1, 0xfffffffe);
    row("submitted without values", "host1x_channel_submitted: name=54200000.dc", "54200000.dc", -1, -1, -1);
    row("complete", "host1x_channel_submit_complete: name=15340000.vic, count=1, thresh=41", "15340000.vic", -1, -1,
        41);
    row("complete of NVIDIA's kernel",
        "nvhost_channel_submit_complete: name=15340000.vic, count=1, thresh=41, hi=0, med=1, low=0", "15340000.vic", -1,
        -1, 41);
    row("name of a new kernel", "host1x_cdma_begin: name=(0x0000000000000000:15340000.vic)[UNSAFE-MEMORY]",
        "15340000.vic", -1, -1, -1);
    row("value", "host1x_syncpt_load_min: id=7, val=41", "", -1, 7, 41);
    row("value of NVIDIA's kernel", "nvhost_syncpt_update_min: id=7, val=-1", "", -1, 7, 0xffffffff);
    row("full", "host1x_wait_cdma: name=15340000.vic, event=2", "15340000.vic", -1, -1, -1);
    row("channel of the GPU",
        "gk20a_channel_submit_gpfifo: name=17000000.gpu, chid=509, num_entries=2, flags=5, wait_id=0, wait_value=0",
        "17000000.gpu", 509, -1, -1);
    row("fence of a channel",
        "gk20a_channel_submitted_gpfifo: name=17000000.gpu, chid=509, num_entries=2, flags=5, incr_id=12, incr_value=3",
        "17000000.gpu", 509, 12, 3);
    row("no fence",
        "gk20a_channel_submitted_gpfifo: name=17000000.gpu, hw_chid=509, num_entries=2, flags=5, incr_id=0, "
        "incr_value=0",
        "17000000.gpu", 509, -1, -1);
}

void EngineTraceTest::readsEvents()
{
    QFETCH(QByteArray, line);
    const std::string text = "            name-17      [001] d..2. 12.000005: " + line.toStdString();
    const auto read = parseTraceLine(text);
    QVERIFY(read && read->kind == TraceLine::Kind::Engine);
    QCOMPARE(read->pid, 17);
    const auto event = parseEngineEvent(read->use, read->arguments);
    QVERIFY(event);
    QTEST(QString::fromStdString(std::string(event->engine)), "engine");
    const auto number = [](const std::optional<std::uint32_t> &value) { return value ? qint64(*value) : qint64(-1); };
    QTEST(number(event->channel), "channel");
    QTEST(number(event->syncpoint), "syncpoint");
    QTEST(number(event->value), "value");
}

void EngineTraceTest::refusesEvents_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line :
         {"host1x_channel_submit:", "host1x_channel_submit: nickname=vic", "host1x_channel_submit: name=",
          "host1x_channel_submit: name=<b>, syncpt_id=1", "host1x_channel_submit: name=(0x0:)[UNSAFE-MEMORY]",
          "host1x_channel_submit_complete: name=vic, count=1", "host1x_syncpt_load_min: id=7",
          "host1x_syncpt_load_min: id=7, val=x", "host1x_syncpt_load_min: id=7, val=4294967296",
          "host1x_syncpt_load_min: id=-2147483649, val=4", "host1x_syncpt_load_min: id=7, val=4x",
          "host1x_cdma_begin: name=a012345678901234567890123456789012345678901234567890123456789012345"})
        QTest::newRow(line) << QByteArray(line);
}

void EngineTraceTest::refusesEvents()
{
    QFETCH(QByteArray, line);
    EngineLanes made;
    made.take(10, 17, line.toStdString());
    QCOMPARE(made.trace.damaged(), 1u);
    QVERIFY(made.spans.empty() && made.trace.engines().work().empty());
}

void EngineTraceTest::drawsWorkOfHost1x()
{
    EngineLanes made;
    made.take(100, 17, kSubmit);
    made.take(110, 17, "host1x_cdma_begin: name=15340000.vic");
    made.take(115, 17, "host1x_wait_cdma: name=15340000.vic, event=2");
    made.take(120, 17, "host1x_cdma_end: name=15340000.vic");
    made.take(130, 17, kSubmitted + "41");
    made.take(140, 90, kSubmit); // A thread of another program, while the first work runs.
    made.take(150, 90, kSubmitted + "42");
    made.take(160, 0, "host1x_syncpt_load_min: id=8, val=99"); // Of something else.
    made.take(200, 0, "host1x_syncpt_load_min: id=7, val=41");
    made.take(230, 0, "host1x_syncpt_load_min: id=7, val=43");
    QCOMPARE(made.found(),
             QStringList({"first, scheduler/2 the queue of 15340000.vic is full 115+0 of 1",
                          "first, scheduler/2 writes its commands 110+10 of 1",
                          "first, scheduler/1 submits to 15340000.vic 100+30 of 1",
                          "15340000.vic/0 work of first 100+100 of 1",
                          "15340000.vic/1 work of another thread 140+90 of 1"}));
    QVERIFY(spanCertainty(made.spans[3].name) == Certainty::Bounded);
    QVERIFY(spanCategory(made.spans[3].name) == Category::Tool); // Drawn, and never counted.
    const std::vector<EngineWork> work = made.trace.engines().work();
    QCOMPARE(work.size(), 1u);
    QCOMPARE(work[0].submitted, 2u);
    QCOMPARE(work[0].complete, 2u);
    QCOMPARE(made.trace.lines(), 10u);
}

void EngineTraceTest::completesByThreshold()
{
    EngineLanes made;
    made.take(100, 17, "nvhost_channel_submitted: name=15340000.vic, syncpt_base=40, syncpt_max=41");
    made.take(120, 3, "nvhost_channel_submit_complete: name=154c0000.nvenc, count=1, thresh=41, hi=0, med=0, low=0");
    made.take(150, 3, "nvhost_channel_submit_complete: name=15340000.vic, count=1, thresh=41, hi=0, med=0, low=0");
    made.take(160, 3, "nvhost_channel_submit_complete: name=15340000.vic, count=1, thresh=41, hi=0, med=0, low=0");
    QCOMPARE(made.found(),
             QStringList({"first, scheduler/1 submits to 15340000.vic 100+0 of 1",
                          "15340000.vic/0 work of first 100+50 of 1"}));
}

void EngineTraceTest::drawsWorkOfGpuChannels()
{
    EngineLanes made;
    const std::string channel = "name=17000000.gpu, chid=509, num_entries=2, flags=5, ";
    made.take(100, 17, "gk20a_channel_submit_gpfifo: " + channel + "wait_id=0, wait_value=0");
    made.take(110, 17, "gk20a_channel_submitted_gpfifo: " + channel + "incr_id=12, incr_value=3");
    made.take(120, 17, "gk20a_channel_submitted_gpfifo: " + channel + "incr_id=0, incr_value=0"); // Without a fence.
    made.take(150, 0, "host1x_syncpt_load_min: id=12, val=3");
    QCOMPARE(made.found(),
             QStringList({"first, scheduler/1 submits to 17000000.gpu, channel 509 100+10 of 1",
                          "first, scheduler/1 submits to 17000000.gpu, channel 509 120+0 of 1",
                          "17000000.gpu, channel 509/0 work of first 100+50 of 1"}));
    QCOMPARE(made.trace.engines().work()[0].submitted, 2u);
    QCOMPARE(made.trace.engines().work()[0].complete, 1u);
}

void EngineTraceTest::followsValuesThatGoAround()
{
    EngineLanes made;
    made.take(100, 17, kSubmit);
    made.take(110, 17, kSubmitted + "1");
    made.take(120, 0, "host1x_syncpt_load_min: id=7, val=-1");
    QCOMPARE(made.spans.size(), 1u);
    made.take(130, 0, "host1x_syncpt_load_min: id=7, val=1");
    QCOMPARE(made.found().last(), QString("15340000.vic/0 work of first 100+30 of 1"));
}

void EngineTraceTest::forgetsWhatWasLost()
{
    EngineLanes made;
    made.take(100, 17, kSubmit);
    made.take(110, 17, kSubmitted + "41");
    made.take(120, 17, kSubmit);
    made.trace.take("CPU:1 [LOST 7 EVENTS]\n", made.spans);
    made.take(130, 17, kSubmitted + "42"); // Its beginning may be that of a submission that was lost.
    made.take(200, 0, "host1x_syncpt_load_min: id=7, val=60");
    QCOMPARE(made.found(),
             QStringList({"first, scheduler/1 submits to 15340000.vic 100+10 of 1",
                          "first, scheduler/1 submits to 15340000.vic 130+0 of 1"}));
}

void EngineTraceTest::makesNothingWhilePaused()
{
    EngineLanes made;
    made.take(100, 17, kSubmit);
    made.take(110, 17, kSubmitted + "41");
    made.trace.setRecording(false, 115'000);
    made.take(120, 17, kSubmit);
    made.take(130, 17, kSubmitted + "42");
    made.take(140, 0, "gk20a_mm_l2_flush: name=gpu");
    made.take(150, 0, "gk20a_mm_l2_flush_done: name=gpu");
    made.trace.setRecording(true, 160'000);
    made.take(200, 0, "host1x_syncpt_load_min: id=7, val=60");
    QCOMPARE(made.spans.size(), 1u);
}

void EngineTraceTest::isBounded()
{
    EngineLanes made;
    for (int i = 0; i < 2000; ++i) { // Engines, threads, and work without an end.
        const std::string name = "name=engine" + std::to_string(i);
        made.take(i, 1000 + i, "host1x_channel_submit: " + name + ", syncpt_id=1");
        made.take(i, 17, "host1x_channel_submit: name=engine0, syncpt_id=1");
        made.take(i, 17, "host1x_channel_submitted: name=engine0, syncpt_base=0, syncpt_max=5");
    }
    QCOMPARE(made.trace.engines().work().size(), 64u);
    const std::size_t before = made.spans.size();
    made.take(3000, 0, "host1x_syncpt_load_min: id=1, val=5");
    QCOMPARE(made.spans.size() - before, 64u);
    for (const Span &span : made.spans)
        QVERIFY(span.depth < 8);
    std::vector<AttachThread> threads{{5, 17, "first", "process"}};
    for (int i = 0; i < 200; ++i)
        threads.push_back({5, 5000 + i, "bounded " + std::to_string(i), "process"});
    made.trace.setThreads(threads);
    for (int i = 0; i < 200; ++i)
        made.take(4000 + i, 5000 + i, "host1x_channel_submitted: name=engine0, syncpt_base=0, syncpt_max=5");
    made.take(5000, 0, "host1x_channel_submit_complete: name=engine0, count=1, thresh=5");
    QVERIFY(made.found().last().contains("work of another thread"));
}

void EngineTraceTest::survivesAnyBytes()
{
    std::mt19937 random(1);
    const std::string head = "            name-17      [001] d..2. 0.000100: ";
    const std::string good = head + kSubmit + "\n" + head + kSubmitted + "41\n" + head
        + "host1x_syncpt_load_min: id=7, val=41\n" + head
        + "gk20a_channel_submitted_gpfifo: name=(0x0:17000000.gpu)[UNSAFE-MEMORY], chid=509, incr_id=1, incr_value=2\n"
        + "# events: host1x 5 7\n";
    EngineLanes made;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = good;
        for (int k = 0; k < 6; ++k)
            text[random() % text.size()] = static_cast<char>(random());
        made.trace.take(text, made.spans);
    }
    QVERIFY(made.trace.damaged() > 0);
    QVERIFY(made.trace.engines().work().size() <= 64 && made.trace.groups().size() <= 16);
    for (const TracedGroup &group : made.trace.groups())
        QVERIFY(group.name.size() <= 32);
}

void EngineTraceTest::countsEventsOfTheKernel()
{
    EngineLanes made;
    made.trace.take("# events: sched 3 3\n# events: host1x 0 7\n# events: x\n# events: y 1\n# events: z a b\n# other\n",
                    made.spans);
    QCOMPARE(made.trace.groups().size(), 2u);
    QCOMPARE(made.trace.groups()[1].name, std::string("host1x"));
    QCOMPARE(made.trace.groups()[1].has, 0u);
    QCOMPARE(made.trace.groups()[1].of, 7u);
    QCOMPARE(made.trace.damaged(), 0u);

    QTemporaryDir folder;
    QVERIFY(!tracedGroups({}) && !tracedGroups(folder.filePath("missing").toStdString()));
    for (const char *event : {"sched/sched_switch", "host1x/host1x_cdma_begin", "host1x/host1x_cdma_end"})
        QVERIFY(QDir().mkpath(folder.filePath("events/" + QString(event))));
    const auto groups = tracedGroups(folder.path().toStdString());
    QVERIFY(groups && groups->size() == 4);
    QStringList words;
    for (const TracedGroup &group : *groups)
        words += QString("%1 %2").arg(QString::fromStdString(group.name)).arg(group.has);
    QCOMPARE(words, QStringList({"sched 1", "gk20a 0", "host1x 2", "nvhost 0"}));
}

void EngineTraceTest::asksForEvents()
{
    QTemporaryDir folder;
    const QString out =
        runSched(folder.path(), "a: name=(0xffff950d5f6f6c00:15340000.vic)[UNSAFE-MEMORY]\n((0xAb(0x12) 0x34 done\n",
                 "done", {{"FAKE_PANIC_ON_WARN", "0\n"}});
    QVERIFY2(out.startsWith("# threads: 4026531836\n# events: sched 2 3\n"), out.toUtf8());
    QVERIFY2(out.contains("# events: host1x 1 7\n") && out.contains("# events: nvhost 0 5\n"), out.toUtf8());
    // Addresses of the kernel are not handed on.
    QVERIFY2(out.contains("a: name=(0x0000000000000000:15340000.vic)[UNSAFE-MEMORY]\n((0x00(0x00) 0x34 done\n"),
             out.toUtf8());
}

void EngineTraceTest::stopsAtNoWarning()
{
    QTemporaryDir folder;
    const QString out = runSched(folder.path(), "done\n", "done", {{"FAKE_PANIC_ON_WARN", "1\n"}});
    QVERIFY2(out.contains("# events: sched 2 3\n") && out.contains("# events: host1x 0 7\n"), out.toUtf8());
}

/// Root follows no folder of a user.
void EngineTraceTest::takesNoFolder()
{
    QTemporaryDir folder;
    QProcess sched;
    QVERIFY(startSched(sched, folder.path(), {}, {{"FAKE_IS_FOLDER", "1"}}));
    QVERIFY(sched.waitForFinished());
    QCOMPARE(sched.exitCode(), 1);
    QVERIFY(sched.readAllStandardOutput().startsWith("# error: tracefs is not mounted"));
    QCOMPARE(QDir(folder.filePath("instances")).entryList(QDir::Dirs | QDir::NoDotAndDotDot), QStringList("template"));
    sched.start(PROGRAM_SCHED, {folder.path()});
    QVERIFY(sched.waitForFinished());
    QCOMPARE(sched.exitCode(), 2);
}

/// Somebody keeps the pipe open, as shells do.
void EngineTraceTest::endsWithoutAReader()
{
    QTemporaryDir folder;
    const QString pipe = folder.filePath("out");
    QCOMPARE(mkfifo(pipe.toUtf8().constData(), 0600), 0);
    const int kept = ::open(pipe.toUtf8().constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    QProcess sched;
    sched.setStandardOutputFile(pipe);
    QVERIFY(startSched(sched, folder.path(), QByteArray(4 << 20, 'x'), {}));
    const bool ended = sched.waitForFinished(20'000);
    ::close(kept);
    QVERIFY(ended && sched.exitStatus() == QProcess::NormalExit);
    QCOMPARE(QDir(folder.filePath("instances")).entryList(QDir::Dirs | QDir::NoDotAndDotDot), QStringList("template"));
}

/// A file that grows while the program runs, into the object of --json and the capture.
void EngineTraceTest::reportsEngines()
{
    QTemporaryDir folder;
    QFile lines(folder.filePath("lines"));
    QFile pattern(folder.filePath("pattern"));
    QVERIFY(lines.open(QIODevice::WriteOnly) && pattern.open(QIODevice::WriteOnly));
    const QByteArray head = "            name-PID     [001] d..2. 0.000";
    pattern.write("# events: sched 3 3\n# events: host1x 5 7\n" + head
                  + "100: sched_switch: prev_comm=a prev_pid=PID prev_prio=120 prev_state=S ==> next_comm=b next_pid=0 "
                    "next_prio=120\n"
                  + head + "150: " + QByteArray::fromStdString(kSubmit) + "\n" + head
                  + "160: " + QByteArray::fromStdString(kSubmitted) + "41\n" + head
                  + "200: sched_wakeup: comm=a pid=PID prio=120 target_cpu=001\n" + head
                  + "300: host1x_syncpt_load_min: id=7, val=41\n");
    pattern.close();
    const Attached run =
        attachOnly(withLinesWhenDrawn({PROGRAM_LAZY, "linked", "3"}, pattern.fileName(), lines.fileName()),
                   {"--scheduler", lines.fileName()});
    const QJsonObject scheduler = run.json["scheduler"].toObject();
    const QJsonObject engine = scheduler["engines"][0].toObject();
    QVERIFY2(engine["name"] == "15340000.vic" && engine["submitted"] == 1 && engine["complete"] == 1, run.describe());
    QVERIFY2(scheduler["events"][1] == QJsonObject({{"group", "host1x"}, {"has", 5}, {"of", 7}}), run.describe());
    QCOMPARE(scheduler["threads"][0]["blocked_ms"].toDouble(), 0.1);
    QCOMPARE(rowsOf(run.capture, "SELECT name, duration_ns FROM spans WHERE name LIKE 'work of %'"),
             QStringList({"work of jetscope_progra\t150000"}));
}

JETSCOPE_TEST(EngineTraceTest)
#include "tst_enginetrace.moc"
