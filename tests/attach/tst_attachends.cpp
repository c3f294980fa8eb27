// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/ringreader.h"
#include "gpu/attach/host/attachedprogram.h"
#include "gpu/attach/host/leftprocesses.h"
#include "gpu/attach/host/programrecording.h"
#include "startedprogram.h"
#include "tests/support/testprogram.h"

#include <thread>

/// Either side ends before the other, or its disk is full: the program is never disturbed.
class AttachEndsTest : public QObject {
    Q_OBJECT

private slots:
    void programOutlivesAKilledCollector();
    void programOutlivesAStoppedCollector();
    void killedProgramLeavesItsRecords();
    void saysWhichCallDidNotReturn();
    void passesSignalsOn();
    void passesEverySignalOn_data();
    void passesEverySignalOn();
    void passesSignalsOnFromItsStart();
    void recordsWhatTheProgramLeaves_data();
    void recordsWhatTheProgramLeaves();
    void leavesSilentProcesses();
    void endsForTheUserBehindTheProgram();
    void leavesOtherProcessesWithOnlyProgram();
    void looksAtProcessesThatEnd();
    void knowsThePlacesOfAProgramThatHasEnded();
    void survivesAFullDisk();
    void refusesSmallFiles();
};

void AttachEndsTest::programOutlivesAKilledCollector()
{
    QTemporaryDir folder;
    const QString log = folder.filePath("log");
    Started run(
        {"/bin/sh", "-c", QString("echo begun; read word; %1 linked 20000 >%2; echo $? >>%2").arg(PROGRAM_LAZY, log)});
    QVERIFY(run.printed("begun"));
    run.process.kill(); // Which also ends the shell's input, so that it goes on.
    QVERIFY(run.ends());
    QByteArray logged;
    QVERIFY2(happens([&] {
                 QFile file(log);
                 logged = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
                 return logged.endsWith("42\n");
             }),
             logged);
    QVERIFY2(logged.startsWith("eglSwapBuffers 20000\n"), logged);
}

