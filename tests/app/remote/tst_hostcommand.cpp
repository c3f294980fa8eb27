// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commandline.h"
#include "app/commandline/optiontable.h"
#include "app/remote/boardtop.h"
#include "tests/app/program.h"
#include "tests/app/remote/installedboard.h"
#include "tests/support/longrun.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QJsonArray>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <csignal>

using namespace jetscope;
using testing::FakeBoard;
using testing::InstalledBoard;

namespace {

QStringList soft(const QStringList &command)
{
    return command + QStringList{"--device", "soft:orin", "--source", "synthetic:?size=64x48"};
}

std::vector<std::string> textsOf(const std::vector<GivenWord> &words)
{
    std::vector<std::string> texts;
    for (const GivenWord &word : words)
        texts.push_back(word.text);
    return texts;
}

} // namespace

class tst_HostCommand : public QObject {
    Q_OBJECT

private slots:
    /// A value is passed on as it was given, and --host is not.
    void wordsForTheBoard()
    {
        const std::vector<std::string_view> words{"run",  "--host", "orin",          "--record",       "a.jscope",
                                                  "--at", "5",      "memory=pinned", "--filters=--odd"};
        const Result<std::vector<GivenWord>> given = wordsForBoard(words);
        QVERIFY(given.ok());
        QCOMPARE(
            textsOf(given.value()),
            (std::vector<std::string>{"run", "--record", "a.jscope", "--at", "5", "memory=pinned", "--filters=--odd"}));
        QVERIFY(given.value()[2].file && given.value()[2].file->file == FileUse::Written);
        const Result<std::vector<GivenWord>> attach =
            wordsForBoard(std::vector<std::string_view>{"attach", "--host=orin", "--", "./my", "--host", "b"});
        QCOMPARE(textsOf(attach.value()), (std::vector<std::string>{"attach", "--", "./my", "--host", "b"}));
    }

    /// A file that an option names is on the machine of the user: the table must say so of each.
    void optionsWithFiles()
    {
        // The window stays here: only its pipeline is on the board.
        const unsigned hosted =
            findOption("host", Command::Run)->commands & ~(1U << static_cast<unsigned>(Command::Window));
        QVERIFY(hosted != 0);
        for (const OptionSpec &option : optionTable()) {
            if ((option.commands & hosted) == 0)
                continue;
            const bool namesFile = option.placeholder.find("FILE") != std::string_view::npos;
            // jetscope-sched runs as root on the board and writes there.
            if (option.name != "scheduler")
                QVERIFY2(namesFile == (option.file != FileUse::None), std::string(option.name).c_str());
        }
    }

    void runsOnTheBoard()
    {
        const InstalledBoard board;
        const Outcome outcome = runProgram(soft({"run", "--host", "me@orin-lab-3", "--frames", "20", "--json"}));
        QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
        QCOMPARE(outcome.err, QString());
        QVERIFY2(outcome.json()["device"].toString().endsWith(" on orin-lab-3"), outcome.describe());
        QCOMPARE(outcome.json()["frames"].toInt(), 20);
        QTRY_COMPARE(board.leftOvers(), QStringList());
    }

