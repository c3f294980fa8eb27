// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/messagepipe.h"
#include "gpu/remote/detachedprocess.h"
#include "tests/app/program.h"
#include "tests/app/remote/installedboard.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <csignal>

using namespace jetscope;
using testing::FakeBoard;
using testing::InstalledBoard;

namespace {

QStringList frames(const QStringList &command, const QString &count)
{
    return command + QStringList{"--device", "soft:orin", "--source", "synthetic:?size=64x48", "--frames", count};
}

/// It goes on until it is ended.
QStringList endless(const QStringList &command)
{
    return frames(command, "4000000000");
}

QString overProxy(const InstalledBoard &board, const QString &options)
{
    return QString(JETSCOPE_LINKPROXY) + " " + options + " -- " + board.path("ssh");
}

QByteArray incompressible(int size)
{
    QRandomGenerator random(1);
    QByteArray bytes;
    while (bytes.size() < size)
        bytes += static_cast<char>('0' + random.bounded(64));
    return bytes;
}

/// The process that keeps the only command of the board; 0: there is none.
pid_t keeperOf(const InstalledBoard &board)
{
    const QStringList sockets = QDir(board.cache()).entryList({"command-*"}, QDir::System | QDir::Files);
    for (const QString &pid : QDir("/proc").entryList(QDir::Dirs)) {
        QFile file("/proc/" + pid + "/cmdline");
        if (pid.toInt() <= 0 || sockets.isEmpty() || !file.open(QIODevice::ReadOnly))
            continue;
        const QList<QByteArray> words = file.readAll().split('\0');
        const QByteArray id = sockets.first().section('-', 1).section('.', 0, 0).toUtf8();
        if (words.contains("--detached") && words.contains(id))
            return pid.toInt();
    }
    return 0;
}

/// The processes that a process started.
QStringList childrenOf(pid_t pid)
{
    QFile file(QString("/proc/%1/task/%1/children").arg(pid));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(' ', Qt::SkipEmptyParts)
                                          : QStringList();
}

bool isRunning(const QString &pid)
{
    QFile file("/proc/" + pid + "/cmdline");
    return file.open(QIODevice::ReadOnly) && !file.readAll().isEmpty();
}

/// What ssh is, as long as a file is not there; then there is no way to the board.
QString sshUnless(const InstalledBoard &board, const QString &gone, const QString &options)
{
    const QString script = board.path("ssh-or-not");
    testing::writeFile(script,
                       "#!/bin/sh\n[ -e " + gone.toUtf8() + " ] && exit 255\nexec " + overProxy(board, options).toUtf8()
                           + " \"$@\"\n",
                       true);
    return script;
}

} // namespace

