// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/progress.h"
#include "tests/core/remote/reach/fakeboard.h"
#include "tests/support/testprogram.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <csignal>
#include <random>

using namespace jetscope;
using namespace testing;

namespace {

/// Whether the board could not be reached, for a reason with these words, in one line.
bool failsWith(const Result<ReachedBoard> &result, const QStringList &words)
{
    if (result.ok())
        return false;
    const QString text = QString::fromStdString(result.error().message());
    bool hasAll = !text.contains('\n');
    for (const QString &word : words)
        hasAll = hasAll && text.contains(word);
    if (!hasAll)
        qWarning("%s", qPrintable(text));
    return hasAll;
}

/// Two megabytes that gzip cannot make smaller.
QByteArray randomBytes()
{
    QByteArray bytes(2'000'000, 0);
    std::mt19937 random(1);
    for (char &byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

} // namespace

class tst_ReachBoard : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }

    void usesTheInstalledOne()
    {
        FakeBoard board;
        writeFile(board.path("bin/jetscope"), FakeBoard::program(FakeBoard::build()), true);
        const Result<ReachedBoard> reached = reach();
        QVERIFY2(reached.ok(), reached.ok() ? "" : reached.error().text.c_str());
        QVERIFY(reached.value().report.start == BoardReport::Start::Installed);
        QVERIFY(answers(reached.value()));
        QVERIFY(!QFileInfo::exists(board.cache()));
    }

