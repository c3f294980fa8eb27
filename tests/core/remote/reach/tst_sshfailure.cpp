// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/sshfailure.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class tst_SshFailure : public QObject {
    Q_OBJECT

private slots:
    void namesTheRemedy_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("words");
        QTest::newRow("no route") << 255 << "ssh: connect to host 10.0.0.9 port 22: No route to host\r\n"
                                  << "no way to orin";
        QTest::newRow("refused") << 255 << "ssh: connect to host orin port 22: Connection refused\r\n"
                                 << "systemctl enable --now ssh";
        QTest::newRow("timed out") << 255 << "ssh: connect to host orin port 22: Connection timed out\r\n"
                                   << "does not answer";
        QTest::newRow("no name") << 255 << "ssh: Could not resolve hostname orin: Name or service not known\r\n"
                                 << "is not known here";
        QTest::newRow("no key") << 255 << "me@orin: Permission denied (publickey).\r\n"
                                << "ssh-copy-id me@orin";
        QTest::newRow("other host key") << 255
                                        << "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\nHost key "
                                           "verification failed.\r\n"
                                        << "ssh-keygen -R orin";
        QTest::newRow("unknown host key") << 255 << "No ED25519 host key is known\r\nHost key verification failed.\r\n"
                                          << "\"ssh me@orin\" in a terminal";
        QTest::newRow("gone") << 255 << "Timeout, server orin not responding.\r\n"
                              << "15 s";
        QTest::newRow("closed") << 255 << "Connection closed by 10.0.0.9 port 22\r\n"
                                << "closed the connection";
        QTest::newRow("too many logins") << 255
                                         << "kex_exchange_identification: Connection closed by remote host\r\n"
                                            "Connection closed by 10.0.0.9 port 22\r\n"
                                         << "too many logins";
        QTest::newRow("other") << 255 << "something new\r\n"
                               << "ssh -v me@orin";
        QTest::newRow("no shell") << 127 << "bash: line 1: exec: sh: not found\n"
                                  << "POSIX sh";
        QTest::newRow("no commands") << 1 << "This account is currently not available.\n"
                                     << "ssh me@orin uname -m";
    }
    void namesTheRemedy()
    {
        QFETCH(int, code);
        QFETCH(QString, said);
        QFETCH(QString, words);
        const BoardAddress board = BoardAddress::parse("me@orin").value();
        const Error error = sshFailure(board, LinkStage::Opening, code, said.toStdString());
        const QString text = QString::fromStdString(error.message());
        QVERIFY2(text.contains(words), qPrintable(text));
        QVERIFY2(text.contains("ssh says: " + said.simplified()), qPrintable(text));
        QVERIFY(!text.contains('\n') && !text.contains('\r'));
        QCOMPARE(error.code, code);
    }

    void saysWhereItWasCut()
    {
        const BoardAddress board = BoardAddress::parse("orin").value();
        QVERIFY(sshFailure(board, LinkStage::Open, 255, "").text.find("was cut") != std::string::npos);
        QVERIFY(sshFailure(board, LinkStage::Open, 9, "").text.find("exit code 9") != std::string::npos);
        QVERIFY(sshFailure(board, LinkStage::Opening, 0, "", "hello\n").text.find("the login prints: hello")
                != std::string::npos);
    }

    /// A board may not write into the terminal.
    void remarksAreHarmless()
    {
        QCOMPARE(quotedRemark("a\x1b[31m\r\n  b\xff\n"), std::string("a [31m b"));
        const std::string longText = quotedRemark(std::string(5000, 'a') + "é");
        QVERIFY(longText.size() < 700 && longText.starts_with("… ") && longText.ends_with("é"));
    }
};

JETSCOPE_TEST(tst_SshFailure)
#include "tst_sshfailure.moc"
