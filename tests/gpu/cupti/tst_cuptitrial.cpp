// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The trial of CUPTI in a child process, which is this program, with a fake of libcupti and the driver that crashes,
// hangs, refuses and returns wrong data.
#include "gpu/cupti/cuptitrial.h"
#include "gpu/cupti/trialreport.h"
#include "tests/support/fakecupti.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <sys/wait.h>

using namespace jetscope;
using namespace std::chrono_literals;

namespace {

constexpr const char *kSettings = "JETSCOPE_FAKE_CUPTI";

CuptiTrial::Plan planFor(std::vector<std::string> libraries)
{
    CuptiTrial::Plan plan;
    plan.command = {"/proc/self/exe", "--cupti-trial"};
    plan.libraries = std::move(libraries);
    plan.driver = JETSCOPE_FAKE_CUPTI;
    return plan;
}

bool hasChildren()
{
    errno = 0;
    return waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD;
}

} // namespace

class TestCuptiTrial : public QObject {
    Q_OBJECT

private slots:
    void cleanup();
    void outcomes_data();
    void outcomes();
    void refusedCopiesAreARemark();
    void hangs_data();
    void hangs();
    void pollNeverWaits();
    void anAbandonedTrialLeavesNothing();
    void libraries_data();
    void libraries();
    void programs_data();
    void programs();
    void withoutADriver();
    void childArguments();
    void oneTrialForAProcess();
    void reportsFromAnywhere_data();
    void reportsFromAnywhere();
    void reportsComeBack();
};

void TestCuptiTrial::cleanup()
{
    qunsetenv(kSettings);
    QVERIFY(!hasChildren());
}

void TestCuptiTrial::outcomes_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("reason"); ///< A part of it; empty if usable.
    const auto row = [](const char *name, const char *settings, const char *reason) {
        QTest::newRow(name) << QString(settings) << QString(reason);
    };
    row("CUDA 12.2", "layout=12", "");
    row("CUDA 13.0", "layout=13", "");
    row("prints where it should not", "chatter=1", "");
    row("no compiler in the driver", "compiler=none", "");
    row("no callbacks", "subscriber=other", "");
    for (const char *place : {"load", "version", "clock", "callbacks", "enable", "subscribe", "flush", "exit"})
        row((std::string("crashes at ") + place).c_str(), (std::string("crash=") + place).c_str(),
            "crashed (signal 11)");
    row("kernels refused", "refuse=10,code=14", "kernels cannot be recorded: CUPTI does not fit");
    row("not permitted", "refuse=all,code=35", "not permitted for this user");
    row("another profiler", "refuse=all,code=39", "another profiler");
    row("no times", "times=zero", "3 without times");
    row("reversed times", "times=reversed", "ending before they began");
    row("another clock", "times=realtime", "another clock");
    row("no records", "times=none", "no times of the trial's work");
    row("dropped records", "drop=5", "dropped by CUPTI");
    row("cut off", "walk=cut", "damaged");
    row("another release", "version=140000", "of CUDA 14.0");
    row("no such device", "device=none", "could not use the GPU: invalid device ordinal");
}

void TestCuptiTrial::outcomes()
{
    QFETCH(QString, settings);
    QFETCH(QString, reason);
    qputenv(kSettings, settings.toUtf8());
    CuptiTrial trial(planFor({JETSCOPE_FAKE_CUPTI}));
    const CuptiOutcome &outcome = trial.wait();
    const QString text = QString::fromStdString(outcome.usable.reason);
    QVERIFY2(outcome.usable.available == reason.isEmpty(), qPrintable(text));
    QVERIFY2(text.contains(reason) && !text.contains('\n') && text.size() < 600, qPrintable(text));
    QCOMPARE(outcome.library, std::string(JETSCOPE_FAKE_CUPTI));
    QVERIFY(outcome.remarks.empty());
    if (outcome.usable.available)
        QCOMPARE(QString::fromStdString(outcome.version),
                 QString(settings == "layout=12" ? "12.2 (20)" : "13.0 (130000)"));
    QCOMPARE(trial.poll(), &outcome); // The outcome does not change.
}

void TestCuptiTrial::refusedCopiesAreARemark()
{
    qputenv(kSettings, "refuse=1,code=27");
    const CuptiOutcome outcome = CuptiTrial(planFor({JETSCOPE_FAKE_CUPTI})).wait();
    QVERIFY2(outcome.usable.available, outcome.usable.reason.c_str());
    QCOMPARE(outcome.remarks.size(), std::size_t(1));
    QVERIFY2(outcome.remarks[0].find("copies are not recorded: ") == 0, outcome.remarks[0].c_str());
}

void TestCuptiTrial::hangs_data()
{
    QTest::addColumn<QString>("place");
    for (const char *place : {"load", "enable", "flush", "exit"})
        QTest::newRow(place) << QString(place);
}

