// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which context has a Jetson's GPU: jetscope-sched with a made-up nvgpu that keeps to the driver's source
// (gpu/attach/sched/nvgpu.h), and what is made of its lines. No Jetson was seen.
#include "core/attach/kernel/schedulertrace.h"
#include "core/attach/kernel/traceline.h"
#include "core/time/clock.h"

#include "attachedprogram.h"
#include "schedprogram.h"
#include "tests/support/testprogram.h"
#include "tracelanes.h"

#include <QTemporaryDir>

#include <random>

using namespace jetscope;

class ContextTraceTest : public QObject {
    Q_OBJECT

private slots:
    void drawsContexts();
    void saysHowTheyLeave_data();
    void saysHowTheyLeave();
    void knowsNothingAfterALoss();
    void knowsNothingAfterAPause();
    void switchesBeforeAPauseCount();
    void goesOnWhereMomentsAreMissing();
    void refusesLines_data();
    void refusesLines();
    void survivesAnyBytes();
    void isBounded();
    void asksNvgpu();
    void saysWhyNot_data();
    void saysWhyNot();
    void reportsContexts();
};

namespace {

/// Of the processes 5 ("camera") and 6 ("shell").
struct ContextLanes : TraceLanes {
    ContextLanes() { trace.setThreads({{5, 17, "first", "camera"}, {6, 18, "", "shell"}}); }
    /// A moment of the context of a process, at a time in microseconds.
    void take(int us, int pid, const char *event)
    {
        trace.take(QString("     gpu-context-%1 [000] ..... 0.%2: gpu_context: %3\n")
                       .arg(pid)
                       .arg(us, 6, 10, QChar('0'))
                       .arg(event)
                       .toStdString(),
                   spans);
    }
};

} // namespace

