// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The workspace of the board: a log as charts with a table, the machine as it is read, and what happened.
#include "tests/support/boardtree.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/board/boardcharts.h"
#include "ui/board/boardeventlist.h"
#include "ui/board/boardlogger.h"
#include "ui/board/boardpage.h"
#include "ui/board/boardruler.h"
#include "ui/board/boardtable.h"
#include "ui/board/boardview.h"
#include "ui/board/energybox.h"
#include "ui/files/traceopener.h"
#include "ui/style/messagebar.h"
#include "ui/style/titleline.h"
#include "ui/window/helpoverlay.h"
#include "ui/window/workspacebar.h"

#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace jetscope;
using testing::BoardTree;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Two minutes of an AGX Orin that gets hot in the middle, with a hole of ten seconds.
QByteArray logText()
{
    QByteArray text;
    for (int i = 0; i < 120; ++i) {
        const bool isHot = i >= 60 && i < 80;
        const int second = i + (i >= 100 ? 10 : 0);
        text += QStringLiteral("11-24-2025 14:%1:%2 RAM %3/62841MB (lfb 4x4MB) CPU [%4%@2201,10%@2201,off] EMC_FREQ "
                               "3%@3199 GR3D_FREQ 99%@[%5] cpu@%6C tj@%6C PMIC@100C VDD_GPU_SOC 20000mW/20000mW "
                               "VDD_CPU_CV 8000mW/8000mW VIN_SYS_5V0 %7mW/10000mW\n")
                    .arg(30 + second / 60, 2, 10, QLatin1Char('0'))
                    .arg(second % 60, 2, 10, QLatin1Char('0'))
                    .arg(7000 + i)
                    .arg(i % 50)
                    .arg(isHot ? 816 : 1300)
                    .arg(isHot ? 98 : 70)
                    .arg(i == 30 ? 14000 : 10000)
                    .toLatin1();
    }
    return text;
}

QString cellOf(const BoardTable &table, const QString &name, int column)
{
    for (int row = 0; row < table.rowCount(); ++row)
        if (table.item(row, BoardTable::Name)->text() == name)
            return table.item(row, column)->text();
    return QStringLiteral("no row");
}

} // namespace

class TestBoardView : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { m_fake.reset(); }
    void aLogOpensTheBoard();
    void figuresAreOfTheWholeLog();
    void aMeasuredRangeHasItsOwnFigures();
    void theCursorStepsAndIsHeld();
    void gesturesMoveTheView();
    void eventsAreListedAndShown();
    void groupsCloseAndAreRemembered();
    void theTableIsReachedByKeys();
    void aNarrowWindowHasNoTable();
    void aLogMayBeATraceToo();
    void theCountersOfATraceAreShown();
    void figuresOfTheBoardBeforeAreNotShown();
    void theMachineIsReadWhileVisible();
    void theMachineIsReadWhileALogIsWritten();
    void aLogIsWrittenAndOpens();
    void aLogThatCannotBeWrittenSaysWhy();
    void theMachineStartsWithAMinute();
    void whatTheMachineLacksHasAReason();
    void otherUnitsHaveAScaleOfTheirOwn();
    void theHelpHasItsKeys();