void TestCuptiTrial::hangs()
{
    QFETCH(QString, place);
    qputenv(kSettings, "hang=" + place.toUtf8());
    CuptiTrial::Plan plan = planFor({JETSCOPE_FAKE_CUPTI, JETSCOPE_FAKE_CUPTI});
    plan.timeout = 400ms;
    QElapsedTimer timer;
    timer.start();
    const CuptiOutcome outcome = CuptiTrial(plan).wait();
    QVERIFY(!outcome.usable.available);
    QVERIFY2(outcome.usable.reason.find("did not end within 400 ms") != std::string::npos,
             outcome.usable.reason.c_str());
    QVERIFY(timer.elapsed() >= 400);
}

void TestCuptiTrial::pollNeverWaits()
{
    qputenv(kSettings, "hang=enable");
    CuptiTrial trial(planFor({JETSCOPE_FAKE_CUPTI}));
    for (int i = 0; i < 100; ++i)
        QVERIFY(!trial.poll());
}

void TestCuptiTrial::anAbandonedTrialLeavesNothing()
{
    qputenv(kSettings, "hang=enable");
    {
        const CuptiTrial trial(planFor({JETSCOPE_FAKE_CUPTI}));
        QVERIFY(hasChildren());
    }
    QVERIFY(!hasChildren());
}

void TestCuptiTrial::libraries_data()
{
    QTest::addColumn<QStringList>("libraries");
    QTest::addColumn<QString>("used");
    QTest::addColumn<QString>("reason");
    const QString good = JETSCOPE_FAKE_CUPTI;
    const QString partial = JETSCOPE_PARTIAL_CUPTI;
    const QString absent = "libjetscopehasnosuch.so.13";
    QTest::newRow("none") << QStringList() << ""
                          << "was not found";
    QTest::newRow("no such name") << QStringList{absent, absent} << ""
                                  << "was not found";
    QTest::newRow("the next is good") << QStringList{partial, good} << good << "";
    QTest::newRow("the last is good") << QStringList{absent, "/nowhere/libcupti.so", good} << good << "";
    QTest::newRow("the best one's reason")
        << QStringList{partial, "/nowhere/libcupti.so", absent} << partial << "cuptiGetStreamIdEx";
}

void TestCuptiTrial::libraries()
{
    QFETCH(QStringList, libraries);
    QFETCH(QString, used);
    QFETCH(QString, reason);
    std::vector<std::string> paths;
    for (const QString &path : libraries)
        paths.push_back(path.toStdString());
    const CuptiOutcome outcome = CuptiTrial(planFor(paths)).wait();
    QCOMPARE(outcome.usable.available, reason.isEmpty());
    QCOMPARE(QString::fromStdString(outcome.library), used);
    QVERIFY2(QString::fromStdString(outcome.usable.reason).contains(reason), outcome.usable.reason.c_str());
}

void TestCuptiTrial::programs_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QString>("reason");
    QTest::newRow("none") << QStringList() << "makes no trial";
    QTest::newRow("absent") << QStringList{"/nowhere/jetscope"} << "cannot be started";
    QTest::newRow("says nothing") << QStringList{"/bin/true"} << "without an answer (exit code 0)";
    QTest::newRow("fails") << QStringList{"/bin/false"} << "without an answer (exit code 1)";
    QTest::newRow("says nonsense") << QStringList{"/bin/echo", "hello"} << "without an answer";
    QTest::newRow("never stops talking") << QStringList{"/bin/sh", "-c", "exec yes"} << "did not end within";
    QTest::newRow("kills itself") << QStringList{"/bin/sh", "-c", "kill -6 $$"} << "crashed (signal 6)";
    QTest::newRow("says yes and crashes")
        << QStringList{"/bin/sh", "-c", "echo usable; kill -11 $$"} << "crashed (signal 11)";
    QTest::newRow("says yes and fails") << QStringList{"/bin/sh", "-c", "echo usable; exit 3"}
                                        << "without an answer (exit code 3)";
    // The pipe stays open in a grandchild, which must not delay the outcome.
    QTest::newRow("leaves a child behind") << QStringList{"/bin/sh", "-c", "sleep 5 & echo failed why"} << "why";
}

void TestCuptiTrial::programs()
{
    QFETCH(QStringList, command);
    QFETCH(QString, reason);
    CuptiTrial::Plan plan = planFor({JETSCOPE_FAKE_CUPTI});
    plan.command.clear();
    for (const QString &word : command)
        plan.command.push_back(word.toStdString());
    plan.timeout = 3s;
    const CuptiOutcome outcome = CuptiTrial(plan).wait();
    QVERIFY(!outcome.usable.available);
    QVERIFY2(QString::fromStdString(outcome.usable.reason).contains(reason), outcome.usable.reason.c_str());
}

