// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetcaptures.h"
#include "core/fleet/runfacts.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using test::SyntheticFleet;

/// The captures behind runs: found by name, checked, and those that show best what a comparison says.
class TestFleetCaptures : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;

    QString pathOf(const QString &name) const { return m_place.filePath(name); }
    FleetFolder folder() const { return FleetFolder::open(pathOf("fleet").toStdString()).value(); }
    bool write(const QString &path, const QByteArray &content) const
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
    }

private slots:
    void initTestCase();
    void runsAreFoundByTheirBeginning();
    void aCaptureIsCheckedWhereItIs();
    void theMiddleRunsAreFound();
};

void TestFleetCaptures::initTestCase()
{
    SyntheticFleet fleet;
    fleet.boards = 12;
    fleet.strata = 1;
    fleet.runs = 3;
    fleet.slowerBoards = {{4, 1.6}};
    const FleetFolder to = FleetFolder::create(pathOf("fleet").toStdString()).value();
    QVERIFY(fleet.addTo(
        to, [&](FleetRow &row) { row.capture = pathOf("old/" + QString::fromStdString(row.run)).toStdString(); }));
}

void TestFleetCaptures::runsAreFoundByTheirBeginning()
{
    NoProgress progress;
    const auto found = capturesOfRuns(folder(), {"board11n", "board1old2"}, progress);
    QVERIFY(!found.ok() && found.error().text.find("several runs begin with") != std::string::npos);
    const auto whole = capturesOfRuns(folder(), {"board11new0", "board1old2"}, progress);
    QVERIFY(whole.ok() && whole.value().size() == 2);
    QCOMPARE(whole.value()[0].board, std::string("board11"));
    QCOMPARE(whole.value()[1].commit, std::string("old"));
    const auto none = capturesOfRuns(folder(), {"board1old2", "nothing"}, progress);
    QVERIFY(!none.ok() && none.error().text.find("no run \"nothing\"") != std::string::npos);
}

void TestFleetCaptures::aCaptureIsCheckedWhereItIs()
{
    QVERIFY(write(pathOf("a.jscope"), "content"));
    const std::string sum = sumOfFile(pathOf("a.jscope").toStdString()).value();
    RunCapture capture{"run", "board", "1.2", pathOf("a.jscope").toStdString(), sum};
    QCOMPARE(findCapture(folder(), capture).value(), capture.path);
    // It was moved into the folder of the fleet.
    QVERIFY(QDir().mkpath(pathOf("fleet/captures"))
            && QFile::rename(pathOf("a.jscope"), pathOf("fleet/captures/a.jscope")));
    QCOMPARE(findCapture(folder(), capture).value(), pathOf("fleet/captures/a.jscope").toStdString());
    // Another one has its old place: that one is not taken.
    QVERIFY(write(pathOf("a.jscope"), "other"));
    QCOMPARE(findCapture(folder(), capture).value(), pathOf("fleet/captures/a.jscope").toStdString());
    QVERIFY(write(pathOf("fleet/captures/a.jscope"), "changed"));
    const auto changed = findCapture(folder(), capture);
    QVERIFY(!changed.ok() && changed.error().text.find("has changed since it was added") != std::string::npos);
    QVERIFY(QFile::remove(pathOf("a.jscope")) && QFile::remove(pathOf("fleet/captures/a.jscope")));
    const auto gone = findCapture(folder(), capture);
    QVERIFY(!gone.ok() && gone.error().text.find("is missing") != std::string::npos);
}

void TestFleetCaptures::theMiddleRunsAreFound()
{
    FleetBoards boards(FleetSelection::parse("commit=old").value(), FleetSelection::parse("commit=new").value(),
                       {"period"});
    std::size_t unfinished = 0;
    NoProgress progress;
    QVERIFY(readFleet(folder(), boards, unfinished, progress).ok());
    const FleetComparison comparison = compareFleet(boards);
    QCOMPARE(comparison.results.size(), std::size_t{1});
    const FleetResult &result = comparison.results.front();
    QCOMPARE(result.fellOut.size(), std::size_t{1});
    const CapturePair builds = capturesOf(folder(), comparison, result, {}, progress).value();
    QCOMPARE(builds.a.commit, std::string("old"));
    QCOMPARE(builds.b.commit, std::string("new"));
    const CapturePair board = capturesOf(folder(), comparison, result, "board4", progress).value();
    QVERIFY(board.a.board != "board4" && board.a.commit == "new");
    QVERIFY(board.b.board == "board4" && board.b.commit == "new");
    // Of three runs the one in the middle.
    std::vector<std::pair<double, std::string>> runs;
    FleetReader reader;
    QVERIFY(reader
                .readAll(
                    folder(), [] {},
                    [&](const FleetRow &row, std::string_view) {
                        if (row.metric == "period" && row.board == "board4" && row.commit == "new")
                            runs.emplace_back(row.value, row.run);
                        return Status();
                    })
                .ok());
    std::sort(runs.begin(), runs.end());
    QCOMPARE(runs.size(), std::size_t{3});
    QCOMPARE(board.b.run, runs[1].second);
    const auto unknown = capturesOf(folder(), comparison, result, "board99", progress);
    QVERIFY(!unknown.ok());
}

JETSCOPE_TEST(TestFleetCaptures)
#include "tst_fleetcaptures.moc"
