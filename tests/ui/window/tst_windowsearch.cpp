// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The search in the menu bar, going back in the choices, and choices by name.
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/files/recentfiles.h"
#include "ui/session/presets.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/commandsearch.h"
#include "ui/window/tracepanels.h"

#include <QAbstractButton>
#include <QApplication>
#include <QListWidget>
#include <QMenu>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

class TestWindowSearch : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void cleanup() { m_fake.reset(); }
    void aCommandIsFoundAndRuns();
    void whatIsDisabledDoesNotRun();
    void aLaneIsShown();
    void aNameIsSearchedOnTheTimeline();
    void aRecentFileIsOpened();
    void escapeGivesTheFocusBack();
    void choicesAreUndoneAndDoneAgain();
    void refusedChoicesAreForgotten();
    void choicesHaveNames();

private:
    MainWindow &window() { return m_fake->window(); }
    QListWidget *hits() { return window().search()->list(); }
    void type(const QString &words);
    QAction *preset(const QString &name);

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestWindowSearch::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QVERIFY(m_fake->open());
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
}

void TestWindowSearch::type(const QString &words)
{
    QTest::keyClick(&window(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(window().search()->hasFocus());
    QTest::keyClicks(window().search(), words);
    QVERIFY(hits()->isVisible());
}

void TestWindowSearch::aCommandIsFoundAndRuns()
{
    type(QStringLiteral("light th"));
    QCOMPARE(hits()->count(), 1);
    QVERIFY2(hits()->item(0)->text().startsWith(QStringLiteral("Light theme")), qPrintable(hits()->item(0)->text()));
    QTest::keyClick(window().search(), Qt::Key_Return);
    QVERIFY(!theme().dark);
    QVERIFY(!hits()->isVisible());
    window().actions().lightTheme->trigger();
}

void TestWindowSearch::whatIsDisabledDoesNotRun()
{
    QVERIFY(!window().actions().unpin->isEnabled());
    type(QStringLiteral("unpin a"));
    QVERIFY(!hits()->item(0)->flags().testFlag(Qt::ItemIsEnabled));
    QTest::keyClick(window().search(), Qt::Key_Return);
    QVERIFY(hits()->isVisible()); // Nothing happened.
}

void TestWindowSearch::aLaneIsShown()
{
    window().tabs()->setCurrentIndex(2);
    type(QStringLiteral("cuda stream"));
    QTest::keyClick(window().search(), Qt::Key_Return);
    QCOMPARE(window().tabs()->currentWidget(), static_cast<QWidget *>(window().timeline()));
    const auto &span = window().tracePanels().selection().span();
    QVERIFY(span.has_value());
    const Trace &trace = window().session().trace();
    QCOMPARE(trace.lane(trace.tracks()[span->track].lane())->name, std::string("CUDA stream 0"));
}

void TestWindowSearch::aNameIsSearchedOnTheTimeline()
{
    type(QStringLiteral("threshold"));
    int row = 0;
    while (row < hits()->count() && !hits()->item(row)->text().contains(QStringLiteral("Span")))
        ++row;
    QVERIFY(row < hits()->count());
    for (int i = 0; i < row; ++i)
        QTest::keyClick(window().search(), Qt::Key_Down);
    QTest::keyClick(window().search(), Qt::Key_Return);
    const TraceSelection &selection = window().tracePanels().selection();
    QTRY_VERIFY(selection.span().has_value());
    QCOMPARE(window().session().trace().names().text(selection.span()->bar.span.name), std::string("threshold"));
}

void TestWindowSearch::aRecentFileIsOpened()
{
    Settings settings(Settings::Use::Normal);
    RecentFiles(settings).add(QStringLiteral("/nowhere/weekend.jscope"), QStringLiteral("3 s"));
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().show();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QVERIFY(m_fake->open());
    type(QStringLiteral("weekend"));
    QVERIFY(hits()->item(0)->text().contains(QStringLiteral("/nowhere")));
    QTest::mouseClick(hits()->viewport(), Qt::LeftButton, {}, hits()->visualItemRect(hits()->item(0)).center());
    QTRY_VERIFY(window().messages()->text().contains(QStringLiteral("could not be opened")));
}

void TestWindowSearch::escapeGivesTheFocusBack()
{
    window().timeline()->setFocus();
    type(QStringLiteral("pa"));
    QTest::keyClick(window().search(), Qt::Key_Escape);
    QVERIFY(!hits()->isVisible());
    QVERIFY(window().timeline()->hasFocus());
}

void TestWindowSearch::choicesAreUndoneAndDoneAgain()
{
    const auto choose = [this](const char *name) {
        QTest::mouseClick(window().findChild<QAbstractButton *>(QLatin1String(name)), Qt::LeftButton);
        m_fake->pipeline().accept();
        m_fake->poll();
    };
    QVERIFY(!window().actions().undo->isEnabled());
    const PipelineConfig first = window().session().wanted();
    choose("zero-copy");
    const PipelineConfig second = window().session().wanted();
    choose("finish");
    QVERIFY(window().actions().undo->isEnabled());
    QVERIFY(window().actions().undo->toolTip().contains(QStringLiteral("sync: finish")));
    window().live().video()->setFocus();
    const auto press = [this](Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(&window(), Qt::Key_Z, modifiers);
        m_fake->pipeline().accept();
        m_fake->poll();
    };
    press(Qt::ControlModifier);
    QVERIFY(window().session().wanted() == second);
    QVERIFY(m_fake->pipeline().changes.back() == second);
    press(Qt::ControlModifier);
    QVERIFY(window().session().wanted() == first);
    QVERIFY(!window().actions().undo->isEnabled());
    press(Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(window().session().wanted() == second);
    choose("stream"); // Another way on ends what could be done again.
    QVERIFY(!window().actions().redo->isEnabled());
}

void TestWindowSearch::refusedChoicesAreForgotten()
{
    QTest::mouseClick(window().findChild<QAbstractButton *>(QStringLiteral("unified")), Qt::LeftButton);
    QVERIFY(window().actions().undo->isEnabled());
    m_fake->pipeline().refuse("out of memory");
    m_fake->poll();
    QVERIFY(!window().actions().undo->isEnabled());
    QVERIFY(!window().actions().redo->isEnabled());
}

QAction *TestWindowSearch::preset(const QString &name)
{
    for (QMenu *menu : window().findChildren<QMenu *>()) {
        if (menu->title() != QStringLiteral("Presets"))
            continue;
        emit menu->aboutToShow();
        for (QAction *action : menu->actions())
            if (action->text() == name)
                return action;
    }
    return nullptr;
}

void TestWindowSearch::choicesHaveNames()
{
    const PipelineConfig first = window().session().wanted();
    m_fake->chosenText = QStringLiteral("my\n choices ");
    QVERIFY(preset(QStringLiteral("Keep the present choices…")));
    preset(QStringLiteral("Keep the present choices…"))->trigger();
    PipelineConfig other = first;
    other.memory = MemoryKind::Registered;
    other.framesInFlight = 3;
    window().session().change(other);
    m_fake->pipeline().accept();
    m_fake->poll();
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal); // They are remembered.
    QVERIFY(m_fake->open());
    window().session().change(other);
    m_fake->pipeline().accept();
    m_fake->poll();
    QVERIFY(preset(QStringLiteral("my choices")));
    preset(QStringLiteral("my choices"))->trigger();
    QVERIFY(window().session().wanted() == first);
    Settings settings(Settings::Use::Normal);
    Presets(settings).remove(QStringLiteral("my choices"));
    QVERIFY(Presets(settings).all().isEmpty());
}

JETSCOPE_TEST(TestWindowSearch)
#include "tst_windowsearch.moc"
