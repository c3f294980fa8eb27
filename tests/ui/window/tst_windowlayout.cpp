// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/live/controlspanel.h"
#include "ui/measure/baselinetable.h"
#include "ui/selection/namefigurestable.h"
#include "ui/selection/selectionpanel.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/figuresbar.h"
#include "ui/window/livehead.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowcompare.h"
#include "ui/window/workspacebar.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QMap>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace jetscope;

/// Distribution of space in the window, on large and small screens.
class TestWindowLayout : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void figuresMoveNothing();
    void figuresHaveTheFirstClaimOnRoom_data();
    void figuresHaveTheFirstClaimOnRoom();
    void theBarWidensAgain();
    void firstChoicesAndBaselineAreAboveTheFold();
    void tabsThatDoNotFitHaveArrows();
    void figuresOfASelectionAreNotCut_data() { figuresHaveTheFirstClaimOnRoom_data(); }
    void figuresOfASelectionAreNotCut();
    void aThemeMovesNothing_data() { figuresHaveTheFirstClaimOnRoom_data(); }
    void aThemeMovesNothing();

private:
    MainWindow &window() { return m_fake->window(); }
    QAbstractButton *button(const char *name) { return window().findChild<QAbstractButton *>(QLatin1String(name)); }

    std::unique_ptr<FakeWindow> m_fake;
};

void TestWindowLayout::init()
{
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
}

void TestWindowLayout::figuresMoveNothing()
{
    window().resize(1600, 1000);
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    const auto places = [this] {
        QMap<QString, QRect> all;
        const auto add = [&](const QString &name, const QWidget *widget) {
            all[name] = QRect(widget->mapTo(&window(), QPoint()), widget->size());
        };
        add(QStringLiteral("video"), window().live().video());
        add(QStringLiteral("panel"), window().live().controls());
        add(QStringLiteral("figures"), window().figures());
        for (const QAbstractButton *button : window().live().controls()->findChildren<QAbstractButton *>())
            add(button->objectName() + button->text() + button->accessibleName(), button);
        for (const QWidget *parent : {static_cast<QWidget *>(window().figures()),
                                      static_cast<QWidget *>(window().live().controls()->baseline())}) {
            const auto labels = parent->findChildren<QLabel *>();
            for (qsizetype i = 0; i < labels.size(); ++i)
                add(QStringLiteral("label %1 of %2").arg(i).arg(parent->metaObject()->className()), labels[i]);
        }
        return all;
    };
    const auto before = places();
    QVERIFY(before.size() > 20);
    window().live().compare().pinned().pin();
    std::uint32_t first = 60;
    for (const std::int64_t periodNs : {1'000, 16'666'667, 999'999'999}) {
        for (const bool otherFilters : {false, true}) {
            scriptFrames(m_fake->pipeline(), first, 60);
            for (FrameFigures &frame : m_fake->pipeline().update.figures) {
                frame.overlap = {periodNs, periodNs / 2, periodNs / 2, periodNs / 3, periodNs / 3};
                frame.frameNs = frame.latencyNs = frame.waitSyncNs = periodNs * 90;
                frame.bytesCopied = 88'800'000;
            }
            m_fake->pipeline().notice(PipelineNotice::Kind::Switched, "memory: pinned → unified-attach", first);
            m_fake->pipeline().state.config.memory = MemoryKind::UnifiedAttach;
            m_fake->pipeline().state.config.filters =
                otherFilters ? std::vector{Filter::Gaussian15} : std::vector<Filter>();
            m_fake->poll();
            m_fake->pipeline().state.droppedBySource += 1'234'567;
            m_fake->poll();
            QApplication::processEvents();
            first += 60;
            const auto now = places();
            QStringList moved;
            for (auto place = before.begin(); place != before.end(); ++place)
                if (now.contains(place.key()) && now[place.key()] != place.value())
                    moved << QDebug::toString(place.key()) + QDebug::toString(place.value())
                            + QDebug::toString(now[place.key()]);
            QVERIFY2(moved.isEmpty(), qPrintable(moved.join(u'\n')));
        }
    }
    // No text is cut off.
    for (const QLabel *label : window().live().controls()->baseline()->findChildren<QLabel *>())
        if (label->property("table") == QStringLiteral("value"))
            QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
    for (const QLabel *label : window().figures()->findChildren<QLabel *>())
        QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
}

/// Figures are never cut off: source and device are elided first.
void TestWindowLayout::figuresHaveTheFirstClaimOnRoom_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1600x1000") << QSize(1600, 1000);
    QTest::newRow("1366x768") << QSize(1366, 768);
    QTest::newRow("1024x600") << QSize(1024, 600);
    QTest::newRow("1920x1200 at scale 2") << QSize(960, 600);
}

