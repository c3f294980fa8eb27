// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/remote/reach/sshserver.h"
#include "tests/support/longrun.h"
#include "tests/support/testprogram.h"

#include <csignal>

using namespace jetscope;
using namespace testing;

namespace {

QString textOf(const Result<ReachedBoard> &result)
{
    return result.ok() ? QString("reached") : QString::fromStdString(result.error().message());
}

} // namespace

/// Over the real ssh, to a real server of ssh.
class tst_SshBoard : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!SshServer::isInstalled())
            QSKIP("openssh-server is not installed");
        std::signal(SIGPIPE, SIG_IGN);
    }

    void bringsTheServerOverSsh()
    {
        FakeBoard board;
        SshServer server;
        QVERIFY2(server.isUp(), qPrintable(server.said()));
        const Result<ReachedBoard> brought = reach({{"serve"}, {}, -1, {}}, "orin");
        QVERIFY2(brought.ok(), qPrintable(textOf(brought) + server.said()));
        QVERIFY(brought.value().report.start == BoardReport::Start::Brought);
        QCOMPARE(brought.value().report.folder, (server.path("cache") + "/jetscope").toStdString());
        QVERIFY(answers(brought.value()));
        const Result<ReachedBoard> again = reach({{"serve"}, {}, -1, {}}, "orin");
        QVERIFY(again.ok() && again.value().report.start == BoardReport::Start::Cached && answers(again.value()));
    }

    void errorsOfSsh_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("key") << "key"
                             << "ssh-copy-id orin";
        QTest::newRow("other host key") << "other host"
                                        << "ssh-keygen -R orin";
        QTest::newRow("unknown host") << "unknown host"
                                      << "is not known yet";
        QTest::newRow("refused") << "refused"
                                 << "no ssh server answers";
        QTest::newRow("configuration") << "configuration"
                                       << "does not understand its configuration";
        QTest::newRow("no command") << "no command"
                                    << "The system is going down";
    }
    void errorsOfSsh()
    {
        QFETCH(QString, what);
        QFETCH(QString, words);
        FakeBoard board;
        SshServer server(what == "no command" ? "ForceCommand echo The system is going down; exit 4\n" : "");
        QVERIFY2(server.isUp(), qPrintable(server.said()));
        if (what == "key")
            server.writeConfig("other_user");
        else if (what == "configuration")
            server.writeConfig("user", "NoSuchOption yes\n");
        else if (what == "other host")
            server.knowHost("other_host");
        else if (what == "unknown host")
            server.knowNoHost();
        else if (what == "refused")
            server.stop();
        const QString text = textOf(reach({{"serve"}, {}, -1, {}}, "orin"));
        QVERIFY2(text.contains(words), qPrintable(text));
    }

    void unknownName()
    {
        FakeBoard board;
        SshServer server;
        const QString text = textOf(reach({{"serve"}, {}, -1, {}}, "me@no-such-board.invalid"));
        QVERIFY2(text.contains("is not known here"), qPrintable(text));
    }

    /// What a server and a login print beside the answer.
    void bannerAndNoise()
    {
        FakeBoard board;
        QTemporaryDir folder;
        writeFile(folder.filePath("banner"), "Only for authorized users!\n");
        SshServer server("Banner " + folder.filePath("banner").toUtf8()
                         + "\nForceCommand echo Hello from .bashrc; eval \"$SSH_ORIGINAL_COMMAND\"\n");
        QVERIFY2(server.isUp(), qPrintable(server.said()));
        const Result<ReachedBoard> reached = reach({{"serve"}, {}, -1, {}}, "orin");
        QVERIFY2(reached.ok(), qPrintable(textOf(reached)));
        QVERIFY(answers(reached.value()));
        QVERIFY(QString::fromStdString(reached.value().end->said()).contains("authorized"));
    }

    /// A board that is cut off is noticed by ssh itself.
    void linkThatFreezes()
    {
        JETSCOPE_SKIP_UNLESS_LONG();
        FakeBoard board;
        SshServer server;
        QVERIFY2(server.isUp(), qPrintable(server.said()));
        const QByteArray proxy = JETSCOPE_LINKPROXY;
        server.writeConfig("user",
                           "Host orin\n ProxyCommand " + proxy + " --freeze-ms 3000 --port "
                               + QByteArray::number(server.port()) + "\n");
        const Result<ReachedBoard> reached = reach({{"serve"}, {}, -1, {}}, "orin");
        QVERIFY2(reached.ok(), qPrintable(textOf(reached)));
        const std::optional<int> code = reached.value().end->waitForEnd(std::chrono::seconds(40));
        QCOMPARE(code, std::optional<int>(255));
        const QString said = QString::fromStdString(reached.value().end->said());
        QVERIFY2(said.contains("not responding"), qPrintable(said));
    }

    /// A link of 4 Mbit/s and 40 ms that is cut and comes back.
    void cutsAndSlowLinks()
    {
        FakeBoard board;
        SshServer server;
        QVERIFY2(server.isUp(), qPrintable(server.said()));
        const QByteArray proxy = JETSCOPE_LINKPROXY;
        const QByteArray port = " --port " + QByteArray::number(server.port()) + "\n";
        server.writeConfig("user", "Host orin\n ProxyCommand " + proxy + " --cut-bytes 2500" + port);
        const QString cut = textOf(reach({{"serve"}, {}, -1, {}}, "orin"));
        QVERIFY2(cut.contains("cut") || cut.contains("closed"), qPrintable(cut));
        server.writeConfig("user", "Host orin\n ProxyCommand " + proxy + " --bits 4000000 --delay 20" + port);
        const Result<ReachedBoard> reached = reach({{"serve"}, {}, -1, {}}, "orin");
        QVERIFY2(reached.ok(), qPrintable(textOf(reached)));
        QVERIFY(answers(reached.value()));
    }
};

JETSCOPE_TEST(tst_SshBoard)
#include "tst_sshboard.moc"
