// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A first session with the keyboard alone: what is needed is reached by keys, and it is always seen where they go.
#include "tests/support/samplefiles.h"
#include "tests/support/testprogram.h"
#include "ui/selection/topmodel.h"
#include "ui/selection/topview.h"
#include "ui/selection/tracepanel.h"
#include "ui/session/traceselection.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/tracepanels.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHeaderView>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <optional>

using namespace jetscope;

class TestKeysPath : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup() { m_fake.reset(); }
    void aTraceIsReadByKeys();
    void aChoiceIsMadeAndUndoneByKeys();
    void tabGoesRoundInEachWorkspace();

private:
    MainWindow &window() { return m_fake->window(); }
    TracePanel &panel() { return *window().tracePanels().panel(); }
    static QString widgetName(const QWidget *widget)
    {
        return widget ? QStringLiteral("%1 \"%2\"")
                            .arg(QLatin1String(widget->metaObject()->className()),
                                 widget->objectName() + widget->accessibleName())
                      : QStringLiteral("nothing");
    }
    /// To what has the focus, as a keyboard would.
    void press(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget *focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &window(), Qt::Key(key), modifiers);
        QApplication::processEvents();
    }
    /// Why it is not seen where keys go; empty if it is.
    static QString hiddenFocus()
    {
        const QWidget *focus = QApplication::focusWidget();
        if (!focus)
            return QStringLiteral("nothing has the focus");
        QRect seen = focus->rect(); // visibleRegion() would leave out what children cover.
        for (const QWidget *outer = focus; !outer->isWindow(); outer = outer->parentWidget())
            seen = seen.translated(outer->pos()) & outer->parentWidget()->rect();
        if (!focus->isVisible() || seen.width() < std::min(focus->width(), 12)
            || seen.height() < std::min(focus->height(), 12))
            return widgetName(focus) + QStringLiteral(" has the focus and is not seen");
        return {};
    }
    /// Presses Tab until `isThere`; at most once round.
    QString tabTo(const std::function<bool(const QWidget &)> &isThere);
    void showPanelTab(TracePanel::Tab tab);
    void openByKeys();
    void stepThroughAName(const QTableView &table);

    QTemporaryDir m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestKeysPath::initTestCase()
{
    applyTheme(*qApp, darkTheme());
    QVERIFY(writeCapture(m_folder.filePath(QStringLiteral("first.jscope")), 60));
}

void TestKeysPath::init()
{
    m_fake = std::make_unique<FakeWindow>();
    window().allowMotion(false);
    window().resize(1366, 768);
    window().show();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
}

QString TestKeysPath::tabTo(const std::function<bool(const QWidget &)> &isThere)
{
    constexpr int kMostStops = 120;
    QStringList stops;
    for (int i = 0; i < kMostStops; ++i) {
        const QWidget *focus = QApplication::focusWidget();
        if (focus && isThere(*focus))
            return hiddenFocus();
        press(Qt::Key_Tab);
        if (const QString fault = hiddenFocus(); !fault.isEmpty())
            return fault;
        stops += widgetName(QApplication::focusWidget());
    }
    return QStringLiteral("not reached from ") + stops.mid(0, 40).join(QStringLiteral(", "));
}

#define VERIFY_FOCUS QVERIFY2(hiddenFocus().isEmpty(), qPrintable(hiddenFocus()))
#define REACH(condition)                                                                                               \
    do {                                                                                                               \
        const QString fault = tabTo(condition);                                                                        \
        QVERIFY2(fault.isEmpty(), qPrintable(fault));                                                                  \
    } while (false)

void TestKeysPath::openByKeys()
{
    m_fake->chosenPath = m_folder.filePath(QStringLiteral("first.jscope"));
    press(Qt::Key_O, Qt::ControlModifier);
    QTRY_COMPARE(window().trace().session().phase(), Session::Phase::File);
    QTRY_VERIFY(!window().trace().opener().job().isRunning());
    m_fake->poll();
    QCOMPARE(window().space(), MainWindow::Space::Trace);
    VERIFY_FOCUS;
}

void TestKeysPath::showPanelTab(TracePanel::Tab tab)
{
    const auto *bar = panel().findChild<QTabWidget *>()->tabBar();
    REACH([bar](const QWidget &focus) { return &focus == bar; });
    for (int i = 0; i < 4 && panel().tab() != tab; ++i)
        press(panel().tab() < tab ? Qt::Key_Right : Qt::Key_Left);
    QCOMPARE(panel().tab(), tab);
    QTRY_VERIFY(panel().isDone());
    VERIFY_FOCUS;
}

