// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What screen readers are told, the timeline as a table, and reduced motion.
#include "tests/support/samplefiles.h"
#include "tests/support/testprogram.h"
#include "ui/attach/programdialog.h"
#include "ui/board/boardview.h"
#include "ui/board/devicepage.h"
#include "ui/frames/framesview.h"
#include "ui/measure/sweepdialog.h"
#include "ui/measure/tunedialog.h"
#include "ui/selection/spandialog.h"
#include "ui/selection/tracepanel.h"
#include "ui/session/notelist.h"
#include "ui/session/traceselection.h"
#include "ui/share/problemdialog.h"
#include "ui/style/style.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"
#include "ui/window/tracestart.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QProxyStyle>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSet>
#include <QSettings>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace jetscope;

namespace {

/// A desktop without animations.
class CalmStyle : public QProxyStyle {
public:
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *data) const override
    {
        return hint == SH_Widget_Animation_Duration ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
    }
};

/// A part of a widget of Qt, which reads the name of the whole.
bool isPartOfAnother(const QWidget *widget)
{
    return widget->objectName().startsWith(QStringLiteral("qt_"))
        || (widget->focusProxy() && widget->focusProxy() != widget)
        || (widget->parentWidget() && widget->parentWidget()->focusProxy() == widget);
}

/// Focusable widgets below one that have no name or no role.
QStringList unnamedOnes(QWidget *window)
{
    QStringList unnamed;
    for (QWidget *widget : window->findChildren<QWidget *>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || isPartOfAnother(widget))
            continue;
        const QAccessibleInterface *found = QAccessible::queryAccessibleInterface(widget);
        const QString name = found ? found->text(QAccessible::Name).trimmed() : QString();
        // Qt gives areas that scroll no role of their own.
        const bool hasRole = found && found->role() != QAccessible::NoRole
            && (found->role() != QAccessible::Client || qobject_cast<QScrollArea *>(widget));
        if (!name.isEmpty() && hasRole)
            continue;
        unnamed += QStringLiteral("%1 \"%2\" named \"%3\"%4 in %5")
                       .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(), name,
                            hasRole ? QString() : QStringLiteral(" without a role"),
                            QLatin1String(widget->parentWidget()->metaObject()->className()));
    }
    return unnamed;
}

/// What a screen reader lacks of a table or tree: its name, its size, its titles or the texts of its cells.
QStringList tableFaults(const QAbstractItemView &view)
{
    const QAbstractItemModel &model = *view.model();
    view.indexAt({}); // Lays out what has come.
    QAccessibleInterface *found = QAccessible::queryAccessibleInterface(const_cast<QAbstractItemView *>(&view));
    QAccessibleTableInterface *cells = found ? found->tableInterface() : nullptr;
    if (!cells)
        return {QStringLiteral("is no table")};
    QStringList faults;
    if (found->text(QAccessible::Name).trimmed().isEmpty())
        faults += QStringLiteral("has no name");
    const auto *tree = qobject_cast<const QTreeView *>(&view);
    if (cells->columnCount() != model.columnCount() || (!tree && cells->rowCount() != model.rowCount())
        || (tree && cells->rowCount() == 0 && tree->indexAt({1, 1}).isValid()))
        faults += QStringLiteral("has %1x%2 cells").arg(cells->columnCount()).arg(cells->rowCount());
    const bool hasTitles = !tree || !tree->isHeaderHidden();
    for (int column = 0; hasTitles && column < model.columnCount(); ++column)
        if (cells->columnDescription(column).trimmed().isEmpty())
            faults += QStringLiteral("has no title of column %1").arg(column);
    for (int row = 0; row < std::min(model.rowCount(), 20); ++row)
        for (int column = 0; !tree && column < model.columnCount(); ++column) {
            const QString text = model.index(row, column).data().toString();
            QAccessibleInterface *cell = cells->cellAt(row, column);
            if (!text.isEmpty() && (!cell || cell->text(QAccessible::Name).trimmed().isEmpty()))
                faults += QStringLiteral("does not tell \"%1\"").arg(text);
        }
    QModelIndex index = view.indexAt({1, 1}); // The first that is not hidden.
    for (int row = 0; tree && index.isValid() && row < 20; ++row, index = tree->indexBelow(index))
        for (int column = 0; column < model.columnCount(); ++column) {
            const QString text = index.siblingAtColumn(column).data().toString();
            QAccessibleInterface *cell = cells->cellAt(row, column);
            if (!text.isEmpty() && (!cell || cell->text(QAccessible::Name).trimmed().isEmpty()))
                faults += QStringLiteral("does not tell \"%1\"").arg(text);
        }
    // Without a screen reader, Qt does not renew the cells of a model that was reset.
    QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(found));
    return faults;
}

} // namespace

