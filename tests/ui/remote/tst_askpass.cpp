// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/remote/reach/sshserver.h"
#include "tests/support/testprogram.h"
#include "ui/remote/askpass.h"

#include <csignal>

using namespace jetscope;
using namespace jetscope::testing;

/// What ssh asks for goes the way of every password: here it is that of a key, asked for by the real ssh.
class TestAskPass : public QObject {
    Q_OBJECT

    /// Stands for the dialog: writes down what it is asked for, and answers.
    static void writeAnswerer(const QString &path, const QString &asked, const QByteArray &answer)
    {
        writeFile(path, "#!/bin/sh\nprintf '%s\\n' \"$1\" >>" + asked.toUtf8() + "\n" + answer + "\n", true);
    }

private slots:
    void aKeyWithAPassphrase_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<bool>("isIn");
        QTest::newRow("right") << QByteArray("echo open sesame") << true;
        QTest::newRow("wrong") << QByteArray("echo abracadabra") << false;
        QTest::newRow("cancelled") << QByteArray("exit 1") << false;
    }
    void aKeyWithAPassphrase()
    {
        QFETCH(const QByteArray, answer);
        QFETCH(const bool, isIn);
        if (!SshServer::isInstalled())
            QSKIP("openssh-server is not installed");
        std::signal(SIGPIPE, SIG_IGN);
        const FakeBoard board;
        SshServer server;
        QVERIFY2(server.isUp(), qPrintable(server.said()));
        QCOMPARE(
            QProcess::execute("ssh-keygen", {"-q", "-t", "ed25519", "-N", "open sesame", "-f", server.path("secret")}),
            0);
        QFile::remove(server.path("authorized"));
        QVERIFY(QFile::copy(server.path("secret.pub"), server.path("authorized")));
        server.writeConfig("secret");
        const QTemporaryDir folder;
        const QString asked = folder.filePath("asked");
        writeAnswerer(folder.filePath("answerer"), asked, answer);
        ReachWish wish;
        wish.arguments = {"serve"};
        wish.environment = askPassEnvironment(folder.path().toStdString(), folder.filePath("answerer").toStdString());
        const Result<ReachedBoard> reached = reach(wish, "orin");
        QFile prompts(asked);
        QVERIFY(prompts.open(QIODevice::ReadOnly));
        const QByteArray prompt = prompts.readAll();
        QVERIFY2(prompt.startsWith("Enter passphrase for key '" + server.path("secret").toUtf8()), prompt);
        const QString text = reached.ok() ? QString() : QString::fromStdString(reached.error().message());
        QVERIFY2(reached.ok() == isIn, qPrintable(text + server.said()));
        if (isIn)
            QVERIFY(answers(reached.value()));
        else
            QVERIFY2(text.contains("ssh-copy-id orin"), qPrintable(text));
    }
};

JETSCOPE_TEST(TestAskPass)
#include "tst_askpass.moc"
