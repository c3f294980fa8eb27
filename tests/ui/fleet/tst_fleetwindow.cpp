// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The folder of a fleet in the window: builds, strata, boards, and two captures that are compared.
#include "core/fleet/runfacts.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/comparetraces.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/fleet/fleetdialog.h"
#include "ui/fleet/fleettables.h"
#include "ui/window/droptarget.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowfilecompare.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QHeaderView>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using test::SyntheticFleet;

namespace {

constexpr int kPatience = 60'000; ///< Of a busy machine.

} // namespace

class TestFleetWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup() { m_fake.reset(); }
    void ctrlOOpensAFileOfRows();
    void theCommandAndADropOpenAFolder();
    void otherBuildsAreChosen();
    void theBoardsOfARowAreShown();
    void boardsThatDoNotCountAreThere();
    void rowsAreSortedByKeys();
    void theMiddleRunsAreCompared();
    void aBoardIsComparedWithTheOthers();
    void aMissingCaptureIsSaid();
    void capturesThatAreNotThereAreNotOffered_data();
    void capturesThatAreNotThereAreNotOffered();
    void theReadingIsCancelled();
    void aFolderIsClosedWhileItIsRead();
    void badFoldersAreSaid_data();
    void badFoldersAreSaid();

private:
    MainWindow &window() { return m_fake->window(); }
    FleetDialog *dialog() { return window().findChild<FleetDialog *>(); }
    QString pathOf(const QString &name) const { return m_folder.filePath(name); }
    bool saveFleet(const QString &name, const SyntheticFleet &fleet,
                   const std::function<void(FleetRow &)> &change = {}) const
    {
        const Result<FleetFolder> folder = FleetFolder::create(pathOf(name).toStdString());
        return folder.ok() && fleet.addTo(folder.value(), change);
    }
    void open(const QString &name)
    {
        window().trace().opener().open(pathOf(name));
        QTRY_VERIFY_WITH_TIMEOUT(dialog() && !window().trace().opener().job().isRunning(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog()->job().isRunning() && !dialog()->words().isEmpty(), kPatience);
    }
    static QTreeWidgetItem *rowOf(const QTreeWidget &table, int column, const QString &text)
    {
        for (int i = 0; i < table.topLevelItemCount(); ++i)
            if (table.topLevelItem(i)->text(column) == text)
                return table.topLevelItem(i);
        return nullptr;
    }
    QString rowFile() const;

    QTemporaryDir m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

/// 24 boards in two strata; one stratum and one board became slower. Every run of a build has the same capture.
void TestFleetWindow::initTestCase()
{
    NoProgress progress;
    std::map<std::string, std::string> sums;
    for (const auto &[name, seed] : {std::pair{"old", 1U}, {"new", 2U}, {"out", 3U}}) {
        const std::string path = pathOf(QString(name) + ".jscope").toStdString();
        QVERIFY(saveTrace(test::runTrace(seed), path, progress).ok());
        sums[name] = sumOfFile(path).value();
    }
    SyntheticFleet fleet;
    fleet.boards = 24;
    fleet.strata = 2;
    fleet.runs = 3;
    fleet.slowerStrata = {{1, 1.06}};
    fleet.slowerBoards = {{4, 1.6}};
    const auto capture = [&](FleetRow &row) {
        const std::string name = row.board == "board4" && row.commit == "new" ? "out" : row.commit;
        row.capture = pathOf(QString::fromStdString(name) + ".jscope").toStdString();
        row.captureSha256 = sums[name];
        row.start = row.commit == "old" ? "2026-11-25T08:00:00Z" : "2026-11-25T09:00:00Z";
    };
    QVERIFY(saveFleet("fleet", fleet, capture));
    fleet.seed = 5;
    fleet.slowerStrata = {};
    fleet.slowerBoards = {};
    QVERIFY(saveFleet("fleet", fleet, [&](FleetRow &row) {
        capture(row);
        row.commit = row.commit == "old" ? "0.8" : "0.9"; // Earlier ones, equal.
        row.run += "early";
        row.start = "2026-11-01T08:00:0" + std::to_string(row.commit == "0.8" ? 1 : 2) + "Z";
    }));
    QVERIFY(FleetFolder::open(pathOf("fleet").toStdString()).value().compact(progress).ok());
}

void TestFleetWindow::init()
{
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1400, 900);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
}

QString TestFleetWindow::rowFile() const
{
    const QString day = pathOf("fleet") + "/runs/schema=1/soc=tegra234/jetpack=6.2.1/date=2026-11-25/";
    return day + QDir(day).entryList({"*.gz"}).value(0);
}