    void measuresOnTheBoard_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("has"); // In the JSON.
        const QStringList device{"--device", "soft:orin"};
        QTest::newRow("tune") << soft({"tune", "--memory", "pinned,zero-copy", "--sync", "event", "--output",
                                       "eglimage", "--wait", "auto", "--time", "30"})
                              << "best";
        QTest::newRow("experiment") << QStringList{"experiment", "wait-policy", "--time", "1"} + device
                                    << "conclusions";
        if (testing::isLongRun())
            QTest::newRow("verify") << QStringList{"verify"} + device << "rows";
        QTest::newRow("rules") << QStringList{"rules"} + device << "rules";
    }

    /// As here, and the figures name the board.
    void measuresOnTheBoard()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, has);
        const InstalledBoard board;
        const Outcome outcome = runProgram(words + QStringList{"--json", "--host", "orin-lab-3"});
        QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
        const QJsonObject json = outcome.json();
        QVERIFY2(json.contains(has), outcome.describe());
        const QJsonValue device = json["device"];
        if (words.first() != "verify" && words.first() != "rules") { // These hold no names, or no figures.
            const QString name = device.isObject() ? device["name"].toString() : device.toString();
            QVERIFY2(name.endsWith(" on orin-lab-3"), qPrintable(name));
        }
        QTRY_COMPARE(board.leftOvers(), QStringList());
    }

    /// The server that packaging/board makes of this build runs where it was brought, with the libraries that it
    /// carries.
    void bringsThisProgram()
    {
        if (QStandardPaths::findExecutable("patchelf").isEmpty())
            QSKIP("patchelf is not installed");
        const FakeBoard board;
        const QString folder = board.path("boards/" + QString(FakeBoard::kArchitecture));
        QProcess packing;
        packing.setProcessChannelMode(QProcess::MergedChannels);
        packing.start(QString(JETSCOPE_SOURCE_FOLDER) + "/packaging/board",
                      {QFileInfo(JETSCOPE_PROGRAM).path(), FakeBoard::kArchitecture, folder});
        QVERIFY(packing.waitForFinished(120'000));
        QVERIFY2(packing.exitCode() == 0, packing.readAll());
        const Outcome outcome = runProgram(soft({"run", "--host", "orin", "--frames", "20", "--json"}));
        QVERIFY2(outcome.code == 0 && outcome.json()["frames"].toInt() == 20, outcome.describe());
        QVERIFY2(outcome.err.contains("copying jetscope to orin"), outcome.describe());
        const Outcome again = runProgram({"doctor", "--host", "orin", "--json"});
        QVERIFY2(again.code == 0 && again.json().contains("devices") && again.err.isEmpty(), again.describe());
        const QString there = board.cache() + "/" + FakeBoard::serverFolder();
        QProcess libraries;
        libraries.start("ldd", {there + "/jetscope"});
        QVERIFY(libraries.waitForFinished());
        const QString found = QString::fromUtf8(libraries.readAllStandardOutput());
        QVERIFY2(found.contains("libsimdjson") && found.contains(there + "/libsimdjson"), qPrintable(found));
    }

    void fetchesWhatItRecords()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const QString path = here.filePath("run.jscope");
        const Outcome outcome = runProgram(soft({"run", "--host", "orin", "--frames", "60", "--record", path}));
        QVERIFY2(outcome.code == 0, outcome.describe());
        QVERIFY2(!outcome.out.contains(board.path("tmp")), outcome.describe());
        QCOMPARE(QDir(here.path()).entryList(QDir::Files), QStringList{"run.jscope"});
        const Outcome query = runProgram({"query", path, "SELECT count(*) FROM frames"});
        QCOMPARE(query.out.trimmed(), QString("60"));
        const Outcome device = runProgram({"query", path, "SELECT value FROM device WHERE value LIKE '% on orin'"});
        QVERIFY2(!device.out.trimmed().isEmpty(), device.describe());
        QTRY_COMPARE(board.leftOvers(), QStringList());

        FakeBoard::useSsh("false"); // An existing file is refused before anything is asked of the board.
        const Outcome again = runProgram(soft({"run", "--host", "orin", "--record", path}));
        QVERIFY2(again.code == 2 && again.oneSentence() && again.err.contains("exists already"), again.describe());
    }

    void sendsWhatItReads()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const QString table = here.filePath("table.json");
        const Outcome measured =
            runProgram({"probe", "--host", "orin", "--device", "soft:orin", "--time", "1", "--out", table, "--json"});
        QVERIFY2(measured.code == 0 && QFile::exists(table), measured.describe());
        const QJsonObject json = measured.json();
        QVERIFY2(json.contains("figures"), measured.describe());
        QVERIFY2(json["device"]["name"].toString().endsWith(" on orin"), measured.describe());
        const Outcome read = runProgram({"probe", "--host", "orin", "--from", table, "--json"});
        QVERIFY2(read.code == 0 && read.json().contains("findings"), read.describe());
        const Outcome missing = runProgram({"probe", "--host", "orin", "--from", here.filePath("none.json")});
        QVERIFY2(missing.code == 2 && missing.oneSentence(), missing.describe());
        QTRY_COMPARE(board.leftOvers(), QStringList());
    }

    void continuesASweep()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const QString path = here.filePath("sweep.jscope");
        const Outcome first = runProgram(soft({"sweep", "--host", "orin", "--memory", "pinned", "--output", "eglimage",
                                               "--sync", "event", "--wait", "auto", "--rounds", "4", "--out", path}));
        QVERIFY2(first.code == 0, first.describe());
        const qint64 size = QFileInfo(path).size();
        const Outcome second = runProgram({"sweep", "--host", "orin", "--out", path, "--resume", "--rounds", "6"});
        QVERIFY2(second.code == 0, second.describe());
        QVERIFY(QFileInfo(path).size() >= size);
        QCOMPARE(QDir(here.path()).entryList(QDir::Files), QStringList{"sweep.jscope"});
    }

    /// What the board refuses is its own sentence and exit code.
    void passesErrorsOn()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const Outcome outcome =
            runProgram({"run", "--host", "orin", "--device", "soft:none", "--record", here.filePath("a.jscope")});
        QVERIFY2(outcome.code == 2 && outcome.oneSentence() && outcome.err.contains("soft:none"), outcome.describe());
        QVERIFY(QDir(here.path()).isEmpty());
        const Outcome twice = runProgram({"run", "--host", "orin", "--host", "other"});
        QVERIFY2(twice.code == 2 && twice.oneSentence(), twice.describe());
        const Outcome bad = runProgram({"run", "--host", "-oProxyCommand=x"});
        QVERIFY2(bad.code == 2 && bad.oneSentence(), bad.describe());
    }

    void ctrlCEndsTheRunThere()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.start(
            JETSCOPE_PROGRAM,
            soft({"run", "--host", "orin", "--frames", "4000000000", "--json", "--record", here.filePath("a.jscope")}));
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(board.path("tmp")).entryList({"jetscope-*"}, QDir::Dirs).isEmpty(), 20'000);
        const QString folder =
            board.path("tmp/") + QDir(board.path("tmp")).entryList({"jetscope-*"}, QDir::Dirs).first();
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(folder).isEmpty(), 20'000); // It records.
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const Outcome outcome = outcomeOf(process);
        QVERIFY2(outcome.finished && outcome.json()["frames"].toInt() > 0, outcome.describe());
        QVERIFY(QFile::exists(here.filePath("a.jscope")));
        QTRY_COMPARE(board.leftOvers(), QStringList());
    }

    /// One byte at a time, slowly.
    void badLink()
    {
        const InstalledBoard board;
        FakeBoard::useSsh(QString(JETSCOPE_LINKPROXY) + " --delay 20 --bits 2000000 --dribble 1 -- "
                          + board.path("ssh"));
        const Outcome outcome = runProgram({"rules", "--host", "orin", "--json"});
        QVERIFY2(outcome.code == 0 && outcome.json()["rules"].toArray().size() > 10, outcome.describe());
    }

    void inspectsAProgram()
    {
        const InstalledBoard board;
        const QTemporaryDir here;
        const Outcome outcome = runProgram(
            {"attach", "--host", "orin", "--json", here.filePath("a.json"), "--", "sh", "-c", "echo hello; exit 130"});
        QVERIFY2(outcome.code == 130 && outcome.out.contains("hello\n"), outcome.describe());
        QVERIFY2(QFile::exists(here.filePath("a.json")), outcome.describe());
    }

    void boardsSideBySide()
    {
        const InstalledBoard board;
        const Outcome json =
            runProgram({"top", "--host", "a", "--host", "me@b", "--json", "--count", "2", "--interval", "0.1"});
        QVERIFY2(json.code == 0, json.describe());
        QStringList names;
        for (const QString &line : json.out.split('\n', Qt::SkipEmptyParts)) {
            const QJsonObject object = QJsonDocument::fromJson(line.toUtf8()).object();
            QVERIFY2(object.contains("values"), json.describe());
            names.append(object["board"].toString());
        }
        names.sort();
        QCOMPARE(names, (QStringList{"a", "a", "b", "b"}));
        const Outcome lines =
            runProgram({"top", "--host", "a", "--host", "b", "--lines", "--count", "1", "--interval", "0.1"});
        QVERIFY2(lines.out.contains("a: ") && lines.out.contains("b: "), lines.describe());
    }

    /// Nothing of a board gets through to the terminal but its text and colours.
    void columnsAreHarmless()
    {
        const std::vector<std::string> lines =
            sideBySide({{"\x1b[1mabc\x1b[2J", "x"}, {"\x1b]0;title\xff", "second", "third"}}, 23);
        QCOMPARE(lines.size(), std::size_t{3});
        const std::string end = "\x1b[0m";
        QCOMPARE(lines[0], "\x1b[1mabc [2J" + end + "   " + " │ " + " ]0;title " + end);
        QCOMPARE(lines[1], "x" + end + "         " + " │ " + "second" + end + "    ");
        QCOMPARE(lines[2], end + "          " + " │ " + "third" + end + "     ");
        QCOMPARE(lineOfBoard("o\"rin", "{\"a\":1}"), std::string("{\"board\":\"o\\\"rin\",\"a\":1}"));
        QCOMPARE(lineOfBoard("orin", "{}"), std::string("{\"board\":\"orin\"}"));
    }
};

JETSCOPE_TEST(tst_HostCommand)
#include "tst_hostcommand.moc"