private:
    MainWindow &window() { return m_fake->window(); }
    BoardView &board() { return *window().board(); }
    BoardCharts &charts() { return *board().charts(); }
    void openLog()
    {
        m_fake->chosenPath = m_folder->filePath(QStringLiteral("endurance.log"));
        window().actions().open->trigger();
        QTRY_COMPARE(window().space(), MainWindow::Space::Board);
        QTRY_COMPARE(board().source(), BoardView::Source::Log);
        QTRY_VERIFY(cellOf(*board().table(), "total, W", BoardTable::Mean) != QStringLiteral("–"));
    }
    std::int64_t startNs() { return board().series().time().startNs; }
    QPoint at(double part)
    {
        const QRect plot = charts().plot();
        return {plot.left() + static_cast<int>(part * plot.width()), 40};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestBoardView::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QFile file(m_folder->filePath(QStringLiteral("endurance.log")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(logText());
    file.close();
    m_fake = std::make_unique<FakeWindow>();
    window().allowMotion(false);
    window().resize(1600, 1000);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
}

void TestBoardView::aLogOpensTheBoard()
{
    openLog();
    QVERIFY(!window().trace().hasTrace());
    QCOMPARE(board().title(), QString("endurance.log"));
    QCOMPARE(window().bar()->tabs()->detail(static_cast<int>(MainWindow::Space::Board)), QString("endurance.log"));
    QVERIFY2(board().verdictText().startsWith(QStringLiteral("The GPU was probably throttled for 20 s")),
             qPrintable(board().verdictText()));
    QStringList groups;
    for (const BoardRow &row : charts().rows().all())
        groups += QString::fromUtf8(groupName(row.group).data());
    QCOMPARE(groups.join(u','), QString("CPU,GPU,Memory bus,Memory,Temperature,Power"));
    const QString about = board().findChild<QLabel *>(QStringLiteral("traceFacts"))->text();
    QVERIFY2(about.contains(QStringLiteral("Jetson AGX Orin, told from its rails; 3 cores, 65.9 GB")),
             qPrintable(about));
    window().showSpace(MainWindow::Space::Trace);
    QVERIFY(!window().trace().head().isVisible()); // Nothing is open there.
}

void TestBoardView::figuresAreOfTheWholeLog()
{
    openLog();
    const BoardTable &table = *board().table();
    QCOMPARE(cellOf(table, "total, W", BoardTable::Min), QString("38.0"));
    QCOMPARE(cellOf(table, "total, W", BoardTable::Max), QString("42.0"));
    QCOMPARE(cellOf(table, "total, W", BoardTable::P95), QString("38.0"));
    QCOMPARE(cellOf(table, "clock, MHz", BoardTable::Max), QString("1300"));
    QCOMPARE(cellOf(table, "busiest core, %", BoardTable::Max), QString("49"));
    QCOMPARE(cellOf(table, "PMIC, °C", BoardTable::Max), QString("no row")); // It is a constant.
    // 120 readings of 38 W and one with 4 W more; nothing for the hole. The last one holds for the mean step.
    QVERIFY2(board().energy()->text().startsWith(QStringLiteral("4.57 kJ = 1.27 Wh")),
             qPrintable(board().energy()->text()));
    QVERIFY(board().energy()->text().contains(QStringLiteral("VDD_GPU_SOC: 2.40 kJ")));
    QVERIFY(board().energy()->text().contains(QStringLiteral("while throttled: 760 J")));
}

void TestBoardView::aMeasuredRangeHasItsOwnFigures()
{
    openLog();
    auto *ruler = board().findChild<BoardRuler *>();
    const int y = ruler->height() - 4;
    QTest::mousePress(ruler, Qt::LeftButton, {}, QPoint(at(0.1).x(), y));
    QTest::mouseMove(ruler, QPoint(at(0.15).x(), y));
    QTest::mouseMove(ruler, QPoint(at(0.2).x(), y));
    QTest::mouseRelease(ruler, Qt::LeftButton, {}, QPoint(at(0.2).x(), y));
    QVERIFY(charts().range());
    QTRY_COMPARE(cellOf(*board().table(), "total, W", BoardTable::Max), QString("38.0")); // Not the 42 W of later.
    charts().setFocus();
    const Interval before = charts().camera().window();
    QTest::keyClick(&charts(), Qt::Key_Z);
    QVERIFY(charts().camera().window().endNs - charts().camera().window().startNs
            < (before.endNs - before.startNs) / 5);
    QTest::keyClick(&charts(), Qt::Key_Backspace);
    QCOMPARE(charts().camera().window(), before);
    QTest::keyClick(&charts(), Qt::Key_Escape);
    QVERIFY(!charts().range());
    QTRY_COMPARE(cellOf(*board().table(), "total, W", BoardTable::Max), QString("42.0"));
}

void TestBoardView::theCursorStepsAndIsHeld()
{
    openLog();
    QTest::mouseMove(&charts(), at(0.5));
    QTRY_VERIFY(std::abs(charts().cursorNs() - startNs() - 65 * kSecond) < 8 * kSecond);
    QTest::mouseClick(&charts(), Qt::LeftButton, {}, at(0.5));
    QVERIFY(charts().isHeld());
    const std::int64_t heldNs = charts().cursorNs();
    QTest::mouseMove(&charts(), at(0.8));
    QCOMPARE(charts().cursorNs(), heldNs); // It no longer follows.
    QTest::keyClick(&charts(), Qt::Key_Right);
    QVERIFY(charts().cursorNs() > heldNs && charts().cursorNs() <= heldNs + kSecond);
    QCOMPARE((charts().cursorNs() - startNs()) % kSecond, std::int64_t(0)); // On a reading.
    const std::int64_t nextNs = charts().cursorNs();
    QTest::keyClick(&charts(), Qt::Key_Right);
    QCOMPARE(charts().cursorNs(), nextNs + kSecond);
    QTest::keyClick(&charts(), Qt::Key_Left);
    QCOMPARE(charts().cursorNs(), nextNs);
    charts().hold(startNs() + 30 * kSecond);
    QCOMPARE(cellOf(*board().table(), "total, W", BoardTable::Value), QString("42.0"));
    QTRY_VERIFY(board().energy()->text().contains(QStringLiteral("up to the cursor: 1.14 kJ")));
    charts().hold(startNs() + 104 * kSecond); // In the hole.
    QCOMPARE(cellOf(*board().table(), "total, W", BoardTable::Value), QString("–"));
    QTest::keyClick(&charts(), Qt::Key_Escape);
    QVERIFY(!charts().isHeld());
}

void TestBoardView::gesturesMoveTheView()
{
    openLog();
    const Interval whole = charts().camera().window();
    const QPoint place = at(0.5);
    QWheelEvent wheel(place, charts().mapToGlobal(place), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(&charts(), &wheel);
    const Interval zoomed = charts().camera().window();
    QVERIFY(zoomed.endNs - zoomed.startNs < whole.endNs - whole.startNs);
    QTest::mousePress(&charts(), Qt::LeftButton, {}, place);
    QTest::mouseMove(&charts(), place + QPoint(40, 0));
    QTest::mouseMove(&charts(), place + QPoint(100, 0));
    QTest::mouseRelease(&charts(), Qt::LeftButton, {}, place + QPoint(100, 0));
    QVERIFY(charts().camera().window().startNs < zoomed.startNs);
    QVERIFY(!charts().isHeld()); // A drag is no click.
    QTest::keyClick(&charts(), Qt::Key_F);
    const Interval again = charts().camera().window();
    QVERIFY(std::abs((again.endNs - again.startNs) - (whole.endNs - whole.startNs)) < kSecond / 1000);
}

void TestBoardView::eventsAreListedAndShown()
{
    openLog();
    BoardEventList &list = *board().eventList();
    QCOMPARE(list.topLevelItemCount(), 2);
    QCOMPARE(list.topLevelItem(0)->text(BoardEventList::What), QString("GPU throttled by heat"));
    QCOMPARE(list.topLevelItem(0)->text(BoardEventList::At), QString("14:31:00"));
    QCOMPARE(list.topLevelItem(0)->text(BoardEventList::For), QString("20 s"));
    QCOMPARE(list.topLevelItem(0)->text(BoardEventList::Sure), QString("probably"));
    QCOMPARE(list.topLevelItem(1)->text(BoardEventList::What), QString("no readings"));
    QCOMPARE(list.topLevelItem(1)->text(BoardEventList::Sure), QString("measured"));
    charts().setFocus();
    QTest::keyClick(&charts(), Qt::Key_E);
    QCOMPARE(charts().cursorNs(), startNs() + 60 * kSecond);
    QCOMPARE(list.currentItem(), list.topLevelItem(0));
    QTest::keyClick(&charts(), Qt::Key_E);
    QCOMPARE(list.currentItem(), list.topLevelItem(1));
    QTest::keyClick(&charts(), Qt::Key_E, Qt::ShiftModifier);
    QCOMPARE(list.currentItem(), list.topLevelItem(0));
    const Interval before = charts().camera().window();
    emit list.itemActivated(list.topLevelItem(1), 0);
    QVERIFY(charts().camera().window().endNs - charts().camera().window().startNs < before.endNs - before.startNs);
}

void TestBoardView::groupsCloseAndAreRemembered()
{
    openLog();
    const BoardRow gpu = charts().rows().all()[1];
    const int rows = board().table()->rowCount();
    QTest::mouseDClick(&charts(), Qt::LeftButton, {}, QPoint(20, gpu.top + 10));
    QVERIFY(!charts().rows().all()[1].isOpen);
    QVERIFY(charts().rows().all()[1].height < gpu.height / 2);
    QCOMPARE(board().table()->rowCount(), rows - 2);
    QVERIFY(board().findChild<QToolButton *>(QStringLiteral("boardGroups"))->text().contains(QStringLiteral("5 of")));
    auto *menu = board().findChild<QToolButton *>(QStringLiteral("boardGroups"))->menu();
    emit menu->aboutToShow();
    QAction *action = menu->actions()[1];
    QCOMPARE(action->text(), QString("GPU"));
    QVERIFY(!action->isChecked());
    action->trigger();
    QVERIFY(charts().rows().all()[1].isOpen);
    QTemporaryDir home;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home.path());
    {
        Settings settings(Settings::Use::Normal);
        BoardView view("", settings);
        view.charts()->setClosed({BoardGroup::Power});
        view.save();
    }
    Settings settings(Settings::Use::Normal);
    QCOMPARE(BoardView("", settings).charts()->closed(), std::set<BoardGroup>({BoardGroup::Power}));
}

void TestBoardView::theTableIsReachedByKeys()
{
    openLog();
    charts().setFocus();
    for (int i = 0; i < 20 && !board().table()->hasFocus(); ++i)
        QTest::keyClick(window().focusWidget(), Qt::Key_Tab);
    QVERIFY(board().table()->hasFocus());
    QTest::keyClick(board().table(), Qt::Key_C, Qt::ControlModifier);
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(QStringLiteral("total, W\t")), qPrintable(copied));
    QAccessibleInterface *table = QAccessible::queryAccessibleInterface(board().table());
    QVERIFY(table && table->tableInterface());
    const int rows = table->tableInterface()->rowCount();
    QStringList names;
    for (int row = 0; row < rows; ++row)
        names += table->tableInterface()->cellAt(row, 0)->text(QAccessible::Name);
    QVERIFY2(names.contains(QStringLiteral("GPU, load, %")), qPrintable(names.join(u'\n')));
}

void TestBoardView::aNarrowWindowHasNoTable()
{
    openLog();
    QVERIFY(!board().table()->isColumnHidden(BoardTable::P95));
    window().resize(1200, 700);
    QTRY_VERIFY(board().table()->isColumnHidden(BoardTable::P95));
    QVERIFY(!board().table()->isColumnHidden(BoardTable::Max));
    board().resize(800, 500);
    QVERIFY(!board().table()->isVisible());
    QTRY_VERIFY(charts().plot().width() > 400);
}

void TestBoardView::aLogMayBeATraceToo()
{
    openLog();
    auto *asTrace = board().findChild<QToolButton *>(QStringLiteral("boardAsTrace"));
    QVERIFY(asTrace->isVisible());
    asTrace->click();
    QTRY_COMPARE(window().space(), MainWindow::Space::Trace);
    QTRY_VERIFY(window().trace().hasTrace());
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    QCOMPARE(window().session().trace().spanCount(), std::uint64_t(0));
    QVERIFY2(window().trace().head().verdictText().contains(QStringLiteral("throttled")),
             qPrintable(window().trace().head().verdictText()));
}

void TestBoardView::theCountersOfATraceAreShown()
{
    openLog();
    board().findChild<QToolButton *>(QStringLiteral("boardAsTrace"))->click();
    QTRY_VERIFY(window().trace().hasTrace() && !window().trace().opener().job().isRunning());
    window().showSpace(MainWindow::Space::Board);
    auto *sources = board().findChild<QComboBox *>(QStringLiteral("boardSource"));
    QCOMPARE(sources->count(), 3);
    sources->setCurrentIndex(2);
    emit sources->activated(2);
    QCOMPARE(board().source(), BoardView::Source::Trace);
    QCOMPARE(board().events().size(), std::size_t(2));
    sources->setCurrentIndex(1);
    emit sources->activated(1);
    QCOMPARE(board().source(), BoardView::Source::Log);
    QCOMPARE(board().series().readings(), std::uint64_t(120));
    emit sources->activated(0);
    QCOMPARE(board().source(), BoardView::Source::Machine);
    emit sources->activated(1);
    QCOMPARE(board().series().readings(), std::uint64_t(120)); // It was kept.
}

/// They come from another thread: here they are ready, and not yet received, when another board is shown.
void TestBoardView::figuresOfTheBoardBeforeAreNotShown()
{
    openLog();
    auto *sources = board().findChild<QComboBox *>(QStringLiteral("boardSource"));
    for (int i = 0; i < 30; ++i) {
        charts().setRange(Interval{startNs(), startNs() + (10 + i) * kSecond});
        QTest::qSleep(80); // The figures are due,
        QCoreApplication::processEvents();
        QTest::qSleep(5); // and computed. What is shown now has no power.
        emit sources->activated(0);
        QCOMPARE(board().source(), BoardView::Source::Machine);
        QCoreApplication::processEvents();
        QVERIFY(!board().hasFigures());
        emit sources->activated(1);
        QTRY_VERIFY(board().hasFigures());
    }
}

void TestBoardView::theMachineIsReadWhileVisible()
{
    BoardTree tree(testing::boardExamples()[3]);
    Settings settings(Settings::Use::Ignore);
    BoardView view(tree.root(), settings);
    QTest::qWait(0);
    QVERIFY(view.series().trace().empty());
    view.resize(1300, 900);
    view.show();
    const auto load = [&view] {
        const CounterTrack *track = view.series().find("GPU load");
        return track && track->endIndex() > 0 ? track->at(track->endIndex() - 1).second : -1;
    };
    QTRY_COMPARE(load(), 73.5);
    tree.write("sys/class/devfreq/17000000.gpu/device/load", "500\n");
    QTRY_COMPARE(load(), 50.0);
    QVERIFY(view.page()->topLevelItemCount() > 0);
    view.hide();
    tree.write("sys/class/devfreq/17000000.gpu/device/load", "100\n");
    view.show();
    QTRY_COMPARE(load(), 10.0);
}

void TestBoardView::theMachineIsReadWhileALogIsWritten()
{
    const BoardTree tree(testing::boardExamples()[3]);
    const QString path = m_folder->filePath(QStringLiteral("hidden.csv"));
    Settings settings(Settings::Use::Ignore);
    BoardView view(tree.root(), settings); // Never shown.
    const auto lines = [&path] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
    };
    const QSignalSpy ended(view.logger(), &BoardLogger::ended);
    view.logger()->start(path);
    QTRY_VERIFY(lines() >= 3);
    view.logger()->stop();
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(ended.at(0).at(1).toULongLong(), qulonglong(lines() - 1));
    QCOMPARE(ended.at(0).at(2).toString(), QString());
}