void TestWindowLayout::figuresHaveTheFirstClaimOnRoom()
{
    QFETCH(QSize, size);
    window().resize(size);
    m_fake->pipeline().state.source.description = std::string(200, 'x');
    m_fake->pipeline().state.facts.name = "a & " + std::string(60, 'y');
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    QApplication::processEvents();
    QCOMPARE(window().width(), size.width());
    const QWidget *bar = window().bar();
    for (const QLabel *label : window().figures()->findChildren<QLabel *>()) {
        QVERIFY2(label->visibleRegion().boundingRect().width() >= label->sizeHint().width(), qPrintable(label->text()));
        QVERIFY(label->mapTo(bar, QPoint(label->width(), 0)).x() <= bar->width());
    }
    for (const char *name : {"source", "device"})
        QVERIFY(window().live().head().findChild<QToolButton *>(QLatin1String(name))->width() >= 60);

    // Everything else is visible.
    const auto isWhole = [this](const QWidget *widget) {
        return widget->isVisible() && widget->visibleRegion().boundingRect().size() == widget->size()
            && window().rect().contains(QRect(widget->mapTo(&window(), QPoint()), widget->size()));
    };
    QVERIFY(isWhole(window().findChild<QWidget *>(QStringLiteral("moreAdvice"))));
    QVERIFY(isWhole(window().findChild<QWidget *>(QStringLiteral("traceState"))));
    QVERIFY(isWhole(window().live().controls()));
    QVERIFY(isWhole(window().tabs()));
    const QTabBar *tabs = window().tabs()->tabBar();
    QVERIFY(tabs->rect().contains(tabs->tabRect(tabs->count() - 1)));
    QVERIFY(window().live().video()->height() >= 150);
    QVERIFY(window().timeline()->height() >= 150);
}