/// Commands over a link that is cut.
class tst_HostCuts : public QObject {
    Q_OBJECT

private slots:
    void aRunGoesOn()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const QString path = here.filePath("run.jscope");
        FakeBoard::useSsh(overProxy(board, "--cut-ms 700"));
        const Outcome outcome =
            runProgram({"run", "--host", "orin", "--device", "soft:orin", "--source", "synthetic:?size=1280x720",
                        "--filters", "gaussian15", "--frames", "600", "--json", "--record", path});
        QVERIFY2(outcome.code == 0, outcome.describe());
        QCOMPARE(outcome.json()["frames"].toInt(), 600);
        QVERIFY2(outcome.err.contains("orin was away for "), outcome.describe());
        const Outcome query = runProgram({"query", path, "SELECT count(*) FROM frames"});
        QCOMPARE(query.out.trimmed(), QString("600"));
        QTRY_COMPARE(board.leftOvers(), QStringList());
        QCOMPARE(keeperOf(board), 0);
    }

    void aSweepIsWhole()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const QString path = here.filePath("sweep.jscope");
        FakeBoard::useSsh(overProxy(board, "--cut-ms 1200"));
        const Outcome outcome = runProgram(
            {"sweep",    "--host",           "orin",     "--device", "soft:orin", "--source", "synthetic:?size=64x48",
             "--memory", "pinned,zero-copy", "--output", "eglimage", "--sync",    "event",    "--wait",
             "auto",     "--rounds",         "6",        "--time",   "300",       "--out",    path,
             "--json"});
        QVERIFY2(outcome.code == 0 && !outcome.json().isEmpty(), outcome.describe());
        QVERIFY2(outcome.err.contains("orin was away for "), outcome.describe());
        const Outcome report = runProgram({"report", path, "--json"});
        QVERIFY2(report.code == 0, report.describe());
    }

    /// Nothing of what a command prints is missing, or comes twice.
    void whatItPrintsIsWhole()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        FakeBoard::useSsh(overProxy(board, "--cut-ms 1000"));
        const Outcome outcome =
            runProgram({"attach", "--host", "orin", "--json", here.filePath("a.json"), "--", "sh", "-c",
                        "i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); sleep 0.1; done"});
        QVERIFY2(outcome.code == 0 && outcome.err.contains("orin was away for "), outcome.describe());
        QStringList expected;
        for (int i = 0; i < 40; ++i)
            expected << QString("line %1").arg(i);
        QCOMPARE(outcome.out.split('\n', Qt::SkipEmptyParts).filter(QRegularExpression("^line ")), expected);
    }

    void topGoesOn()
    {
        const InstalledBoard board;
        FakeBoard::useSsh(overProxy(board, "--cut-ms 1200"));
        const Outcome outcome =
            runProgram({"top", "--host", "a", "--host", "b", "--json", "--count", "12", "--interval", "0.3"});
        QVERIFY2(outcome.code == 0, outcome.describe());
        QCOMPARE(outcome.out.count("{\"board\":\"a\""), 12);
        QCOMPARE(outcome.out.count("{\"board\":\"b\""), 12);
        QVERIFY2(outcome.err.contains("a was away for "), outcome.describe());
    }

    /// Files go on where they were: no connection carries one as a whole.
    void filesGoOn()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const QString large = here.filePath("large.json");
        testing::writeFile(large, incompressible(900'000));
        FakeBoard::useSsh(overProxy(board, "--bits 2000000 --cut-ms 1200"));
        const Outcome sent = runProgram({"probe", "--host", "orin", "--from", large});
        QVERIFY2(sent.code != 0 && sent.err.contains("orin was away for ") && sent.err.contains(large),
                 sent.describe());
        const QString path = here.filePath("run.jscope");
        FakeBoard::useSsh(overProxy(board, "--cut-bytes 300000"));
        const Outcome fetched = runProgram(frames({"run", "--host", "orin", "--record", path}, "3000"));
        QVERIFY2(fetched.code == 0, fetched.describe());
        QVERIFY(QFileInfo(path).size() > 600'000);
        const Outcome query = runProgram({"query", path, "SELECT count(*) FROM frames"});
        QCOMPARE(query.out.trimmed(), QString("3000"));
    }

    /// A command that is gone is said, with the remedy; there is no half of a file.
    void aCommandThatIsGone()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(JETSCOPE_PROGRAM, endless({"run", "--host", "orin", "--record", here.filePath("a.jscope")}));
        QTRY_VERIFY_WITH_TIMEOUT(keeperOf(board) > 0, 20'000);
        const pid_t keeper = keeperOf(board);
        QVERIFY(keeper > 0); // A kill of 0 would be one of all.
        QTRY_COMPARE(childrenOf(keeper).size(), qsizetype(1));
        const QString command = childrenOf(keeper).first();
        ::kill(keeper, SIGKILL);
        const Outcome outcome = outcomeOf(process);
        QVERIFY2(outcome.finished && outcome.code == 1, outcome.describe());
        QVERIFY2(outcome.err.contains("is not there any more: give it again"), outcome.describe());
        QVERIFY(QDir(here.path()).isEmpty());
        QTRY_VERIFY(!isRunning(command));
    }

    void ctrlCWhileItIsAway()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const QString gone = here.filePath("gone");
        FakeBoard::useSsh(sshUnless(board, gone, "--cut-ms 3000"));
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(JETSCOPE_PROGRAM, endless({"run", "--host", "orin"}));
        QTRY_VERIFY_WITH_TIMEOUT(keeperOf(board) > 0, 20'000);
        testing::writeFile(gone, "");
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("orin is away, its command goes on"),
                                 20'000);
        const pid_t keeper = keeperOf(board);
        QVERIFY(keeper > 0);
        const QStringList commands = childrenOf(keeper);
        QCOMPARE(commands.size(), qsizetype(1));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20'000));
        said += process.readAllStandardError();
        QVERIFY2(process.exitCode() == 1 && said.contains("cannot be told to end its command"), said);
        ::kill(keeper, SIGTERM); // It would wait for two hours.
        QTRY_VERIFY(!isRunning(commands.first()));
    }

    /// A command without a laptop ends after a time, with all that it left.
    void aloneTooLong()
    {
        const InstalledBoard board;
        const QString id = "0123456789abcdef";
        QProcess server;
        QProcessEnvironment environment = plainEnvironment();
        environment.insert("HOME", board.home());
        environment.insert("TMPDIR", board.path("tmp"));
        environment.remove("XDG_CACHE_HOME");
        server.setProcessEnvironment(environment);
        server.start(JETSCOPE_PROGRAM, {"serve", "--detached", "--command", id, "--alone", "2"});
        const std::string path = (board.cache() + "/command-" + id).toStdString();
        Result<FileDescriptor> socket = connectTo(path);
        QTRY_VERIFY_WITH_TIMEOUT((socket = connectTo(path)).ok(), 20'000);
        {
            MessagePipe pipe(socket.value().get(), socket.value().get(), ownHello());
            pipe.send(RunCommand{1, {"top", "--json", "--interval", "0.1"}, "", {}});
            bool hasPrinted = false;
            QTRY_VERIFY_WITH_TIMEOUT(
                [&] {
                    pipe.work();
                    while (const auto message = pipe.next())
                        hasPrinted = hasPrinted || message->kind == MessageKind::CommandOutput;
                    return hasPrinted;
                }(),
                20'000);
        }
        socket.value().reset();
        QVERIFY(server.waitForFinished(40'000));
        QCOMPARE(server.exitCode(), 0);
        QCOMPARE(board.leftOvers(), QStringList());
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
    }
};

JETSCOPE_TEST(tst_HostCuts)
#include "tst_hostcuts.moc"