void TestBoardView::aLogIsWrittenAndOpens()
{
    BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const auto facts = std::make_shared<const BoardFacts>(
        BoardFacts{readBoardIdentity(tree.root()), sampler.layout(), "", 1'700'000'000 * kSecond});
    QAction *log = window().actions().logBoard;
    window().showSpace(MainWindow::Space::Board);
    m_fake->chosenPath.clear(); // The user cancels.
    log->trigger();
    QVERIFY(!board().logger()->isLogging());
    m_fake->chosenPath = m_folder->filePath(QStringLiteral("mine"));
    const QString path = m_fake->chosenPath + QStringLiteral(".csv");
    log->trigger();
    QVERIFY(board().logger()->isLogging());
    QCOMPARE(log->text(), QStringLiteral("Stop the log"));
    QCOMPARE(board().detail(), QStringLiteral("writes a log"));
    for (int i = 0; i < 4; ++i) {
        tree.write("sys/class/devfreq/17000000.gpu/device/load", QByteArray::number(500 + i) + '\n');
        board().take(facts, sampler.sample(i * kSecond));
    }
    log->trigger();
    QTRY_COMPARE(window().messages()->text(), QStringLiteral("4 readings of this board are in mine.csv."));
    QCOMPARE(log->text(), QStringLiteral("Log this board…"));
    const std::map<std::string, double> wanted = [&] {
        std::map<std::string, double> values;
        for (std::size_t i = 0; i < sampler.items().size(); ++i)
            if (sampler.state().values[i].known() && !sampler.items()[i].unit.empty())
                values[sampler.items()[i].name] = *sampler.state().values[i].value;
        return values;
    }();
    QVERIFY(wanted.size() > 10);
    board().take(facts, sampler.sample(4 * kSecond)); // Is not in the log any more.
    window().messages()->findChild<QPushButton *>()->click();
    QTRY_COMPARE(board().source(), BoardView::Source::Log);
    const BoardSeries &series = board().series();
    QCOMPARE(series.readings(), std::uint64_t(4));
    int found = 0; // Sums that the board makes itself are not taken.
    for (const auto &[name, value] : wanted) {
        const CounterTrack *track = series.find(name);
        found += track ? 1 : 0;
        if (track)
            QCOMPARE(track->valueAt(series.time().startNs + 3 * kSecond), std::optional(value));
    }
    QVERIFY(found > 10);
    QVERIFY2(board().title() == QStringLiteral("mine.csv"), qPrintable(board().title()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("\n2023-11-14T22:13:23.000Z,"));
}

void TestBoardView::aLogThatCannotBeWrittenSaysWhy()
{
    const BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const auto facts =
        std::make_shared<const BoardFacts>(BoardFacts{readBoardIdentity(tree.root()), sampler.layout(), ""});
    const auto write = [&](const QString &path) {
        m_fake->chosenPath = path;
        window().actions().logBoard->trigger();
        board().take(facts, sampler.sample(kSecond));
        return QTest::qWaitFor([this] { return !board().logger()->isLogging(); });
    };
    QVERIFY(write(m_folder->filePath(QStringLiteral("none/mine.csv"))));
    QTRY_VERIFY2(window().messages()->text().contains(QStringLiteral("none/mine.csv")),
                 qPrintable(window().messages()->text()));
    const QString there = m_folder->filePath(QStringLiteral("endurance.log"));
    QVERIFY(write(there));
    QTRY_VERIFY2(window().messages()->text().contains(QStringLiteral("exists")),
                 qPrintable(window().messages()->text()));
    QFile file(there);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), logText());
    QCOMPARE(window().actions().logBoard->text(), QStringLiteral("Log this board…"));
}

void TestBoardView::theMachineStartsWithAMinute()
{
    const BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const auto facts =
        std::make_shared<const BoardFacts>(BoardFacts{readBoardIdentity(tree.root()), sampler.layout(), ""});
    Settings settings(Settings::Use::Ignore);
    BoardView view("", settings);
    view.resize(1400, 900);
    view.show();
    BoardState state = sampler.sample(100 * kSecond);
    for (int i = 0; i < 4; ++i) {
        state.timeNs = 100 * kSecond + i * kSecond / 2;
        view.take(facts, state);
    }
    const Interval shown = view.charts()->camera().window();
    QVERIFY(std::abs(shown.endNs - shown.startNs - BoardCharts::kFollowedNs) < kSecond);
    QVERIFY(view.charts()->isFollowing());
    QTest::keyClick(view.charts(), Qt::Key_A);
    QVERIFY(!view.charts()->isFollowing());
    const Interval moved = view.charts()->camera().window();
    state.timeNs += 2 * kSecond;
    view.take(facts, state);
    QCOMPARE(view.charts()->camera().window(), moved); // It stays where the user looks.
    QTest::keyClick(view.charts(), Qt::Key_H);
    QVERIFY(view.charts()->isFollowing());
    state.timeNs += 60 * kSecond; // The page was hidden.
    view.take(facts, state);
    QCOMPARE(view.series().gaps().size(), std::size_t(1));
    QVERIFY(std::any_of(view.events().begin(), view.events().end(),
                        [](const BoardEvent &event) { return event.kind == BoardEvent::Kind::Missing; }));
}

void TestBoardView::whatTheMachineLacksHasAReason()
{
    const BoardTree tree;
    BoardSampler sampler(tree.root());
    const auto facts =
        std::make_shared<const BoardFacts>(BoardFacts{readBoardIdentity(tree.root()), sampler.layout(), ""});
    Settings settings(Settings::Use::Ignore);
    BoardView view("", settings);
    view.take(facts, sampler.sample(kSecond));
    QMenu *menu = view.findChild<QToolButton *>(QStringLiteral("boardGroups"))->menu();
    emit menu->aboutToShow();
    for (const QAction *action : menu->actions())
        QVERIFY2(action->isEnabled() || action->text().contains(QStringLiteral(": ")), qPrintable(action->text()));
    QVERIFY(!menu->actions().back()->isEnabled());
    const QString lacks = view.findChild<QLabel *>(QStringLiteral("boardLacks"))->text();
    QVERIFY2(lacks.contains(QStringLiteral("Fan: this machine has no such sensor")), qPrintable(lacks));
    QCOMPARE(lacks.count(QStringLiteral("no such sensor")), 1); // Once for all groups without one.
}

void TestBoardView::otherUnitsHaveAScaleOfTheirOwn()
{
    BoardSeries series({{0, "fan", "%", {}}, {1, "fan speed", "rpm", {}}, {2, "temperature tj", "°C", {}}});
    const std::vector<CounterSample> samples = {{0, 40, 0}, {0, 2140, 1}, {0, 61, 2}, {kSecond, 50, 2}};
    series.add(samples);
    series.setLimits({{"temperature tj", "throttles", 99}, {"temperature off", "shuts down", 140, true}});
    BoardRows rows;
    rows.build(series, {}, 0, 16, false);
    QCOMPARE(rows.all().size(), std::size_t(2));
    const BoardRow &temperature = rows.all()[0];
    QCOMPARE(temperature.limits.size(), std::size_t(1)); // The other sensor is not shown.
    QCOMPARE(temperature.limits.front().text, QString("99 throttles"));
    QCOMPARE(temperature.axisTop, 110.0); // The limit is in view.
    const BoardRow &fan = rows.all()[1];
    QCOMPARE(fan.axisTop, 40.0);
    QVERIFY(fan.rightTop >= 2140);
    QCOMPARE(fan.rightUnit, QString("rpm"));
}

void TestBoardView::theHelpHasItsKeys()
{
    window().showSpace(MainWindow::Space::Board);
    window().actions().help->trigger();
    auto *help = window().findChild<HelpOverlay *>();
    QVERIFY(help->accessibleDescription().contains(QStringLiteral("Next or previous event")));
}

JETSCOPE_TEST(TestBoardView)
#include "tst_boardview.moc"