void TestFleetWindow::ctrlOOpensAFileOfRows()
{
    m_fake->chosenPath = rowFile();
    QTest::keyClick(&window(), Qt::Key_O, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(dialog() && dialog()->isVisible(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(dialog()->strata()->topLevelItemCount() > 0, kPatience);
    QCOMPARE(dialog()->windowTitle(), QString("Fleet fleet"));
    QCOMPARE(dialog()->oldBuild()->currentText(), QString("old")); // The two newest.
    QCOMPARE(dialog()->newBuild()->currentText(), QString("new"));
    QVERIFY2(dialog()->words().startsWith("commit=new is worse than commit=old: "), qPrintable(dialog()->words()));
}

void TestFleetWindow::theCommandAndADropOpenAFolder()
{
    m_fake->chosenPath = pathOf("fleet");
    window().actions().openFleet->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(dialog() && dialog()->strata()->topLevelItemCount() > 0, kPatience);
    FleetDialog *const first = dialog();
    first->close();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(pathOf("fleet"))});
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window(), &enter);
    QVERIFY(enter.isAccepted());
    QVERIFY(window().findChild<DropTarget *>()->text().endsWith("as a fleet")); // What will happen is said before.
    QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window(), &drop);
    QTRY_VERIFY_WITH_TIMEOUT(first->isVisible(), kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(first->strata()->topLevelItemCount() > 0, kPatience);
    QVERIFY(m_fake->requests.empty()); // It is no folder of pictures.
}

void TestFleetWindow::otherBuildsAreChosen()
{
    open("fleet");
    QCOMPARE(dialog()->oldBuild()->count(), 4);
    QTest::keyClicks(dialog()->oldBuild(), "0.8");
    emit dialog()->oldBuild()->activated(dialog()->oldBuild()->currentIndex());
    QTest::keyClicks(dialog()->newBuild(), "0.9");
    emit dialog()->newBuild()->activated(dialog()->newBuild()->currentIndex());
    QTRY_VERIFY2_WITH_TIMEOUT(dialog()->words().startsWith("commit=0.9 made no stratum worse than commit=0.8"),
                              qPrintable(dialog()->words()), kPatience);
    emit dialog()->newBuild()->activated(0);
    dialog()->newBuild()->setCurrentIndex(dialog()->oldBuild()->currentIndex());
    emit dialog()->newBuild()->activated(0);
    QTRY_VERIFY2_WITH_TIMEOUT(dialog()->words().startsWith("Choose two builds"), qPrintable(dialog()->words()),
                              kPatience);
    QVERIFY(!dialog()->pairButton()->isEnabled());
}

void TestFleetWindow::theBoardsOfARowAreShown()
{
    open("fleet");
    StrataTable &strata = *dialog()->strata();
    QCOMPARE(strata.topLevelItemCount(), 2 * int(std::size(SyntheticFleet::kMetrics)));
    QVERIFY(strata.topLevelItem(0)->text(2).startsWith("✗ worse")); // What matters most is on top.
    QCOMPARE(strata.currentItem(), strata.topLevelItem(0));
    BoardsTable &boards = *dialog()->boards();
    QCOMPARE(boards.topLevelItemCount(), 12);
    QTreeWidgetItem *out = nullptr;
    for (int i = 0; i < strata.topLevelItemCount() && !out; ++i)
        if (strata.topLevelItem(i)->text(2).endsWith("1 board fell out"))
            out = strata.topLevelItem(i);
    QVERIFY(out);
    strata.setCurrentItem(out);
    QCOMPARE(boards.topLevelItem(0)->text(0), QString("board4"));
    QCOMPARE(boards.topLevelItem(0)->text(6), QString("fell out"));
    QVERIFY(!boards.topLevelItem(1)->text(6).contains("fell out"));
    QCOMPARE(boards.topLevelItem(0)->data(1, Qt::AccessibleTextRole).toString(),
             QString("3 runs of the old build and 3 of the new one"));
    QVERIFY(!strata.accessibleName().isEmpty() && !boards.accessibleName().isEmpty());
}