void ContextTraceTest::drawsContexts()
{
    ContextLanes made;
    made.take(90, 5, "context=3 tag=255"); // A moment without a time.
    made.take(100, 5, "context=3 tag=5");
    made.take(150, 5, "context=3 tag=1");
    made.take(180, 5, "context=3 tag=13");
    made.take(190, 5, "context=3 tag=3");
    made.take(195, 9, "context=4 tag=4");
    made.take(200, 9, "context=4 tag=5"); // Of a program that is not inspected.
    made.take(290, 9, "context=4 tag=1");
    made.take(310, 9, "context=4 tag=10");
    made.take(320, 9, "context=4 tag=3");
    made.take(330, 5, "context=3 tag=4");
    made.take(340, 5, "context=3 tag=5");
    QCOMPARE(made.found(),
             QStringList({"GPU contexts/0 context 3 of camera 5 100+80 of 1",
                          "GPU contexts/1 must leave: stopped within a kernel 150+30 of 1",
                          "GPU contexts/0 switches contexts 180+20 of 1",
                          "GPU contexts/0 context 4 of process 9 200+110 of 2",
                          "GPU contexts/1 must leave: until its work is complete 290+20 of 2",
                          "GPU contexts/0 switches contexts 310+30 of 3"}));
    for (const Span &span : made.spans) {
        QVERIFY(spanCategory(span.name) == Category::Tool); // Drawn, and never counted.
        QVERIFY(spanCertainty(span.name) == Certainty::Exact);
    }
    const std::vector<ContextTimes> contexts = made.trace.contexts().contexts();
    QCOMPARE(contexts.size(), 2u);
    QCOMPARE(contexts[0].process, std::string());
    QCOMPARE(contexts[0].pid, 9);
    QCOMPARE(contexts[0].context, 4u);
    QCOMPARE(contexts[0].loadedNs, 110'000);
    QCOMPARE(contexts[0].leavingNs, 20'000);
    QCOMPARE(contexts[1].process, std::string("camera"));
    QCOMPARE(contexts[1].loadedNs, 80'000); // It is loaded again, for a time that is not known yet.
    QCOMPARE(contexts[1].times, 1u);
    QCOMPARE(made.trace.contexts().switchingNs(), 50'000);
    QCOMPARE(made.trace.damaged(), 0u);
    QCOMPARE(made.trace.lines(), 0u); // Of the kernel's trace.
}

void ContextTraceTest::saysHowTheyLeave_data()
{
    QTest::addColumn<int>("tag");
    QTest::addColumn<QString>("words");
    QTest::newRow("not told") << 2 << "must leave";
    QTest::newRow("only saved") << 3 << "must leave";
    QTest::newRow("WFI") << 10 << "must leave: until its work is complete";
    QTest::newRow("GFXP") << 11 << "must leave: stopped within graphics work";
    QTest::newRow("CTA") << 12 << "must leave: stopped between thread blocks";
    QTest::newRow("CILP") << 13 << "must leave: stopped within a kernel";
}

void ContextTraceTest::saysHowTheyLeave()
{
    QFETCH(int, tag);
    QFETCH(QString, words);
    ContextLanes made;
    made.take(100, 0, "context=3 tag=5");
    made.take(150, 0, "context=3 tag=1");
    made.take(180, 0, QString("context=3 tag=%1").arg(tag).toLatin1().constData());
    QCOMPARE(made.found(),
             QStringList({"GPU contexts/0 context 3 100+80 of 1", "GPU contexts/1 " + words + " 150+30 of 1"}));
}

void ContextTraceTest::knowsNothingAfterALoss()
{
    ContextLanes made;
    made.take(100, 5, "context=3 tag=5");
    made.take(150, 5, "lost=7");
    made.take(160, 5, "context=3 tag=13");
    made.take(170, 6, "context=4 tag=5");
    made.take(180, 6, "context=4 tag=254"); // The engine was reset.
    made.take(190, 6, "context=4 tag=2");
    QVERIFY(made.spans.empty() && made.trace.contexts().contexts().empty());
    QCOMPARE(made.trace.contexts().lost(), 7u);
}

void ContextTraceTest::knowsNothingAfterAPause()
{
    ContextLanes made;
    made.take(100, 5, "context=3 tag=5");
    made.trace.setRecording(false, 120'000);
    made.trace.setRecording(true, 165'000); // Before the lines were read.
    made.take(150, 5, "context=3 tag=13");
    made.take(160, 6, "context=4 tag=5");
    made.take(170, 6, "context=4 tag=2");
    QVERIFY(made.spans.empty());
}

/// It is told later than the lines of the kernel around it.
void ContextTraceTest::switchesBeforeAPauseCount()
{
    ContextLanes made;
    made.take(100, 5, "context=3 tag=5");
    made.trace.setRecording(false, 200'000);
    made.trace.take(
        "            name-5      [001] d..2. 0.000250: sched_switch: prev_comm=name prev_pid=5 prev_prio=120 "
        "prev_state=S ==> next_comm=other next_pid=6 next_prio=120\n",
        made.spans);
    made.take(150, 5, "context=3 tag=13");
    QCOMPARE(made.spans.size(), 1u);
    QCOMPARE(made.spans.front().durationNs, 50'000);
}

void ContextTraceTest::goesOnWhereMomentsAreMissing()
{
    ContextLanes made;
    made.take(100, 5, "context=3 tag=5");
    made.take(120, 5, "context=9 tag=2"); // Of one that is not loaded.
    made.take(150, 6, "context=4 tag=5"); // Without an end of the one before.
    made.take(170, 5, "context=3 tag=4");
    made.take(160, 5, "context=3 tag=5"); // Times that go back.
    QCOMPARE(made.found(),
             QStringList({"GPU contexts/0 context 3 of camera 5 100+50 of 1",
                          "GPU contexts/0 context 4 of shell 6 150+20 of 1",
                          "GPU contexts/0 switches contexts 170+0 of 1"}));
    QCOMPARE(made.trace.contexts().switchingNs(), 0);
}

void ContextTraceTest::refusesLines_data()
{
    QTest::addColumn<QByteArray>("event");
    for (const char *event : {"", "context=3", "context=3 tag=", "context=3 tag=256", "context=3 tag=5 ", "tag=5",
                              "context=-3 tag=5", "context=4294967296 tag=5", "lost=", "lost=1x", "lost=4294967296"})
        QTest::newRow(event) << QByteArray(event);
}

void ContextTraceTest::refusesLines()
{
    QFETCH(QByteArray, event);
    ContextLanes made;
    made.take(100, 5, "context=3 tag=5");
    made.take(150, 5, event.constData());
    QCOMPARE(made.trace.damaged(), 1u);
    QVERIFY(made.spans.empty());
}

void ContextTraceTest::survivesAnyBytes()
{
    std::mt19937 random(1);
    const std::string head = "     gpu-context-5 [000] ..... 0.000100: gpu_context: ";
    const std::string good = head + "context=3 tag=5\n" + head + "context=3 tag=1\n" + head + "context=3 tag=13\n"
        + head + "lost=3\n# contexts: none\n";
    ContextLanes made;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = good;
        for (int k = 0; k < 6; ++k)
            text[random() % text.size()] = static_cast<char>(random());
        made.trace.take(text, made.spans);
    }
    QVERIFY(made.trace.damaged() > 0 && made.trace.contexts().contexts().size() <= 64);
    QVERIFY(made.trace.contextsRefusal().size() <= 200);
}

void ContextTraceTest::isBounded()
{
    ContextLanes made;
    for (int i = 0; i < 2000; ++i) {
        made.take(2 * i, i, QString("context=%1 tag=5").arg(i).toLatin1().constData());
        made.take(2 * i + 1, i, QString("context=%1 tag=2").arg(i).toLatin1().constData());
    }
    QCOMPARE(made.trace.contexts().contexts().size(), 64u);
    QVERIFY(made.found().last().contains("another context"));
}

/// Through jetscope-sched: in the order that nvgpu demands, with times of CLOCK_MONOTONIC.
void ContextTraceTest::asksNvgpu()
{
    QTemporaryDir folder;
    const std::int64_t beforeUs = nowNs() / 1000;
    // The numbers go around behind the second moment, and one is dropped behind the third.
    const QString out = runSched(folder.path(), "done\n", "context=4 tag=5",
                                 {{"FAKE_CONTEXTS", "5:3:5:0,1:3:5:50,d:3:5:80,drop,5:4:99999999999:100"}});
    const std::int64_t afterUs = nowNs() / 1000;
    QVERIFY2(!out.contains("ended badly") && !out.contains("made-up"), out.toUtf8());
    QVERIFY2(!out.contains("# contexts"), out.toUtf8());
    QStringList events;
    std::vector<std::int64_t> times;
    for (const QString &text : out.split('\n')) {
        const std::string line = text.toStdString();
        if (const auto read = parseTraceLine(line); read && read->kind == TraceLine::Kind::Context) {
            events += QString("%1%2").arg(read->pid).arg(QString::fromStdString(std::string(read->arguments)));
            times.push_back(read->ns / 1000);
        }
    }
    QCOMPARE(
        events,
        QStringList({"5 context=3 tag=5", "5 context=3 tag=1", "5 context=3 tag=13", "0 lost=1", "0 context=4 tag=5"}));
    QVERIFY2(times[0] >= beforeUs && times[0] <= afterUs, out.toUtf8());
    const std::vector<std::int64_t> expected = {0, 50, 80, 100, 100};
    for (std::size_t i = 0; i < times.size(); ++i) // Whole microseconds, which are cut off.
        QVERIFY2(std::abs(times[i] - times[0] - expected[i]) <= 1, out.toUtf8());
}

void ContextTraceTest::saysWhyNot_data()
{
    QTest::addColumn<QString>("contexts");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no device") << QString() << "this kernel has no device for them";
    QTest::newRow("busy") << "busy"
                          << "another program reads them";
    QTest::newRow("refuses") << "refuses"
                             << "nvgpu refuses: ";
}

/// The rest is told all the same.
void ContextTraceTest::saysWhyNot()
{
    QFETCH(QString, contexts);
    QFETCH(QString, reason);
    QTemporaryDir folder;
    std::map<QString, QString> variables;
    if (!contexts.isNull())
        variables["FAKE_CONTEXTS"] = contexts;
    const QString out = runSched(folder.path(), "done\n", "done", variables);
    QVERIFY2(out.contains("# contexts: " + reason) && out.contains("done") && !out.contains("ended badly"),
             out.toUtf8());
    ContextLanes made;
    made.trace.take(out.toStdString(), made.spans);
    QVERIFY(QString::fromStdString(made.trace.contextsRefusal()).startsWith(reason));
}

/// Into the object of --json and the capture.
void ContextTraceTest::reportsContexts()
{
    QTemporaryDir folder;
    QFile lines(folder.filePath("lines"));
    QFile pattern(folder.filePath("pattern"));
    QVERIFY(lines.open(QIODevice::WriteOnly) && pattern.open(QIODevice::WriteOnly));
    const QByteArray kernel = "            name-PID     [001] d..2. 0.000";
    const QByteArray gpu = "     gpu-context-PID [000] ..... 0.000";
    pattern.write("# contexts: none\n" + kernel
                  + "100: sched_switch: prev_comm=a prev_pid=PID prev_prio=120 prev_state=S ==> next_comm=b next_pid=0 "
                    "next_prio=120\n"
                  + gpu + "100: gpu_context: context=3 tag=5\n" + gpu + "150: gpu_context: context=3 tag=1\n" + gpu
                  + "160: gpu_context: context=3 tag=12\n" + gpu + "180: gpu_context: context=4 tag=5\n" + gpu
                  + "190: gpu_context: lost=2\n" + kernel
                  + "200: sched_wakeup: comm=a pid=PID prio=120 target_cpu=001\n");
    pattern.close();
    const Attached run =
        attachOnly(withLinesWhenDrawn({PROGRAM_LAZY, "linked", "3"}, pattern.fileName(), lines.fileName()),
                   {"--scheduler", lines.fileName()});
    const QJsonObject contexts = run.json["scheduler"]["gpu"].toObject();
    QVERIFY2(contexts["contexts"].toArray().size() == 1, run.describe());
    const QJsonObject context = contexts["contexts"][0].toObject();
    QVERIFY2(context["context"] == 3 && context["times"] == 1 && context["loaded_ms"] == 0.06
                 && context["leaving_ms"] == 0.01 && context["process"] == "jetscope_progra",
             run.describe());
    QVERIFY2(contexts["switching_ms"] == 0.02 && contexts["lost"] == 2 && contexts["reason"] == "none", run.describe());
    QCOMPARE(rowsOf(run.capture, "SELECT name, duration_ns FROM spans WHERE name LIKE 'must leave%'"),
             QStringList({"must leave: stopped between thread blocks\t10000"}));
}

JETSCOPE_TEST(ContextTraceTest)
#include "tst_contexttrace.moc"