void TestWindowLayout::figuresOfASelectionAreNotCut()
{
    QFETCH(QSize, size);
    window().resize(size);
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    QTest::keyClick(window().timeline(), Qt::Key_BracketRight);
    const SelectionPanel *panel = window().tracePanels().figures();
    QTRY_VERIFY(!panel->visibleRegion().isEmpty());
    QTRY_VERIFY(panel->isDone());
    // The panel scrolls vertically only.
    QTRY_VERIFY(panel->width() <= panel->parentWidget()->width());
    const QList<QLabel *> labels = panel->findChildren<QLabel *>();
    QVERIFY(labels.size() > 26);
    for (const QLabel *label : labels) {
        QTRY_VERIFY2(label->isHidden() || label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        QVERIFY2(panel->rect().contains(QRect(label->mapTo(panel, QPoint()), label->size())),
                 qPrintable(label->text()));
    }
    // The table shows whole columns and scrolls to the others by itself.
    auto *table = panel->findChild<QTableView *>();
    const int room = table->viewport()->width();
    for (int column = 0; column < NameFiguresTable::Columns; ++column) {
        const int left = table->columnViewportPosition(column);
        QVERIFY2(left >= room || left + table->columnWidth(column) <= room, qPrintable(QString::number(column)));
    }
    QVERIFY(table->columnWidth(NameFiguresTable::Name) >= 100);
    table->scrollTo(panel->table().index(0, NameFiguresTable::Max));
    QVERIFY(table->visualRect(panel->table().index(0, NameFiguresTable::Max)).right() <= room);
    QTRY_VERIFY(table->viewport()->height() >= 2 * table->rowHeight(0));
}

void TestWindowLayout::theBarWidensAgain()
{
    const QList<QToolButton *> buttons = window().bar()->findChildren<QToolButton *>();
    const auto words = [&] {
        return std::count_if(buttons.begin(), buttons.end(), [](const QToolButton *button) {
            return button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
        });
    };
    window().resize(1600, 1000);
    QApplication::processEvents();
    const auto all = words();
    QVERIFY(all >= 6); // Three tools each of Live and Trace.
    QVERIFY(!window().bar()->tabs()->isCompact());
    const int height = window().bar()->height();
    window().resize(960, 600);
    QTRY_COMPARE(words(), 0); // The tools show icons only, and the tabs one line.
    QTRY_VERIFY(window().bar()->tabs()->isCompact());
    QTRY_VERIFY(window().bar()->height() < height); // The layout follows by events of its own.
    window().resize(1600, 1000);
    QTRY_COMPARE(words(), all);
    QTRY_COMPARE(window().bar()->height(), height);
}

void TestWindowLayout::firstChoicesAndBaselineAreAboveTheFold()
{
    window().resize(1600, 1000);
    window().messages()->show(MessageBar::Kind::Info, QStringLiteral("What is said at the first start."));
    QApplication::processEvents();
    const QWidget *filters = window().findChild<QListWidget *>(QStringLiteral("filterList"));
    for (const QWidget *widget :
         std::initializer_list<const QWidget *>{filters, button("pinned"), button("eglsync"), button("pinBaseline")})
        QCOMPARE(widget->visibleRegion().boundingRect().size(), widget->size());
}

void TestWindowLayout::aThemeMovesNothing()
{
    QFETCH(QSize, size);
    window().resize(size);
    for (int i = 0; i < 5; ++i) // Also of the tab that is highest.
        QApplication::processEvents();
    window().live().showTab(window().live().compare().page());
    const auto places = [this] {
        for (int i = 0; i < 5; ++i)
            QApplication::processEvents();
        QList<QRect> all;
        for (const QWidget *widget : std::initializer_list<const QWidget *>{
                 window().timeline(), window().live().video(), button("pinned"), button("pinBaseline")})
            all += QRect(widget->mapTo(&window(), QPoint()), widget->size());
        return all;
    };
    const QList<QRect> before = places();
    window().actions().lightTheme->trigger();
    QCOMPARE(places(), before);
    window().actions().lightTheme->trigger();
    QCOMPARE(places(), before);
}

void TestWindowLayout::tabsThatDoNotFitHaveArrows()
{
    QTabWidget tabs;
    for (const char *name : {"Timeline", "Frames", "Hazards", "Device"})
        tabs.addTab(new QWidget, QLatin1String(name));
    tabs.resize(180, 120);
    tabs.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tabs));
    int arrows = 0;
    for (QToolButton *button : tabs.tabBar()->findChildren<QToolButton *>()) {
        const QImage picture = button->grab().toImage();
        int ink = 0; // Pixels of the arrow, inside the border.
        for (int x = 4; x < picture.width() - 4; ++x)
            for (int y = 4; y < picture.height() - 4; ++y)
                ink += picture.pixel(x, y) != picture.pixel(4, 4);
        QVERIFY2(ink >= 8, qPrintable(button->accessibleName()));
        arrows += button->isVisible();
    }
    QCOMPARE(arrows, 2);
}

JETSCOPE_TEST(TestWindowLayout)
#include "tst_windowlayout.moc"