class TestAccessibility : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { m_fake.reset(); }
    void everyFocusableWidgetHasANameAndARole();
    void dialogsToo();
    void emptyTabsSayWhatWouldFillThem();
    void tablesAreTablesToScreenReaders();
    void spansOfAFrameAreATable();
    void rowsOfAFormerTraceAreGone();
    void aRowIsShownOnTheTimeline();
    void longRangesAreCut();
    void withoutSpansTheTableSaysHowToGetThem();
    void theDesktopReducesMotion();
    void theUserReducesMotion();

private:
    MainWindow &window() { return m_fake->window(); }
    void lookAtTables(QStringList &faults);
    SpanDialog *listSpans()
    {
        QTest::keyClick(&window(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        return window().findChild<SpanDialog *>();
    }

    QSet<const QAbstractItemView *> m_tables;
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestAccessibility::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowActive(&window())); // Only then it takes shortcuts.
    QVERIFY(m_fake->open());
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
}

void TestAccessibility::everyFocusableWidgetHasANameAndARole()
{
    QStringList unnamed;
    for (int tab = 0; tab < window().tabs()->count(); ++tab) {
        window().tabs()->setCurrentIndex(tab);
        QApplication::processEvents();
        for (const QString &each : unnamedOnes(&window()))
            if (!unnamed.contains(each))
                unnamed += each;
    }
    for (const MainWindow::Space space : {MainWindow::Space::Board, MainWindow::Space::Trace}) {
        window().showSpace(space);
        QApplication::processEvents();
        unnamed += unnamedOnes(&window());
    }
    window().showSpace(MainWindow::Space::Live);
    window().tabs()->setCurrentWidget(window().timeline());
    QTest::keyClick(window().timeline(), Qt::Key_BracketRight); // The figures of a frame,
    window().actions().find->trigger();                         // the search bar,
    window().actions().lockPanels->trigger();                   // the title bars of panels,
    window().actions().help->trigger();                         // and the keys.
    QApplication::processEvents();
    unnamed += unnamedOnes(&window());
    unnamed.removeDuplicates();
    QVERIFY2(unnamed.isEmpty(), qPrintable(unnamed.join(u'\n')));
}

void TestAccessibility::dialogsToo()
{
    for (QAction *action :
         {window().actions().sweep, window().actions().tune, window().actions().inspectProgram,
          window().actions().reportProblem, window().actions().listSpans, window().actions().documentation})
        action->trigger();
    QApplication::processEvents();
    QStringList unnamed;
    int dialogs = 0;
    for (QDialog *dialog : window().findChildren<QDialog *>()) {
        unnamed += unnamedOnes(dialog);
        QVERIFY(!dialog->windowTitle().isEmpty());
        const QSize least = dialog->minimumSizeHint();
        const QSize lowScreen(1024, 600 - 40); // Less a title bar.
        QVERIFY2(
            least.boundedTo(lowScreen) == least,
            qPrintable(
                QStringLiteral("%1 needs %2x%3").arg(dialog->windowTitle()).arg(least.width()).arg(least.height())));
        ++dialogs;
    }
    QCOMPARE(dialogs, 6);
    QVERIFY2(unnamed.isEmpty(), qPrintable(unnamed.join(u'\n')));
}

/// Before anything was opened: a sentence with what appears there or what to do.
void TestAccessibility::emptyTabsSayWhatWouldFillThem()
{
    m_fake = std::make_unique<FakeWindow>();
    m_fake->failWith = "no such camera; choose another";
    QVERIFY(m_fake->open());
    window().show();
    // Facts of the machine fill their sections at any moment; those of the device wait for a pipeline.
    window().findChild<DevicePage *>()->selectSection(QStringLiteral("What works"));
    for (int tab = 0; tab < window().tabs()->count(); ++tab) {
        window().tabs()->setCurrentIndex(tab);
        QApplication::processEvents();
        const QWidget *page = window().tabs()->currentWidget();
        QStringList texts = {window().timeline()->isVisible() ? window().timeline()->emptyText() : QString()};
        for (const FramesView *frames : page->findChildren<FramesView *>())
            texts += frames->emptyText();
        for (const QLabel *label : page->findChildren<QLabel *>())
            if (label->isVisible())
                texts += label->text();
        const QString all = texts.join(u' ');
        const bool says = all.contains(QRegularExpression(
            QStringLiteral("appears? here|measures every combination|Enter an SQL query|Pin the present")));
        QVERIFY2(says, qPrintable(window().tabs()->tabText(tab) + QStringLiteral(": ") + all));
    }
    window().showSpace(MainWindow::Space::Trace);
    const auto *start = window().findChild<TraceStart *>();
    QVERIFY(start->isVisible() && start->findChild<QPushButton *>(QStringLiteral("openTrace"))->isVisible());
}

