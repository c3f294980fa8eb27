// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/live/controlspanel.h"

#include <QApplication>
#include <QListWidget>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QWheelEvent>
#include <QWindow>

using namespace jetscope;

namespace {

constexpr int kDown = -120;
constexpr int kUp = 120;

/// Sends a wheel notch over the middle of the widget through the platform's event path, so that the program determines
/// receiver and focus.
void turnWheelOver(const QWidget &widget, int delta = kDown)
{
    QWindow *window = widget.window()->windowHandle();
    const QPoint at = widget.mapTo(widget.window(), widget.rect().center());
    QWheelEvent wheel(at, window->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QSpontaneKeyEvent::setSpontaneous(&wheel);
    qApp->notify(window, &wheel);
}

} // namespace

/// The wheel scrolls, and only changes widgets that have the focus.
class TestWheelGuard : public QObject {
    Q_OBJECT
private slots:
    void init();
    void scrollingThePanelChangesNoChoice();
    void theWheelAloneGivesNoFocus();
    void aBoxWithTheFocusTakesTheWheel();

private:
    ControlsPanel &panel() { return *m_fake->window().live().controls(); }
    template <class Widget>
    Widget *shown(const char *name)
    {
        auto *widget = panel().findChild<Widget *>(QLatin1String(name));
        const int middle = widget->mapTo(panel().widget(), widget->rect().center()).y();
        panel().verticalScrollBar()->setValue(middle - panel().viewport()->height() / 2);
        return widget;
    }

    std::unique_ptr<FakeWindow> m_fake;
};

void TestWheelGuard::init()
{
    m_fake = std::make_unique<FakeWindow>();
    m_fake->window().resize(1500, 700);
    m_fake->window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&m_fake->window()));
    QVERIFY(m_fake->open());
    panel().setFolded({});
}

/// Scrolls from top to bottom with the mouse at one place, and once over every widget with a value.
void TestWheelGuard::scrollingThePanelChangesNoChoice()
{
    QScrollBar *bar = panel().verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    for (int before = -1; bar->value() != before;) {
        before = bar->value();
        turnWheelOver(*panel().viewport());
    }
    QVERIFY(bar->value() > bar->maximum() / 2);
    for (const char *name : {"frames-in-flight", "streams"}) {
        const QWidget *widget = shown<QWidget>(name);
        const int before = bar->value();
        turnWheelOver(*widget, kUp);
        QVERIFY2(bar->value() < before, name);
    }
    const QWidget *first = shown<QWidget>("addFilter"); // At the top: there is room below only.
    turnWheelOver(*first);
    QVERIFY(bar->value() > 0);
    QCOMPARE(m_fake->pipeline().changes.size(), std::size_t(0));
}

void TestWheelGuard::theWheelAloneGivesNoFocus()
{
    auto *before = panel().findChild<QWidget *>(QStringLiteral("pinned"));
    before->setFocus();
    for (const char *name : {"frames-in-flight", "filterList", "addFilter"}) {
        turnWheelOver(*shown<QWidget>(name));
        QCOMPARE(QApplication::focusWidget(), before);
    }
}

void TestWheelGuard::aBoxWithTheFocusTakesTheWheel()
{
    auto *frames = shown<QSpinBox>("frames-in-flight");
    frames->setValue(3);
    m_fake->pipeline().changes.clear();
    frames->setFocus();
    turnWheelOver(*frames);
    QCOMPARE(frames->value(), 2);
    QCOMPARE(m_fake->pipeline().changes.size(), std::size_t(1));
}

JETSCOPE_TEST(TestWheelGuard)
#include "tst_wheelguard.moc"