/// With one run of each build no board counts: the reason is said once, whole, and the runs are shown.
void TestFleetWindow::boardsThatDoNotCountAreThere()
{
    SyntheticFleet fleet;
    fleet.boards = 3;
    fleet.strata = 1;
    fleet.runs = 1;
    QVERIFY(saveFleet("singles", fleet));
    open("singles");
    QVERIFY(dialog()->strata()->topLevelItemCount() > 0);
    QCOMPARE(dialog()->strata()->topLevelItem(0)->text(2), QString("no verdict"));
    BoardsTable &boards = *dialog()->boards();
    QCOMPARE(boards.topLevelItemCount(), 3);
    for (int i = 0; i < 3; ++i) {
        QVERIFY(boards.topLevelItem(i)->text(6).startsWith("does not count"));
        QVERIFY(!boards.topLevelItem(i)->text(3).isEmpty() && boards.topLevelItem(i)->text(2).isEmpty());
    }
    const QString reason = dialog()->boardsTitle().section("No verdict: ", 1).chopped(1);
    QVERIFY2(reason.size() > 20, qPrintable(dialog()->boardsTitle()));
    QVERIFY2(dialog()->words().count(reason) == 1, qPrintable(dialog()->words()));
}

/// Numbers as numbers, not as texts.
void TestFleetWindow::rowsAreSortedByKeys()
{
    open("fleet");
    BoardsTable &boards = *dialog()->boards();
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        boards.sortByColumn(3, order);
        std::vector<double> values;
        for (int i = 0; i < boards.topLevelItemCount(); ++i)
            values.push_back(boards.topLevelItem(i)->text(3).section(' ', 0, 0).toDouble());
        QCOMPARE(values.size(), std::size_t{12});
        QVERIFY(order == Qt::AscendingOrder ? std::is_sorted(values.begin(), values.end())
                                            : std::is_sorted(values.rbegin(), values.rend()));
    }
    const int before = dialog()->strata()->current();
    dialog()->strata()->setFocus();
    QTest::keyClick(dialog()->strata(), Qt::Key_Down);
    QVERIFY(dialog()->strata()->current() != before);
}

void TestFleetWindow::theMiddleRunsAreCompared()
{
    open("fleet");
    QTest::mouseClick(dialog()->pairButton(), Qt::LeftButton);
    FileComparison &files = window().trace().compare().files();
    QTRY_VERIFY_WITH_TIMEOUT(files.isOpen(), kPatience);
    QCOMPARE(files.nameA(), QString("old.jscope"));
    QCOMPARE(files.nameB(), QString("new.jscope"));
    QCOMPARE(window().space(), MainWindow::Space::Trace);
    QCOMPARE(window().tabs()->currentWidget(), window().trace().compare().page());
}

void TestFleetWindow::aBoardIsComparedWithTheOthers()
{
    open("fleet");
    StrataTable &strata = *dialog()->strata();
    for (int i = 0; i < strata.topLevelItemCount(); ++i)
        if (strata.topLevelItem(i)->text(2).endsWith("1 board fell out"))
            strata.setCurrentItem(strata.topLevelItem(i));
    BoardsTable &boards = *dialog()->boards();
    QTreeWidgetItem *const row = rowOf(boards, 0, "board4");
    QVERIFY(row);
    boards.setCurrentItem(row);
    boards.setFocus();
    QTest::keyClick(&boards, Qt::Key_Return);
    FileComparison &files = window().trace().compare().files();
    QTRY_VERIFY_WITH_TIMEOUT(files.isOpen(), kPatience);
    QCOMPARE(files.nameA(), QString("new.jscope"));
    QCOMPARE(files.nameB(), QString("out.jscope"));
}

void TestFleetWindow::aMissingCaptureIsSaid()
{
    open("fleet");
    QVERIFY(QFile::rename(pathOf("new.jscope"), pathOf("away")));
    QTest::mouseClick(dialog()->pairButton(), Qt::LeftButton);
    const auto isSaid = [&] {
        for (const QLabel *label : dialog()->findChildren<QLabel *>())
            if (label->text().startsWith("The captures cannot be compared: the capture of run")
                && label->text().contains("is missing"))
                return true;
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSaid(), kPatience);
    QVERIFY(QFile::rename(pathOf("away"), pathOf("new.jscope")));
}

void TestFleetWindow::capturesThatAreNotThereAreNotOffered_data()
{
    QTest::addColumn<bool>("hasPath");
    QTest::addColumn<QString>("words");
    QTest::newRow("runs without a capture") << false << "was added without its capture";
    QTest::newRow("a capture that is gone") << true << "is missing";
}

