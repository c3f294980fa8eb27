// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/boardaddress.h"
#include "core/remote/reach/boardreport.h"
#include "core/remote/reach/boardscript.h"
#include "core/remote/reach/boardserver.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;

namespace {

constexpr const char *kGood = "jetscope-board 1\nmachine aarch64\nsystem Linux\nlibc glibc 2.35\nhost orin-lab-3\n"
                              "l4t # R36 (release), REVISION: 4.0\nfolder /home/me/.cache/jetscope\nfree 1234\n"
                              "installed unknown\nstart cached\n";

/// How many bytes were taken until the report was complete; 0 after an error.
std::size_t bytesTaken(ReportReader &reader, std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const Result<bool> more = reader.take(text[i]);
        if (!more.ok())
            return 0;
        if (!more.value())
            return i + 1;
    }
    return text.size() + 1;
}

} // namespace

class tst_BoardReport : public QObject {
    Q_OBJECT

private slots:
    void readsAReport()
    {
        ReportReader reader;
        const std::string noise = "Welcome!\n\x1b[31mred\n";
        const std::string all = noise + kGood;
        QCOMPARE(bytesTaken(reader, all + "JETSCOPE1\n"), all.size()); // And nothing of what follows.
        const BoardReport &report = reader.report();
        QCOMPARE(report.machine, std::string("aarch64"));
        QCOMPARE(report.libc, std::string("glibc 2.35"));
        QCOMPARE(report.host, std::string("orin-lab-3"));
        QCOMPARE(report.l4t, std::string("# R36 (release), REVISION: 4.0"));
        QCOMPARE(report.freeKib.value(), std::uint64_t{1234});
        QCOMPARE(report.installed, std::vector<std::string>{"unknown"});
        QVERIFY(report.start == BoardReport::Start::Cached);
        QCOMPARE(reader.noise(), noise);
    }

    void readsTheAnswerToAServer_data()
    {
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("isGood");
        QTest::newRow("brought") << "start brought\n" << true;
        QTest::newRow("failed") << "failed space\n" << true;
        QTest::newRow("again") << "start nothing\n" << false;
        QTest::newRow("cached") << "start cached\n" << false;
        QTest::newRow("no reason") << "failed \n" << false;
        QTest::newRow("more of a report") << "machine x\n" << false;
    }
    void readsTheAnswerToAServer()
    {
        QFETCH(QString, answer);
        QFETCH(bool, isGood);
        ReportReader reader;
        QVERIFY(bytesTaken(reader, "jetscope-board 1\nstart nothing\n") > 0);
        reader.goOn();
        const std::string text = answer.toStdString();
        QCOMPARE(bytesTaken(reader, text), isGood ? text.size() : 0);
    }

    void refusesAnythingElse_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray head = "jetscope-board 1\n";
        QTest::newRow("unknown line") << head + "exec rm\n";
        QTest::newRow("control character") << head + "host a\x1b[2J\n";
        QTest::newRow("invalid UTF-8") << head + "host \xff\n";
        QTest::newRow("turned text") << head + "host a\xe2\x80\xae\n";
        QTest::newRow("long line") << head + "host " + QByteArray(5000, 'a') + "\n";
        QTest::newRow("no end of line") << head + QByteArray(100'000, 'a');
        QTest::newRow("many programs") << head + QByteArray("installed x\n").repeated(20);
        QTest::newRow("endless") << head + QByteArray("host a\n").repeated(5000);
        QTest::newRow("endless noise") << QByteArray("hello\n").repeated(20'000);
        QTest::newRow("endless line of noise") << QByteArray(70'000, 'a');
        QTest::newRow("brought unasked") << head + "start brought\n";
        QTest::newRow("failed unasked") << head + "failed space\n";
        QTest::newRow("unknown start") << head + "start other\n";
        QTest::newRow("empty line") << head + "\n";
    }
    void refusesAnythingElse()
    {
        QFETCH(QByteArray, text);
        ReportReader reader;
        QCOMPARE(bytesTaken(reader, text.toStdString()), std::size_t{0});
    }

    /// A damaged report is an error or another report, and the reader takes no more than it may.
    void survivesDamage()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 20'000; ++round) {
            std::string text = kGood;
            for (int i = 0; i < 3; ++i)
                text[random() % text.size()] = static_cast<char>(random());
            ReportReader reader;
            bytesTaken(reader, text);
            QVERIFY(reader.report().installed.size() <= 8 && reader.noise().size() <= 64 * 1024);
        }
    }