void TestAccessibility::lookAtTables(QStringList &faults)
{
    QApplication::processEvents();
    for (const QAbstractItemView *view : window().findChildren<QAbstractItemView *>()) {
        if (!view->isVisible() || !view->model() || view->model()->rowCount() == 0
            || !(qobject_cast<const QTableView *>(view) || qobject_cast<const QTreeView *>(view)))
            continue;
        m_tables.insert(view);
        for (const QString &fault : tableFaults(*view))
            faults += QStringLiteral("%1 \"%2\" %3")
                          .arg(QLatin1String(view->metaObject()->className()), view->accessibleName(), fault);
    }
}

/// In every workspace, with something in them.
void TestAccessibility::tablesAreTablesToScreenReaders()
{
    m_tables.clear();
    QStringList faults;
    const auto look = [&](QTabWidget &tabs) {
        for (int tab = 0; tab < tabs.count(); ++tab) {
            tabs.setCurrentIndex(tab);
            lookAtTables(faults);
        }
    };
    QVERIFY(writeCapture(m_home->filePath(QStringLiteral("frames.jscope")), 60));
    QVERIFY(writeBoardLog(m_home->filePath(QStringLiteral("board.log"))));
    look(*window().tabs());
    m_fake->chosenPath = m_home->filePath(QStringLiteral("frames.jscope"));
    window().actions().open->trigger();
    QTRY_COMPARE(window().trace().session().phase(), Session::Phase::File);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    m_fake->poll();
    window().tracePanels().notes().add({1'000, 2'000}, QStringLiteral("here"));
    look(*window().tabs());
    window().tracePanels().selection().selectFrame(7);
    TracePanel *panel = window().tracePanels().panel();
    for (const TracePanel::Tab tab : {TracePanel::Where, TracePanel::Top, TracePanel::Flame, TracePanel::Details}) {
        panel->setTab(tab);
        QTRY_VERIFY(panel->isDone());
        lookAtTables(faults);
    }
    m_fake->chosenPath = m_home->filePath(QStringLiteral("board.log"));
    window().actions().open->trigger();
    QTRY_COMPARE(window().board()->source(), BoardView::Source::Log);
    QTRY_VERIFY(window().board()->hasFigures());
    look(*window().board()->tabs());
    faults.removeDuplicates();
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    QVERIFY2(m_tables.size() >= 8, qPrintable(QString::number(m_tables.size())));
}

void TestAccessibility::spansOfAFrameAreATable()
{
    const Trace &trace = window().session().trace();
    TraceSelection &selection = window().tracePanels().selection();
    selection.selectFrame(5);
    SpanDialog *dialog = listSpans();
    QVERIFY(dialog && dialog->isVisible());
    QTRY_VERIFY(dialog->view()->hasFocus());
    const SpanTable &table = dialog->table();
    const Interval period = selection.frame()->period;
    QVERIFY(table.time().startNs == period.startNs && table.time().endNs == period.endNs);
    // All of them, and in order.
    std::uint64_t within = 0;
    for (const SpanTrack &track : trace.tracks()) {
        const auto [first, last] = track.range(period.startNs, period.endNs);
        within += last - first;
    }
    QVERIFY(within > 3);
    QCOMPARE(static_cast<std::uint64_t>(table.rowCount()), within);
    for (int row = 1; row < table.rowCount(); ++row)
        QVERIFY(table.row(row).startNs >= table.row(row - 1).startNs);
    // As a screen reader sees it.
    QAccessibleInterface *view = QAccessible::queryAccessibleInterface(dialog->view());
    QAccessibleTableInterface *cells = view->tableInterface();
    QVERIFY(cells);
    QCOMPARE(cells->rowCount(), table.rowCount());
    QCOMPARE(cells->columnDescription(SpanTable::Lane), QStringLiteral("Lane"));
    const QString lane = cells->cellAt(0, SpanTable::Lane)->text(QAccessible::Name);
    QVERIFY2(lane.startsWith(QStringLiteral("Lane ")) && lane.size() > 5, qPrintable(lane));
    QVERIFY(view->text(QAccessible::Description).contains(QStringLiteral("frame 5")));
    // It follows the selection.
    selection.selectFrame(6);
    QVERIFY(table.time().startNs == selection.frame()->period.startNs);
    QVERIFY(dialog->title().contains(QStringLiteral("frame 6")));
}

/// Rows are places in the trace that they were made from.
void TestAccessibility::rowsOfAFormerTraceAreGone()
{
    SpanDialog *dialog = listSpans();
    QVERIFY(dialog->table().rowCount() > 0);
    QVERIFY(m_fake->open());
    QVERIFY(window().session().trace().empty());
    QCOMPARE(dialog->table().rowCount(), 0);
    dialog->view()->viewport()->repaint();
}