void TestCuptiTrial::withoutADriver()
{
    CuptiTrial::Plan plan = planFor({JETSCOPE_FAKE_CUPTI, JETSCOPE_FAKE_CUPTI});
    plan.driver = "libjetscopehasnosuch.so.1";
    const CuptiOutcome outcome = CuptiTrial(plan).wait();
    QVERIFY2(outcome.usable.reason.find("no NVIDIA driver") != std::string::npos, outcome.usable.reason.c_str());
}

void TestCuptiTrial::childArguments()
{
    CuptiTrial::Plan plan = planFor({JETSCOPE_FAKE_CUPTI});
    plan.ordinal = -1;
    QVERIFY(CuptiTrial(plan).wait().usable.reason.find("exit code 2") != std::string::npos);
    plan.ordinal = 0;
    plan.command.push_back("one too many");
    QVERIFY(CuptiTrial(plan).wait().usable.reason.find("exit code 2") != std::string::npos);
}

void TestCuptiTrial::oneTrialForAProcess()
{
    // A fake toolkit and a fake driver.
    const QTemporaryDir folder;
    QVERIFY(QDir().mkpath(folder.filePath("extras/CUPTI/lib64")));
    QVERIFY(QFile::link(JETSCOPE_FAKE_CUPTI, folder.filePath("extras/CUPTI/lib64/libcupti.so")));
    QVERIFY(QFile::link(JETSCOPE_FAKE_CUPTI, folder.filePath("libcuda.so.1")));
    const QByteArray before = qgetenv("LD_LIBRARY_PATH");
    qputenv("CUDA_HOME", folder.path().toUtf8());
    qputenv("LD_LIBRARY_PATH", folder.path().toUtf8() + ":" + before);
    QVERIFY(!cuptiOutcome(0)); // The trial has just started.
    CuptiOutcome outcome = awaitCuptiOutcome(0);
    QVERIFY2(outcome.usable.available, outcome.usable.reason.c_str());
    QCOMPARE(QFileInfo(QString::fromStdString(outcome.library)).canonicalFilePath(),
             QFileInfo(JETSCOPE_FAKE_CUPTI).canonicalFilePath());
    // The outcome is kept, and another device gets its own trial.
    qputenv(kSettings, "crash=enable");
    QVERIFY(cuptiOutcome(0) && cuptiOutcome(0)->usable.available);
    outcome = awaitCuptiOutcome(1);
    QVERIFY(!outcome.usable.available);
    offerCuptiTrial({});
    outcome = awaitCuptiOutcome(2);
    QVERIFY2(outcome.usable.reason.find("makes no trial") != std::string::npos, outcome.usable.reason.c_str());
    qunsetenv("CUDA_HOME");
    qputenv("LD_LIBRARY_PATH", before);
}

void TestCuptiTrial::reportsFromAnywhere_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("judged");
    QTest::newRow("nothing") << QByteArray() << false;
    QTest::newRow("a verdict") << QByteArray("usable\n") << true;
    QTest::newRow("cut off") << QByteArray("version 13.0\nusable") << false;
    QTest::newRow("other words") << QByteArray("unusable\nfailing\n\n\n \n") << false;
    QTest::newRow("zeros") << QByteArray(5'000, '\0') << false;
    QTest::newRow("long") << "failed " + QByteArray(100'000, 'x') + "\n" << true;
    QTest::newRow("many remarks") << QByteArray("remark a\n").repeated(10'000) + "usable \n" << true;
    QTest::newRow("control characters") << QByteArray("failed a\x1b[31mb\rc\tz\x7f\n") << true;
}

void TestCuptiTrial::reportsFromAnywhere()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, judged);
    const std::optional<TrialReport> report =
        TrialReport::parse({text.constData(), static_cast<std::size_t>(text.size())});
    QCOMPARE(report.has_value(), judged);
    if (!report)
        return;
    QVERIFY(report->remarks.size() <= 16);
    QVERIFY(report->reason.size() <= 2'000);
    for (const char c : report->reason)
        QVERIFY(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

void TestCuptiTrial::reportsComeBack()
{
    TrialReport report;
    report.verdict = TrialReport::Verdict::Final;
    report.reason = "two\nlines";
    report.library = "/a path/libcupti.so";
    report.version = "13.0 (130000)";
    report.remarks = {"one", "two"};
    const std::optional<TrialReport> back = TrialReport::parse(report.text());
    QVERIFY(back);
    QVERIFY(back->verdict == report.verdict);
    QCOMPARE(back->reason, std::string("two lines"));
    QCOMPARE(back->library, report.library);
    QCOMPARE(back->version, report.version);
    QCOMPARE(back->remarks, report.remarks);
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = cuptiTrialIfAsked(argc, argv))
        return *trial;
    TestCuptiTrial test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_cuptitrial.moc"