/// The button has the reason; a row whose captures are there has the button.
void TestFleetWindow::capturesThatAreNotThereAreNotOffered()
{
    QFETCH(bool, hasPath);
    QFETCH(QString, words);
    const QString name = hasPath ? "gone" : "none";
    SyntheticFleet fleet;
    fleet.boards = 16;
    fleet.strata = 2;
    fleet.runs = 3;
    QVERIFY(saveFleet(name, fleet, [&](FleetRow &row) {
        row.start = row.commit == "old" ? "2026-11-25T08:00:00Z" : "2026-11-25T09:00:00Z";
        if (row.powerMode == SyntheticFleet::powerMode(0))
            row.capture = pathOf("old.jscope").toStdString();
        else if (hasPath)
            row.capture = pathOf("nothing.jscope").toStdString();
    }));
    open(name);
    StrataTable &strata = *dialog()->strata();
    QTRY_VERIFY_WITH_TIMEOUT(strata.topLevelItemCount() > 0, kPatience);
    const auto choose = [&](bool there) {
        const QString mode = QString::fromStdString(SyntheticFleet::powerMode(there ? 0 : 1));
        for (int i = 0; i < strata.topLevelItemCount(); ++i)
            if (strata.topLevelItem(i)->text(0).contains(mode))
                return strata.setCurrentItem(strata.topLevelItem(i));
        QFAIL("no such stratum");
    };
    const QPushButton &button = *dialog()->pairButton();
    for (int i = 0; i < 2; ++i) {
        choose(false);
        QTRY_VERIFY_WITH_TIMEOUT(!button.isEnabled(), kPatience);
        QVERIFY2(button.toolTip().contains(words), qPrintable(button.toolTip()));
        choose(true);
        QVERIFY(button.isEnabled() && !button.toolTip().contains(words));
    }
    // Of what was chosen last only, although the one before is still being looked for.
    choose(false);
    choose(true);
    QTest::qWait(200);
    QVERIFY(button.isEnabled());
}

void TestFleetWindow::theReadingIsCancelled()
{
    open("fleet");
    dialog()->open(pathOf("fleet"));
    dialog()->job().cancel();
    QTRY_COMPARE_WITH_TIMEOUT(dialog()->words(), QString("The reading was cancelled."), kPatience);
    QCOMPARE(dialog()->strata()->topLevelItemCount(), 0);
    dialog()->open(pathOf("fleet"));
    dialog()->open(pathOf("fleet")); // The first gives way.
    QTRY_VERIFY_WITH_TIMEOUT(dialog()->strata()->topLevelItemCount() > 0, kPatience);
}

void TestFleetWindow::aFolderIsClosedWhileItIsRead()
{
    open("fleet");
    dialog()->open(pathOf("fleet"));
    m_fake.reset();
}

void TestFleetWindow::badFoldersAreSaid_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("words");
    QTest::newRow("no runs") << "empty"
                             << "The folder has no runs: nothing was recorded.";
    QTest::newRow("one build") << "one"
                               << "The folder has runs of one build only, old";
    QTest::newRow("half a file") << "half"
                                 << "is cut short";
    QTest::newRow("another schema") << "schema"
                                    << "has rows of schema";
    QTest::newRow("few boards") << "few"
                                << "There is no verdict: 3 boards ran both builds";
    QTest::newRow("clocks that move") << "unlocked"
                                      << "the clocks were not fixed";
}

void TestFleetWindow::badFoldersAreSaid()
{
    QFETCH(QString, what);
    QFETCH(QString, words);
    SyntheticFleet fleet;
    fleet.boards = what == "few" ? 3 : 8;
    fleet.strata = 1;
    fleet.runs = 2;
    if (what == "empty")
        QVERIFY(FleetFolder::create(pathOf(what).toStdString()).ok());
    else
        QVERIFY(saveFleet(what, fleet, [&](FleetRow &row) {
            row.metric = "period";
            if (what == "one")
                row.commit = "old";
            if (what == "unlocked")
                row.clocksLocked = false;
        }));
    if (what == "schema")
        QVERIFY(QDir().mkpath(pathOf(what) + "/runs/schema=9"));
    if (what == "half") {
        const QString day = pathOf(what) + "/runs/schema=1/soc=tegra234/jetpack=6.2.1/date=2026-11-25/";
        QFile file(day + QDir(day).entryList({"*.gz"}).value(0));
        QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(file.size() - 8));
    }
    open(what);
    QTRY_VERIFY2_WITH_TIMEOUT(dialog()->words().contains(words), qPrintable(dialog()->words()), kPatience);
    QVERIFY(what == "few" || what == "unlocked" || !dialog()->pairButton()->isEnabled());
}

JETSCOPE_TEST(TestFleetWindow)
#include "tst_fleetwindow.moc"
