// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/database.h"
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

using namespace jetscope;

/// 40 captures of the software device through the whole chain: ten boards, two builds, two runs of each.
class TestFleetChain : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const QString &name) const { return m_folder.filePath(name); }
    QString capture(const char *build, int board, int run) const
    {
        return pathOf(QString("%1-%2-%3.jscope").arg(build).arg(board).arg(run));
    }
    bool record(const QString &path) const
    {
        return runProgram({"run", "--device", "soft:orin", "--source", "synthetic:?size=320x240", "--frames", "60",
                           "--sync", "finish", "--record", path})
                   .code
            == 0;
    }
    /// Makes the waits for hand-overs of each frame shorter, so that the recorded ones are 3 % longer: within its
    /// period.
    bool plant(const QString &from, const QString &to) const;
    bool addAll(const QString &fleet, const char *build, const char *commit) const;
    Outcome compare(const QString &fleet, const QString &metrics) const
    {
        return runProgram({"fleet", "compare", pathOf(fleet), "--a", "commit=old", "--b", "commit=new", "--metric",
                           metrics, "--json"});
    }

private slots:
    void initTestCase();
    void aPlantedHandOverIsFound();
    void gateAndPageSayTheSame();
    void twoSetsOfRunsAreNotWorse();
};

bool TestFleetChain::plant(const QString &from, const QString &to) const
{
    if (!QFile::copy(from, to))
        return false;
    Result<Database> database = Database::open(to.toStdString(), Database::Access::ReadWrite);
    return database.ok() && database.value().run("UPDATE frames SET wait_sync_ns = wait_sync_ns * 100 / 103").ok();
}

bool TestFleetChain::addAll(const QString &fleet, const char *build, const char *commit) const
{
    for (int board = 0; board < 10; ++board) {
        const Outcome added =
            runProgram({"fleet", "add", pathOf(fleet), capture(build, board, 0), capture(build, board, 1), "--commit",
                        commit, "--board", QString("board%1").arg(board)});
        if (added.code != 0 || !added.out.startsWith("2 runs added"))
            return false;
    }
    return true;
}

void TestFleetChain::initTestCase()
{
    for (int board = 0; board < 10; ++board)
        for (int run = 0; run < 2; ++run) {
            // By turns, so that what disturbs the machine meets both.
            QVERIFY(record(capture("first", board, run)) && record(capture("second", board, run)));
            QVERIFY(plant(capture("first", board, run), capture("planted", board, run)));
        }
}

void TestFleetChain::aPlantedHandOverIsFound()
{
    QVERIFY(addAll("planted", "planted", "old") && addAll("planted", "first", "new"));
    QCOMPARE(runProgram({"fleet", "compact", pathOf("planted")}).code, 0);
    const Outcome outcome = compare("planted", "wait-sync,latency");
    QVERIFY2(outcome.code == 1, outcome.describe());
    for (const QJsonValue &result : outcome.json()["results"].toArray()) {
        QCOMPARE(result["boards"].toInt(), 10);
        const bool isPlanted = result["metric"] == "wait-sync";
        QCOMPARE(result["verdict"].toString(), QString(isPlanted ? "worse" : "unchanged"));
        QVERIFY2(!isPlanted || std::abs(result["change"].toDouble() - 0.03) < 0.002, outcome.describe());
    }
}

void TestFleetChain::gateAndPageSayTheSame()
{
    const QStringList sides{"--a", "commit=old", "--b", "commit=new", "--metric", "wait-sync,latency"};
    const Outcome gate = runProgram(QStringList{"fleet", "compare", pathOf("planted")} + sides
                                    + QStringList{"--summary", pathOf("s.md"), "--junit", pathOf("j.xml"), "--prom",
                                                  pathOf("p.prom"), "--benchmark", pathOf("b.json")});
    QVERIFY2(gate.code == 1, gate.describe());
    const auto content = [this](const char *name) {
        QFile file(pathOf(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QVERIFY2(content("s.md").startsWith("### Jetscope: worse: "), qPrintable(content("s.md")));
    QCOMPARE(content("j.xml").count("<failure"), 1);
    QCOMPARE(content("j.xml").count("<testcase"), 2);
    QVERIFY(content("p.prom").contains("wait-sync"));
    QVERIFY(!QJsonDocument::fromJson(content("b.json").toUtf8()).array().isEmpty());
    const Outcome page = runProgram(QStringList{"fleet", "report", pathOf("planted")} + sides
                                    + QStringList{"--out", pathOf("page.html")});
    QVERIFY2(page.code == 0 && content("page.html").contains("board7"), page.describe());
}

/// Whatever the noise of this machine.
void TestFleetChain::twoSetsOfRunsAreNotWorse()
{
    QVERIFY(addAll("equal", "first", "old") && addAll("equal", "second", "new"));
    const Outcome outcome = compare("equal", "wait-sync,period,latency,frame-p50");
    QVERIFY2(outcome.code == 0, outcome.describe());
    for (const QJsonValue &result : outcome.json()["results"].toArray())
        qInfo("%s: %+.1f %% (%+.1f to %+.1f)", qPrintable(result["metric"].toString()),
              100 * result["change"].toDouble(), 100 * result["at_least"].toDouble(),
              100 * result["at_most"].toDouble());
}

JETSCOPE_TEST(TestFleetChain)
#include "tst_fleetchain.moc"