    void readsVersions()
    {
        QVERIFY(versionIn("2.35") == std::pair(2, 35));
        QVERIFY(versionIn("2.35.1") == std::pair(2, 35));
        QVERIFY(!versionIn("2") && !versionIn("") && !versionIn("a.b") && !versionIn("2.") && !versionIn("2.99999999"));
    }

    /// fish and csh pass a text in single quotes on as POSIX shells do only without these.
    void scriptFitsEveryShell()
    {
        const std::string script = boardScript("0.1.0-abc", {"serve", "--join", "7"});
        QVERIFY(script.starts_with("exec sh -c '") && script.ends_with(" serve --join 7'"));
        const std::string inside = script.substr(12, script.size() - 13);
        QVERIFY(inside.find_first_of("'!\n") == std::string::npos);
        for (std::size_t at = inside.find('\\'); at != std::string::npos; at = inside.find('\\', at + 1))
            QVERIFY(inside[at + 1] != '\'' && inside[at + 1] != '\\');
    }

    void takesAddresses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name"); // Empty: refused.
        QTest::newRow("name") << "orin"
                              << "orin";
        QTest::newRow("user") << "nvidia@orin-lab-3.local"
                              << "orin-lab-3.local";
        QTest::newRow("address") << "me@192.168.55.1"
                                 << "192.168.55.1";
        QTest::newRow("IPv6") << "me@fe80::1%usb0"
                              << "fe80::1%usb0";
        QTest::newRow("port") << "ssh://me@orin:2222"
                              << "orin";
        QTest::newRow("IPv6 and port") << "ssh://me@[::1]:2222"
                                       << "::1";
        QTest::newRow("IPv6") << "ssh://[::1]"
                              << "::1";
        QTest::newRow("no such port") << "ssh://orin:99999"
                                      << "";
        QTest::newRow("port that is none") << "ssh://me@orin:ssh"
                                           << "";
        QTest::newRow("user with @") << "me@work@orin"
                                     << "orin";
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("no name") << "me@"
                                 << "";
        QTest::newRow("option") << "-oProxyCommand=touch x"
                                << "";
        QTest::newRow("name that is an option") << "me@-oProxyCommand=x"
                                                << "";
        QTest::newRow("shell") << "orin;touch x"
                               << "";
        QTest::newRow("quote") << "o'rin"
                               << "";
        QTest::newRow("substitution") << "$(touch x)"
                                      << "";
        QTest::newRow("blank") << "orin lab"
                               << "";
        QTest::newRow("line") << "orin\nlab"
                              << "";
        QTest::newRow("long") << QString(400, 'a') << "";
    }
    void takesAddresses()
    {
        QFETCH(QString, text);
        QFETCH(QString, name);
        const Result<BoardAddress> address = BoardAddress::parse(text.toStdString());
        QCOMPARE(address.ok(), !name.isEmpty());
        if (address.ok()) {
            QCOMPARE(address.value().name(), name.toStdString());
            QCOMPARE(address.value().text(), text.toStdString());
        }
    }

    void readsTheTextOfAServer()
    {
        const std::string hash(64, 'a');
        const std::string good =
            "jetscope-server 1\nbuild 0.1.0-0123456789ab\narchitecture arm64\nglibc 2.34\ncuda no\nbytes 5\nsha256 "
            + hash + "\n";
        const Result<BoardServer> server = parseBoardServer(good);
        QVERIFY(server.ok());
        QCOMPARE(server.value().architecture, std::string("arm64"));
        QCOMPARE(server.value().bytes, std::uint64_t{5});
        for (std::size_t length = 0; length + 1 < good.size(); ++length)
            QVERIFY2(!parseBoardServer(good.substr(0, length)).ok(), std::to_string(length).c_str());
        QVERIFY(!parseBoardServer(good + "more 1\n").ok());
        QVERIFY(!parseBoardServer(good + "bytes -1\n").ok());
    }
};

JETSCOPE_TEST(tst_BoardReport)
#include "tst_boardreport.moc"