    /// It is brought once, with progress; then the one that is there is used.
    void bringsTheMatchingOne()
    {
        FakeBoard board;
        writeFile(board.path("bin/jetscope"), FakeBoard::program("0.0.1-abc"), true); // Of another build.
        std::vector<double> fractions;
        std::vector<ReachStep> steps;
        const ReachWish wish{{"serve", "--join", "7"}, {}, -1, [&](ReachStep step, double fraction) {
                                 steps.push_back(step);
                                 if (step == ReachStep::Copying)
                                     fractions.push_back(fraction);
                             }};
        const Result<ReachedBoard> brought = reach(wish);
        QVERIFY2(brought.ok(), brought.ok() ? "" : brought.error().text.c_str());
        QVERIFY(brought.value().report.start == BoardReport::Start::Brought);
        QCOMPARE(brought.value().report.installed, std::vector<std::string>{"0.0.1-abc"});
        QVERIFY(answers(brought.value(), "hello serve --join 7"));
        QVERIFY(!fractions.empty() && std::is_sorted(fractions.begin(), fractions.end()));
        QVERIFY(std::is_sorted(steps.begin(), steps.end()) && steps.back() == ReachStep::Started);
        QCOMPARE(board.cached(), QStringList{FakeBoard::serverFolder()});
        QVERIFY(QFileInfo(board.cache() + "/" + FakeBoard::serverFolder() + "/libjetscope-attach.so").size()
                == 300'000);

        qunsetenv("JETSCOPE_BOARDS"); // Nothing is needed any more.
        const Result<ReachedBoard> again = reach();
        QVERIFY(again.ok() && again.value().report.start == BoardReport::Start::Cached && answers(again.value()));
    }

    /// Machines with different processors may share a home folder.
    void takesNoneForAnotherProcessor()
    {
        FakeBoard board;
        writeFile(board.cache() + "/" + FakeBoard::build() + "-riscv64/jetscope", "of another processor", true);
        const Result<ReachedBoard> reached = reach();
        QVERIFY2(reached.ok(), reached.ok() ? "" : reached.error().text.c_str());
        QVERIFY(reached.value().report.start == BoardReport::Start::Brought);
        QVERIFY(answers(reached.value()));
    }

    void keepsTheLastTwo()
    {
        FakeBoard board;
        const QString own = "-" + FakeBoard::processor();
        for (const QString &old :
             {"0.1.0-aaa" + own, "0.10.0-bbb" + own, "0.1.0-ccc" + own, QString("0.1.0-aaa-riscv64")}) {
            writeFile(board.cache() + "/" + old + "/jetscope", "x");
            const QString stamp = old.startsWith("0.10") ? "202001020000" : "202001010000";
            QProcess::execute("touch", {"-t", stamp, board.cache() + "/" + old});
        }
        writeFile(board.cache() + "/notes/mine", "x"); // Not a server.
        writeFile(board.cache() + "/.part.1/server.tar.gz", "x");
        QProcess::execute("touch", {"-t", "202001010000", board.cache() + "/.part.1"});
        const Result<ReachedBoard> reached = reach();
        QVERIFY(reached.ok());
        QStringList wanted{"0.10.0-bbb" + own, "0.1.0-aaa-riscv64", FakeBoard::serverFolder(), "notes"};
        wanted.sort();
        QStringList found = board.cached();
        found.sort();
        QCOMPARE(found, wanted);
    }

    void takesNoOtherBuild()
    {
        FakeBoard board;
        board.makeServer(FakeBoard::program(FakeBoard::build()), {{"build", "0.0.9-abc"}});
        QVERIFY(failsWith(reach(), {"of another build", "jetscope-board-"}));
        QVERIFY(!QFileInfo::exists(board.cache()));
    }

    void saysWhatIsMissingHere()
    {
        FakeBoard board;
        QDir(board.path("boards")).removeRecursively();
        QVERIFY(
            failsWith(reach(), {"orin has no jetscope of this build", "./jetscope-board-", "./jetscope-headless_"}));
    }

    void findsDamage()
    {
        FakeBoard board;
        board.makeServer(FakeBoard::program(FakeBoard::build()), {{"sha256", QString(64, 'a')}});
        QVERIFY(failsWith(reach(), {"arrived damaged"}));
        QVERIFY(board.cached().isEmpty());
        board.makeServer(FakeBoard::program(FakeBoard::build()), {{"bytes", "17"}});
        QVERIFY(failsWith(reach(), {"is damaged"}));
    }

    /// What is in the archive must be what its text says, and run.
    void checksWhatItBrought()
    {
        FakeBoard board;
        board.makeServer(FakeBoard::program("0.0.9-abc"));
        QVERIFY(failsWith(reach(), {"(build)"}));
        board.makeServer("#!/bin/sh\necho 'error while loading shared libraries: libEGL.so.1' >&2; exit 127\n");
        QVERIFY(failsWith(reach(), {"does not run on orin", "libEGL.so.1"}));
        board.makeServer("#!/bin/no/such/shell\n");
        QVERIFY(failsWith(reach(), {"does not run on orin"}));
        QVERIFY(board.cached().isEmpty());
    }

    void otherMachines_data()
    {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("libc");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("processor") << "riscv64"
                                   << "glibc 2.35" << QStringList{"no board for Jetscope", "riscv64"};
        QTest::newRow("other server missing") << (QString(FakeBoard::kArchitecture) == "arm64" ? "x86_64" : "aarch64")
                                              << "glibc 2.35" << QStringList{"jetscope-board-"};
        QTest::newRow("old glibc") << ""
                                   << "glibc 2.16" << QStringList{"needs glibc 2.17 or newer", "has glibc 2.16"};
    }
    void otherMachines()
    {
        QFETCH(QString, machine);
        QFETCH(QString, libc);
        QFETCH(QStringList, words);
        FakeBoard board;
        const QString own = QSysInfo::currentCpuArchitecture() == "arm64" ? "aarch64" : "x86_64";
        writeFile(board.path("bin/uname"),
                  "#!/bin/sh\ncase $1 in -m) echo " + (machine.isEmpty() ? own : machine).toUtf8()
                      + ";; *) exec /bin/uname \"$@\";; esac\n",
                  true);
        writeFile(board.path("bin/getconf"), "#!/bin/sh\necho " + libc.toUtf8() + "\n", true);
        QVERIFY(failsWith(reach(), words));
        QVERIFY(!QFileInfo::exists(board.cache()));
    }

    void tooLittleRoom()
    {
        FakeBoard board;
        writeFile(board.path("bin/df"), "#!/bin/sh\necho head\necho /dev/sda1 100 98 2 98% /\n", true);
        QVERIFY(failsWith(reach(), {"too little room", "2 are free", "XDG_CACHE_HOME"}));
    }

    /// df may be wrong (a quota): the copy itself fails, and nothing is left.
    void diskFull()
    {
        FakeBoard board;
        writeFile(board.path("server/noise"), randomBytes());
        board.makeServer();
        FakeBoard::useSsh("sh -c 'ulimit -f 100; trap \"\" XFSZ; exec " + board.path("ssh") + " \"$@\"' sh");
        QVERIFY(failsWith(reach(), {"is there room?", "the board says"}));
        QVERIFY(board.cached().isEmpty());
    }

    void readOnlyHome()
    {
        FakeBoard board;
        writeFile(board.home() + "/.cache", "a file in place of the folder");
        QVERIFY(failsWith(reach(), {"cannot be written", "XDG_CACHE_HOME"}));
    }

    /// Where no program may run.
    void noexecHome()
    {
        FakeBoard board;
        if (QProcess::execute("unshare", {"-rm", "true"}) != 0)
            QSKIP("this machine allows no mount namespaces");
        FakeBoard::useSsh("unshare -rm sh -c 'mount -t tmpfs -o noexec,mode=777 none " + board.home() + " && exec "
                          + board.path("ssh") + " \"$@\"' sh");
        QVERIFY(failsWith(reach(), {"no program may run in", "noexec", "XDG_CACHE_HOME"}));
    }

    /// The command is read by the login shell of the board, whichever it is.
    void loginShells_data()
    {
        QTest::addColumn<QString>("shell");
        for (const char *shell : {"dash", "bash", "fish", "tcsh", "busybox"})
            QTest::newRow(shell) << QString(shell);
    }
    void loginShells()
    {
        QFETCH(QString, shell);
        const QString program = QStandardPaths::findExecutable(shell);
        if (program.isEmpty())
            QSKIP("this shell is not installed");
        FakeBoard board;
        const QString name = shell == "busybox" ? program + " sh" : program;
        testing::writeFile(board.path("login"),
                           "#!/bin/sh\nfor last; do :; done\nexport HOME=" + board.home().toUtf8()
                               + "\nunset XDG_CACHE_HOME\nexec " + name.toUtf8() + " -c \"$last\"\n",
                           true);
        FakeBoard::useSsh(board.path("login"));
        const Result<ReachedBoard> reached = reach();
        QVERIFY2(reached.ok(), reached.ok() ? "" : reached.error().text.c_str());
        QVERIFY(answers(reached.value()));
    }

    /// A board with nothing but busybox and a C library.
    void busyboxTools()
    {
        const QString busybox = QStandardPaths::findExecutable("busybox");
        if (busybox.isEmpty())
            QSKIP("busybox is not installed");
        FakeBoard board;
        QProcess list;
        list.start(busybox, {"--list"});
        QVERIFY(list.waitForFinished());
        for (const QString &tool : QString::fromUtf8(list.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts))
            QFile::link(busybox, board.path("bin/" + tool));
        testing::writeFile(board.path("login"),
                           "#!/bin/sh\nfor last; do :; done\nexport HOME=" + board.home().toUtf8() + " PATH="
                               + board.path("bin").toUtf8() + "\nunset XDG_CACHE_HOME\nexec sh -c \"$last\"\n",
                           true);
        FakeBoard::useSsh(board.path("login"));
        const Result<ReachedBoard> reached = reach();
        QVERIFY2(reached.ok(), reached.ok() ? "" : reached.error().text.c_str());
        QVERIFY(reached.value().report.start == BoardReport::Start::Brought && answers(reached.value()));
        QVERIFY(reached.value().report.libc.starts_with("glibc "));
    }

    void noise()
    {
        FakeBoard board;
        FakeBoard::useSsh("sh -c 'echo Welcome to the lab; echo banner >&2; exec " + board.path("ssh") + " \"$@\"' sh");
        const Result<ReachedBoard> reached = reach();
        QVERIFY(reached.ok() && answers(reached.value()));
    }

    void whatIsNoBoard_data()
    {
        QTest::addColumn<QString>("ssh");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("no ssh") << "/no/ssh" << QStringList{"no shell"};
        QTest::newRow("ends at once") << "true" << QStringList{"ran no command (exit code 0)"};
        QTest::newRow("says goodbye") << "sh -c 'echo Only git here.; exit 1' sh" << QStringList{"Only git here."};
        QTest::newRow("error of ssh") << "sh -c 'echo Connection refused >&2; exit 255' sh"
                                      << QStringList{"no ssh server answers", "ssh says: Connection refused"};
        QTest::newRow("endless noise") << "sh -c yes sh" << QStringList{"more than 64 KiB"};
        QTest::newRow("hostile") << "sh -c 'echo jetscope-board 1; echo start evil' sh"
                                 << QStringList{"is not understood"};
        QTest::newRow("cut in the report")
            << "sh -c 'echo jetscope-board 1; echo host a; exit 255' sh" << QStringList{"was cut"};
        QTest::newRow("takes nothing") << "sh -c 'echo jetscope-board 1; echo machine " + ownMachine()
                + "; echo system Linux; echo libc glibc 2.36; echo start nothing; exec <&-; exit 255' sh"
                                       << QStringList{"was cut"};
    }
    void whatIsNoBoard()
    {
        QFETCH(QString, ssh);
        QFETCH(QStringList, words);
        FakeBoard board;
        FakeBoard::useSsh(ssh);
        QVERIFY(failsWith(reach(), words));
    }

    /// A link that is slow, dribbles or is cut.
    void badLinks()
    {
        FakeBoard board;
        const QString proxy = JETSCOPE_LINKPROXY;
        FakeBoard::useSsh(proxy + " --cut-bytes 60 -- " + board.path("ssh"));
        QVERIFY(failsWith(reach(), {"was cut"}));
        FakeBoard::useSsh(proxy + " --delay 20 --bits 2000000 --dribble 1 -- " + board.path("ssh"));
        const Result<ReachedBoard> reached = reach();
        QVERIFY2(reached.ok(), reached.ok() ? "" : reached.error().text.c_str());
        QVERIFY(answers(reached.value()));
    }

    /// A cut while the server is copied leaves no half of it, and the next try begins anew.
    void cutWhileCopying()
    {
        FakeBoard board;
        writeFile(board.path("server/noise"), randomBytes());
        board.makeServer();
        const QString proxy = JETSCOPE_LINKPROXY;
        FakeBoard::useSsh(proxy + " --bits 4000000 --cut-ms 1000 -- " + board.path("ssh"));
        QVERIFY(failsWith(reach(), {"was cut"}));
        QTRY_VERIFY_WITH_TIMEOUT(board.cached().isEmpty(), 10'000);
        FakeBoard::useSsh(board.path("ssh"));
        const Result<ReachedBoard> reached = reach();
        QVERIFY(reached.ok() && answers(reached.value()));
    }

    void canBeCancelled()
    {
        FakeBoard board;
        FakeBoard::useSsh("sleep 1000; :");
        int ends[2];
        QCOMPARE(pipe(ends), 0);
        QCOMPARE(write(ends[1], "x", 1), ssize_t{1});
        const Result<ReachedBoard> reached = reach({{"serve"}, {}, ends[0], {}});
        QVERIFY(!reached.ok() && wasCancelled(reached.error()));
        close(ends[0]);
        close(ends[1]);
    }

    void sshIsNotInstalled()
    {
        FakeBoard board;
        qunsetenv("JETSCOPE_SSH");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", board.path("bin").toUtf8());
        const Result<ReachedBoard> reached = reach();
        qputenv("PATH", path);
        QVERIFY(failsWith(reached, {"openssh-client"}));
    }

private:
    static QString ownMachine() { return QString(FakeBoard::kArchitecture) == "arm64" ? "aarch64" : "x86_64"; }
};

JETSCOPE_TEST(tst_ReachBoard)
#include "tst_reachboard.moc"