void AttachEndsTest::programOutlivesAStoppedCollector()
{
    Started run({"/bin/sh", "-c", QString("echo begun; read word; %1 linked 1000000; echo done").arg(PROGRAM_LAZY)});
    QVERIFY(run.printed("begun"));
    run.send(SIGSTOP);
    run.process.write("go\n");
    QVERIFY2(run.printed("done"), run.out.toUtf8()); // While nothing reads the rings.
    QVERIFY(run.out.contains("eglSwapBuffers 1000000"));
    run.send(SIGCONT);
    QVERIFY(run.ends());
    const QJsonObject json = run.json();
    QVERIFY2(json["lost"]["calls"].toInteger() > 0, QJsonDocument(json).toJson());
    // Exact although most have no record.
    QCOMPARE(json["calls"]["eglSwapBuffers"].toInteger(), 1'000'000);
    QCOMPARE(json["calls"]["glDrawArrays"].toInteger(), 3'000'000);
    QCOMPARE(json["calls"]["glTexImage2D"].toInteger(), 100'000);
    QCOMPARE(json["counted"].toInteger(), 2'200'000);
    QCOMPARE(json["recorded"].toInteger() + json["lost"]["calls"].toInteger(), 2'200'000);
    qint64 ofThreads = 0;
    for (const QJsonValue thread : json["threads"].toArray()) {
        QCOMPARE(thread["recorded"].toInteger() + thread["lost"].toInteger(), thread["counted"].toInteger());
        ofThreads += thread["counted"].toInteger();
    }
    QCOMPARE(ofThreads, 2'200'000);
    for (const QJsonValue finding : json["findings"].toArray())
        QCOMPARE(finding["grade"].toString(), "unknown");
    for (const QJsonValue check : json["checks"].toArray())
        QVERIFY(!check["checked"].toBool());
}

void AttachEndsTest::killedProgramLeavesItsRecords()
{
    Started run({PROGRAM_LAZY, "pause", "500"});
    QVERIFY(run.printed("eglSwapBuffers 500"));
    QVERIFY(happens([&] { return !childrenOf(run.process.processId()).isEmpty(); }));
    ::kill(childrenOf(run.process.processId()).front(), SIGKILL);
    QVERIFY(run.ends());
    QCOMPARE(run.process.exitCode(), 128 + SIGKILL);
    const QJsonObject json = run.json();
    QCOMPARE(json["exit_signal"].toInt(), SIGKILL);
    QCOMPARE(json["frames"].toInt(), 500);
    QCOMPARE(rowsOf(run.capture(), "SELECT count(*) FROM frames"), QStringList{"500"});
}

/// As with Ctrl-C, which goes to the program first.
void AttachEndsTest::saysWhichCallDidNotReturn()
{
    Started run({PROGRAM_CUDA, MOCK_CUDA, "hang", "10"});
    QVERIFY(run.printed("waiting")); // By the call itself.
    run.send(SIGINT);
    QVERIFY(run.ends());
    QCOMPARE(run.process.exitCode(), 128 + SIGINT);
    const QJsonObject json = run.json();
    QCOMPARE(json["exit_signal"].toInt(), SIGINT);
    QCOMPARE(json["calls"]["cuLaunchKernel"].toInt(), 10);
    const QString note = json["notes"].toArray().first().toString();
    QVERIFY2(note.startsWith("cuStreamSynchronize of thread ") && note.contains("had not returned"), qPrintable(note));
}

void AttachEndsTest::passesSignalsOn()
{
    Started run({"/bin/sh", "-c", "trap 'echo got it; exit 5' TERM; echo begun; while :; do sleep 0.01; done"});
    QVERIFY(run.printed("begun"));
    run.send(SIGTERM);
    QVERIFY(run.printed("got it"));
    QVERIFY(run.ends());
    QCOMPARE(run.process.exitCode(), 5);
    QCOMPARE(run.json()["exit"].toInt(), 5);
}

void AttachEndsTest::passesEverySignalOn_data()
{
    QTest::addColumn<int>("signal");
    for (const int signal : {SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGRTMIN, SIGRTMIN + 5, SIGRTMAX})
        QTest::addRow("%d", signal) << signal;
}

/// Each of them would end Jetscope by default and leave the program without it.
void AttachEndsTest::passesEverySignalOn()
{
    QFETCH(int, signal);
    Started run({"/bin/sh", "-c", "echo begun; while :; do sleep 0.01; done"});
    QVERIFY(run.printed("begun"));
    run.send(signal);
    QVERIFY(run.ends());
    QCOMPARE(run.process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(run.process.exitCode(), 128 + signal);
    QCOMPARE(run.json()["exit_signal"].toInt(), signal);
}

/// A thread of Jetscope may catch a signal before the thread that starts the program knows its number.
void AttachEndsTest::passesSignalsOnFromItsStart()
{
    for (int turn = 0; turn < 5; ++turn) {
        std::thread sender([&] {
            struct sigaction action {};
            do {
                sigaction(SIGUSR1, nullptr, &action);
            } while ((action.sa_flags & SA_SIGINFO) == 0); // Until the start begins to catch signals.
            ::kill(getpid(), SIGUSR1);
        });
        const auto program = jetscope::AttachedProgram::start({"/bin/sleep", {"sleep", "60"}, "", ""});
        sender.join();
        QVERIFY2(program.ok(), program.ok() ? "" : program.error().message().c_str());
        QTRY_VERIFY_WITH_TIMEOUT(program.value()->ended(), 30'000);
        QCOMPARE(program.value()->ended()->signal, SIGUSR1);
    }
}

void AttachEndsTest::recordsWhatTheProgramLeaves_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("frames");
    QTest::newRow("daemon") << QStringList{PROGRAM_LAZY, "daemon", "200"} << 0 << 201;
    QTest::newRow("launcher") << QStringList{"/bin/sh", "-c",
                                             QString("(sleep 0.3; exec %1 linked 300) & exit 3").arg(PROGRAM_LAZY)}
                              << 3 << 300;
}

void AttachEndsTest::recordsWhatTheProgramLeaves()
{
    QFETCH(QStringList, command);
    QFETCH(int, code);
    QFETCH(int, frames);
    Started run(command);
    QVERIFY(run.ends());
    QCOMPARE(run.process.exitCode(), code); // Of the first process.
    const QJsonObject json = run.json();
    QCOMPARE(json["exit"].toInt(), code);
    QVERIFY2(json["calls"]["eglSwapBuffers"].toInt() == frames, QJsonDocument(json).toJson());
    // It takes three swaps to say that the frames are now those of another process.
    QVERIFY2(json["frames"].toInt() >= frames - 2, QJsonDocument(json).toJson());
    const QString note = json["notes"].toArray().last().toString();
    QVERIFY2(note.contains(" that it left: ") && note.endsWith("had ended, too"), QJsonDocument(json).toJson());
}

namespace {

/// A process that a program left, by the number that the program printed. Ends it.
struct Left {
    pid_t pid;

    explicit Left(const QString &out) : pid(out.trimmed().toInt()) {}
    ~Left()
    {
        if (pid > 0)
            ::kill(pid, SIGKILL);
    }
    bool runs() const { return pid > 0 && ::kill(pid, 0) == 0; }
};

} // namespace

/// A program may start a server that runs for ever and makes no call.
void AttachEndsTest::leavesSilentProcesses()
{
    Started run({"/bin/sh", "-c", QString("%1 linked 5 >/dev/null; sleep 1000 & echo $!; exit 4").arg(PROGRAM_LAZY)});
    QVERIFY(run.printed("\n"));
    const Left left(run.out);
    QVERIFY(run.ends());
    QVERIFY(left.runs());
    QCOMPARE(run.process.exitCode(), 4);
    const QJsonObject json = run.json();
    QCOMPARE(json["frames"].toInt(), 5);
    const QString note = json["notes"].toArray().last().toString();
    QVERIFY2(note.endsWith("until no call was made for 5 s"), note.toUtf8());
}

void AttachEndsTest::endsForTheUserBehindTheProgram()
{
    Started run({"/bin/sh", "-c", QString("echo begun; exec %1 daemon 10000").arg(PROGRAM_LAZY)});
    QVERIFY(run.printed("begun"));
    QVERIFY(happens([&] { return childrenOf(run.process.processId()).isEmpty(); }));
    run.send(SIGINT);
    QVERIFY(run.ends());
    QCOMPARE(run.process.exitCode(), 0);
    const QJsonObject json = run.json();
    for (const QJsonValue thread : json["threads"].toArray())
        ::kill(thread["pid"].toInt(), SIGKILL);
    const QString note = json["notes"].toArray().last().toString();
    QVERIFY2(note.endsWith("recording went on"), QJsonDocument(json).toJson());
}

void AttachEndsTest::leavesOtherProcessesWithOnlyProgram()
{
    const Outcome run = runProgram({"attach", "--only-program", "--", "/bin/sh", "-c", "sleep 1000 & echo $!; exit 4"});
    const Left left(run.out);
    QVERIFY2(run.code == 4 && left.runs(), run.describe());
    QVERIFY2(!run.err.contains("that it left"), run.describe());
}

/// Files of a process cannot be read any more when it ends between opening and reading.
void AttachEndsTest::looksAtProcessesThatEnd()
{
    jetscope::Result<jetscope::AttachMemory> memory = jetscope::AttachMemory::create(0);
    QVERIFY(memory.ok());
    const jetscope::RingReader reader(memory.value());
    jetscope::LeftProcesses left(memory.value().address());
    QProcess many;
    many.start("/bin/sh", {"-c", "i=0; while [ $i -lt 1000 ]; do (:) & (:) & wait; i=$((i+1)); done"});
    QVERIFY(many.waitForStarted());
    while (!many.waitForFinished(0) && many.state() != QProcess::NotRunning)
        QVERIFY(left.find(reader).empty());
    QCOMPARE(many.exitCode(), 0);
}

/// The collector first looks behind the program's end, as on a busy machine with a short program.
void AttachEndsTest::knowsThePlacesOfAProgramThatHasEnded()
{
    using namespace jetscope;
    RecordingWish wish;
    wish.program.file = PROGRAM_LAZY;
    wish.program.command = {PROGRAM_LAZY, "linked", "300"};
    wish.program.library = ATTACH_LIBRARY;
    wish.program.apart = true;
    const Result<std::unique_ptr<ProgramRecording>> recording = ProgramRecording::create(std::move(wish));
    QVERIFY(recording.ok());
    const Status started = recording.value()->start({});
    QVERIFY2(started.ok(), started.ok() ? "" : started.error().message().c_str());
    QTRY_VERIFY_WITH_TIMEOUT(recording.value()->ended(), 30'000);
    recording.value()->take(true);
    const std::vector<WasteFinding> findings = recording.value()->recorder().findings();
    const auto finish =
        std::find_if(findings.begin(), findings.end(), [](const auto &one) { return one.what == "finish-per-frame"; });
    QVERIFY(finish != findings.end());
    QCOMPARE(finish->sites.size(), 1u);
    QCOMPARE(QString::fromStdString(finish->sites[0].place.file), QFileInfo(PROGRAM_LAZY).canonicalFilePath());
    QCOMPARE(recording.value()->reader().threads().size(), 1u); // Where its code is, is no thread.
}

void AttachEndsTest::survivesAFullDisk()
{
    QTemporaryDir folder;
    if (runPlain({"mount", "-t", "tmpfs", "-o", "size=1m", "none", folder.path()}).code != 0)
        QSKIP("a small disk cannot be mounted here");
    const Outcome run =
        runProgram({"attach", "--record", folder.filePath("a.jscope"), "--", PROGRAM_LAZY, "linked", "100000"});
    const QStringList rows = rowsOf(folder.filePath("a.jscope"), "SELECT count(*) > 0 FROM lanes");
    runPlain({"umount", folder.path()});
    QCOMPARE(run.code, 42);
    QVERIFY2(run.out.contains("eglSwapBuffers 100000\n"), run.describe());
    QVERIFY2(run.err.contains("the recording ended early") && run.err.contains("full"), run.describe());
    QCOMPARE(rows, QStringList{"1"}); // What was written before remains readable.
}

void AttachEndsTest::refusesSmallFiles()
{
    QTemporaryDir folder;
    const Outcome run =
        runShell(QString("ulimit -f 600; exec \"$0\" attach --record %1/a.jscope --json %1/a.json -- %2")
                     .arg(folder.path(), PROGRAM_LAZY));
    QCOMPARE(run.code, 1);
    QVERIFY2(run.oneSentence() && run.err.contains("ulimit -f"), run.describe());
    QVERIFY(QDir(folder.path()).isEmpty());
}

JETSCOPE_TEST(AttachEndsTest)
#include "tst_attachends.moc"