/// Of the whole trace: within the period of a span, there may be one of its name only.
void TestKeysPath::stepThroughAName(const QTableView &table)
{
    const auto &selection = window().tracePanels().selection();
    REACH([this](const QWidget &focus) { return &focus == window().timeline(); });
    press(Qt::Key_Escape);
    QVERIFY(!selection.span());
    QTRY_VERIFY(panel().isDone());
    REACH([&table](const QWidget &focus) { return &focus == &table; });
    press(Qt::Key_Down);
    QVERIFY(table.currentIndex().isValid());
    const QString name = table.currentIndex().siblingAtColumn(TopModel::Name).data().toString();
    std::optional<std::int64_t> before;
    for (int step = 0; step < 3; ++step) {
        press(Qt::Key_Return);
        QTRY_VERIFY(selection.span());
        const TraceSpan &span = selection.span()->bar.span;
        QVERIFY(toQString(window().session().trace().names().text(span.name)).startsWith(name));
        QVERIFY2(!before || span.startNs > *before, "the next span is the one of before");
        before = span.startNs;
        QTRY_VERIFY(panel().isDone());
    }
}

void TestKeysPath::aTraceIsReadByKeys()
{
    openByKeys();
    REACH([this](const QWidget &focus) { return &focus == window().timeline(); });
    press(Qt::Key_Right);
    const auto &selection = window().tracePanels().selection();
    QVERIFY(selection.span());
    QTRY_VERIFY(panel().isVisible());
    for (const TracePanel::Tab tab : {TracePanel::Details, TracePanel::Flame, TracePanel::Where, TracePanel::Top})
        showPanelTab(tab);
    // The table of what took most is sorted,
    QTableView *table = panel().top()->table();
    REACH([table](const QWidget &focus) { return &focus == table; });
    const int sorted = table->horizontalHeader()->sortIndicatorSection();
    press(Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(table->horizontalHeader()->sortIndicatorSection() != sorted);
    press(Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(table->horizontalHeader()->sortIndicatorOrder(), Qt::AscendingOrder);
    // and steps through the spans of a name.
    stepThroughAName(*table);
    press(Qt::Key_Escape);
    VERIFY_FOCUS;
    showPanelTab(TracePanel::Flame);
    // A command is found and run, and the focus is where it was.
    const QWidget *before = QApplication::focusWidget();
    press(Qt::Key_K, Qt::ControlModifier);
    QVERIFY(window().search()->hasFocus());
    QTest::keyClicks(window().search(), QStringLiteral("light th"));
    press(Qt::Key_Return);
    QVERIFY(!theme().dark);
    QCOMPARE(QApplication::focusWidget(), before);
    window().actions().lightTheme->setChecked(false);
    for (const int space : {2, 0, 1}) {
        press(Qt::Key_1 + space, Qt::AltModifier);
        QCOMPARE(static_cast<int>(window().space()), space);
        VERIFY_FOCUS;
    }
}

void TestKeysPath::aChoiceIsMadeAndUndoneByKeys()
{
    press(Qt::Key_2, Qt::AltModifier);
    press(Qt::Key_1, Qt::AltModifier);
    Session &session = window().live().session();
    press(Qt::Key_F5);
    QTRY_COMPARE(session.phase(), Session::Phase::Open);
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    VERIFY_FOCUS;
    const MemoryKind before = session.wanted().memory;
    const auto *present = window().findChild<QAbstractButton *>(toQString(nameOf(before)));
    QVERIFY(present && present->isChecked());
    REACH([present](const QWidget &focus) { return &focus == present; });
    press(Qt::Key_Down);
    m_fake->pipeline().accept();
    m_fake->poll();
    QVERIFY(session.wanted().memory != before);
    VERIFY_FOCUS;
    press(Qt::Key_Z, Qt::ControlModifier);
    m_fake->pipeline().accept();
    m_fake->poll();
    QCOMPARE(session.wanted().memory, before);
    VERIFY_FOCUS;
}

/// Tab comes back to where it began, and stops at nothing that is not seen.
void TestKeysPath::tabGoesRoundInEachWorkspace()
{
    openByKeys();
    QVERIFY(m_fake->open());
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    for (const int space : {0, 1, 2}) {
        press(Qt::Key_1 + space, Qt::AltModifier);
        const QWidget *start = QApplication::focusWidget();
        QVERIFY(start);
        press(Qt::Key_Tab);
        REACH([start](const QWidget &focus) { return &focus == start; });
    }
}

JETSCOPE_TEST(TestKeysPath)
#include "tst_keyspath.moc"
