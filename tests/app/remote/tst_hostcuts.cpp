// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/commandserver.h"
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

/// The first way to the board takes a second and leaves its process in a file; later ones are without delay.
QString slowAtFirst(const InstalledBoard &board, const QString &pidFile)
{
    const QString script = board.path("ssh-slow-at-first");
    testing::writeFile(script,
                       "#!/bin/sh\n[ -e " + pidFile.toUtf8() + " ] && exec " + board.path("ssh").toUtf8()
                           + " \"$@\"\necho $$ > " + pidFile.toUtf8() + "\nexec " JETSCOPE_LINKPROXY " --delay 1000 -- "
                           + board.path("ssh").toUtf8() + " \"$@\"\n",
                       true);
    return script;
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
        const QByteArray id = sockets.first().section('-', 1).section('@', 0, 0).toUtf8();
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

/// The server of a command, with a connection to it.
struct Keeper {
    Keeper(const InstalledBoard &board, const QString &id, const QString &alone = "60")
    {
        QProcessEnvironment environment = plainEnvironment();
        environment.insert("HOME", board.home());
        environment.insert("TMPDIR", board.path("tmp"));
        environment.remove("XDG_CACHE_HOME");
        process.setProcessEnvironment(environment);
        process.start(JETSCOPE_PROGRAM, {"serve", "--detached", "--command", id, "--alone", alone});
        m_place = board.cache() + "/command-" + id + "@";
    }
    ~Keeper()
    {
        process.kill();
        process.waitForFinished();
    }
    bool isThere()
    {
        return QTest::qWaitFor(
            [this] {
                const QFileInfo place(m_place);
                const QStringList found = place.dir().entryList({place.fileName() + "*"}, QDir::System);
                Result<FileDescriptor> connected =
                    connectTo(found.isEmpty() ? "" : place.dir().filePath(found.first()).toStdString());
                if (connected.ok())
                    socket = std::move(connected).value();
                return socket.isOpen();
            },
            20'000);
    }

    QProcess process;
    FileDescriptor socket;

private:
    QString m_place; ///< Of its socket, without the mark of the machine.
};

/// Whether such a message comes; those before it are dropped.
bool comes(MessagePipe &pipe, MessageKind kind)
{
    return QTest::qWaitFor(
        [&] {
            pipe.work();
            for (auto message = pipe.next(); message; message = pipe.next())
                if (message->kind == kind)
                    return true;
            return false;
        },
        20'000);
}

/// Until what comes beside messages has come.
template <class Condition>
bool waitFor(MessagePipe &pipe, Condition isMet)
{
    return QTest::qWaitFor([&] {
        pipe.work();
        while (pipe.next()) {}
        return isMet();
    });
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
                        "echo begun >>" + here.filePath("starts")
                            + "; i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); sleep 0.1; done"});
        QVERIFY2(outcome.code == 0 && outcome.err.contains("orin was away for "), outcome.describe());
        QStringList expected;
        for (int i = 0; i < 40; ++i)
            expected << QString("line %1").arg(i);
        QCOMPARE(outcome.out.split('\n', Qt::SkipEmptyParts).filter(QRegularExpression("^line ")), expected);
        QFile starts(here.filePath("starts"));
        QVERIFY(starts.open(QIODevice::ReadOnly));
        QCOMPARE(starts.readAll(), QByteArray("begun\n")); // Whoever joins again starts nothing again.
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
        QTRY_VERIFY_WITH_TIMEOUT(!isRunning(command), 20'000); // It ends its recording first.
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

    /// The goodbye is on its way when the connection is cut: it is said again.
    void theGoodbyeIsLost()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        QFile proxy(here.filePath("proxy"));
        FakeBoard::useSsh(slowAtFirst(board, proxy.fileName()));
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(JETSCOPE_PROGRAM, {"top", "--host", "orin", "--json", "--count", "3", "--interval", "0.1"});
        QByteArray printed;
        QTRY_VERIFY_WITH_TIMEOUT((printed += process.readAllStandardOutput()).count('\n') == 3, 40'000);
        QVERIFY(keeperOf(board) > 0);
        QVERIFY(proxy.open(QIODevice::ReadOnly));
        const pid_t pid = proxy.readAll().trimmed().toInt();
        QVERIFY(pid > 0);
        QVERIFY(!process.waitForFinished(300)); // The goodbye needs a second.
        ::kill(pid, SIGKILL);
        const Outcome outcome = outcomeOf(process);
        QVERIFY2(outcome.code == 0, outcome.describe());
        QTRY_COMPARE(keeperOf(board), 0);
        QTRY_COMPARE(board.leftOvers(), QStringList());
    }

    /// What the server of a command left that was killed goes when the next one starts; that of others stays.
    void whatKilledServersLeft()
    {
        const InstalledBoard board;
        Keeper killed(board, "dead");
        Keeper other(board, "beef");
        QVERIFY(killed.isThere() && other.isThere());
        const QDir cache(board.cache());
        const QString mark = "@" + cache.entryList({"command-beef*"}, QDir::System).value(0).section('@', 1);
        killed.process.kill();
        QVERIFY(killed.process.waitForFinished());
        testing::writeFile(cache.filePath("command-dead" + mark + ".lock"), "");
        testing::writeFile(cache.filePath("command-0dd" + mark + ".lock"), "");  // It never listened.
        testing::writeFile(cache.filePath("command-dead@of-another.log"), "hi"); // Its home folder is this one.
        Keeper next(board, "face");
        QVERIFY(next.isThere());
        QCOMPARE(cache.entryList({"command-*"}, QDir::System | QDir::Files, QDir::Name),
                 (QStringList{"command-beef" + mark, "command-beef" + mark + ".log", "command-dead@of-another.log",
                              "command-face" + mark, "command-face" + mark + ".log"}));
    }

    /// A command without a laptop ends after a time, with all that it left.
    void aloneTooLong()
    {
        const InstalledBoard board;
        Keeper keeper(board, "0123456789abcdef", "2");
        QVERIFY(keeper.isThere());
        {
            MessagePipe pipe(keeper.socket.get(), keeper.socket.get(), ownHello());
            pipe.send(RunCommand{1, {"top", "--json", "--interval", "0.1"}, "", {}});
            QVERIFY(comes(pipe, MessageKind::CommandOutput));
        }
        keeper.socket.reset();
        QVERIFY(keeper.process.waitForFinished(40'000));
        QCOMPARE(keeper.process.exitCode(), 0);
        QCOMPARE(board.leftOvers(), QStringList());
        QVERIFY(QDir(board.cache()).entryList({"command-*"}, QDir::System | QDir::Files).isEmpty());
    }

    void nothingIsWantedAnyMore_data()
    {
        QTest::addColumn<bool>("fetches");
        QTest::addRow("all is fetched") << true;
        QTest::addRow("a file is not fetched") << false;
    }
    /// A command that has ended, and of which the laptop has everything, waits for a twenty-fourth of the time.
    void nothingIsWantedAnyMore()
    {
        QFETCH(bool, fetches);
        const InstalledBoard board;
        Keeper keeper(board, "cafe", "72"); // A twenty-fourth: 3 s.
        QVERIFY(keeper.isThere());
        {
            MessagePipe pipe(keeper.socket.get(), keeper.socket.get(), ownHello());
            QVERIFY(waitFor(pipe, [&] { return pipe.hello().has_value(); }));
            const std::string path = pipe.hello()->features.back().substr(kFolderFeature.size()) + "/0-a.jscope";
            pipe.send(RunCommand{1,
                                 {"run", "--device", "soft:orin", "--source", "synthetic:?size=64x48", "--frames", "5",
                                  "--record", path},
                                 "",
                                 {}});
            QVERIFY(comes(pipe, MessageKind::CommandEnd));
            if (fetches)
                pipe.send(ReadFile{2, path});
            QVERIFY(!fetches || comes(pipe, MessageKind::FileEnd));
            pipe.send(Ping{1}); // Behind the pong to the server's own.
            QVERIFY(waitFor(pipe, [&] { return pipe.isAnswered(); }));
        }
        keeper.socket.reset();
        QCOMPARE(keeper.process.waitForFinished(fetches ? 20'000 : 8'000), fetches);
    }
};

JETSCOPE_TEST(tst_HostCuts)
#include "tst_hostcuts.moc"