void TestAccessibility::aRowIsShownOnTheTimeline()
{
    window().tabs()->setCurrentIndex(1);
    TraceSelection &selection = window().tracePanels().selection();
    selection.selectFrame(30);
    SpanDialog *dialog = listSpans();
    for (int i = 0; i < 2; ++i)
        QTest::keyClick(dialog->view(), Qt::Key_Down);
    QCOMPARE(dialog->view()->currentIndex().row(), 2);
    const TraceSpan span = dialog->table().row(2);
    const int rows = dialog->table().rowCount();
    QTest::keyClick(dialog->view(), Qt::Key_Return);
    QVERIFY(selection.span().has_value());
    QCOMPARE(selection.span()->bar.span.startNs, span.startNs);
    QCOMPARE(selection.span()->bar.span.durationNs, span.durationNs);
    QCOMPARE(dialog->table().rowCount(), rows); // The rows stay under the keyboard.
    QCOMPARE(dialog->view()->currentIndex().row(), 2);
    QVERIFY(window().tabs()->currentWidget() == window().timeline());
}

void TestAccessibility::longRangesAreCut()
{
    Trace trace;
    trace.setLanes({LaneInfo{0, LaneRole::Tool, "first", {}}, LaneInfo{1, LaneRole::Tool, "second", {}}});
    const TraceName name = trace.names().intern("work", Category::Kernel);
    for (std::int64_t i = 0; i < 20'000; ++i)
        QVERIFY(trace.add(static_cast<LaneId>(i % 2), 0, {i * 10, 5, 0, 0, name}));
    TraceSelection selection(trace);
    selection.selectRange({100, 200'000});
    SpanDialog dialog(trace, selection);
    QCOMPARE(static_cast<std::size_t>(dialog.table().rowCount()), SpanTable::kMaxRows);
    QCOMPARE(dialog.table().leftOut(), std::uint64_t{20'000 - 10} - SpanTable::kMaxRows);
    QCOMPARE(dialog.table().row(0).startNs, std::int64_t{100});
    QCOMPARE(dialog.table().row(4'999).startNs, std::int64_t{100 + 49'990});
    QVERIFY2(dialog.title().contains(QStringLiteral("are left out")), qPrintable(dialog.title()));
}

void TestAccessibility::withoutSpansTheTableSaysHowToGetThem()
{
    const Trace trace;
    TraceSelection selection(trace);
    const SpanDialog dialog(trace, selection);
    QCOMPARE(dialog.table().rowCount(), 0);
    QVERIFY2(dialog.title().contains(QStringLiteral("open a capture")), qPrintable(dialog.title()));
}

void TestAccessibility::theDesktopReducesMotion()
{
    QVERIFY(!window().actions().reduceMotion->isChecked());
    qApp->setStyle(new CalmStyle);
    QVERIFY(desktopReducesMotion());
    FakeWindow other;
    QVERIFY(other.window().actions().reduceMotion->isChecked());
    qApp->setStyle(QStringLiteral("Fusion"));
    QVERIFY(!desktopReducesMotion());
}

void TestAccessibility::theUserReducesMotion()
{
    TimelineView *timeline = window().timeline();
    window().allowMotion(true);
    const auto zoomMoves = [timeline] {
        timeline->fitAll();
        QTRY_COMPARE(timeline->camera().target().nsPerPixel, timeline->scale().nsPerPixel);
        timeline->camera().show({100'000'000, 110'000'000});
        return;
    };
    zoomMoves();
    QVERIFY(timeline->camera().target().nsPerPixel != timeline->scale().nsPerPixel); // On its way.
    window().actions().reduceMotion->trigger();
    zoomMoves();
    QCOMPARE(timeline->camera().target().nsPerPixel, timeline->scale().nsPerPixel); // It jumped.
    // A timeline that follows rests for a second between its steps.
    const auto endNs = [timeline] { return timeline->camera().window().endNs; };
    timeline->follow();
    const std::int64_t before = endNs();
    scriptFrames(m_fake->pipeline(), 60, 20);
    QElapsedTimer sinceStep;
    QTRY_VERIFY((sinceStep.start(), m_fake->poll(), endNs() > before));
    const std::int64_t shown = endNs();
    scriptFrames(m_fake->pipeline(), 80, 20);
    m_fake->poll();
    const std::int64_t resting = endNs();
    if (sinceStep.elapsed() < 1000) // Else a busy machine took the second.
        QCOMPARE(resting, shown);
    QTRY_VERIFY((m_fake->poll(), endNs() > shown));
    // It is remembered.
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    QVERIFY(window().actions().reduceMotion->isChecked());
}

JETSCOPE_TEST(TestAccessibility)
#include "tst_accessibility.moc"
