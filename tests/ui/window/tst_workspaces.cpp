// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Live, Trace and Board beside each other, and what opens in which.
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/board/boardview.h"
#include "ui/frames/framespage.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/figuresbar.h"
#include "ui/window/livehead.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowmenus.h"

#include <QAbstractButton>
#include <QFile>
#include <QListWidget>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace jetscope;

class TestWorkspaces : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { m_fake.reset(); }
    void aStepShowsItsFrame();
    void aMenuThatWasLeftKeepsNoFocus();
    void unsafeChoicesAreNotChangedInSilence();
    void nothingOfAFormerPipelineStays();
    void workspacesKeepTheirState();
    void oneCommandOpensEverything();
    void whatWasOpenedIsOfferedAgain();

private:
    MainWindow &window() { return m_fake->window(); }
    const Trace &trace() { return window().session().trace(); }
    QAbstractButton *button(const char *name) { return window().findChild<QAbstractButton *>(QLatin1String(name)); }
    QString path(const char *name) const { return m_folder->filePath(QLatin1String(name)); }
    void key(int key, Qt::KeyboardModifiers modifiers) { QTest::keyClick(&window(), Qt::Key(key), modifiers); }
    void run(std::uint32_t first, std::uint32_t frames)
    {
        scriptFrames(m_fake->pipeline(), first, frames);
        m_fake->poll();
    }
    void open(const QString &path)
    {
        m_fake->chosenPath = path;
        key(Qt::Key_O, Qt::ControlModifier);
        QTRY_VERIFY(!window().trace().opener().job().isRunning());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestWorkspaces::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_fake = std::make_unique<FakeWindow>();
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
    QVERIFY(m_fake->open());
}

/// And not the emptiness since the pause.
void TestWorkspaces::aStepShowsItsFrame()
{
    window().allowMotion(false);
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    window().actions().pause->trigger();
    m_fake->poll();
    window().actions().step->trigger();
    scriptFrames(m_fake->pipeline(), 137, 1); // 77 periods later.
    m_fake->poll();
    const Interval shown = window().timeline()->camera().window();
    const std::int64_t newestNs = window().session().trace().newestNs();
    QVERIFY2(shown.endNs - shown.startNs < 100'000'000, qPrintable(QString::number(shown.endNs - shown.startNs)));
    QVERIFY(shown.startNs < newestNs && newestNs <= shown.endNs);
    window().actions().pause->trigger(); // It follows again when the pipeline goes on.
    m_fake->poll();
    QVERIFY(window().timeline()->isFollowing());
}

void TestWorkspaces::aMenuThatWasLeftKeepsNoFocus()
{
    auto *source = window().live().head().findChild<QToolButton *>(QStringLiteral("source"));
    source->setFocus();
    emit window().live().sourceMenu()->chosen(QStringLiteral("synthetic:?size=64x64"));
    QVERIFY(window().live().video()->hasFocus());
    QTest::keyClick(window().focusWidget(), Qt::Key_Space);
    QVERIFY(m_fake->pipeline().state.state == PipelineState::Paused);
}

void TestWorkspaces::unsafeChoicesAreNotChangedInSilence()
{
    QTest::mouseClick(button("none"), Qt::LeftButton);
    m_fake->pipeline().accept();
    m_fake->poll();
    QVERIFY(window().session().wanted().sync == SyncMode::None);
    QSignalSpy opened(&window().session(), &Session::opened);
    window().actions().retry->trigger();
    QTRY_COMPARE(opened.count(), 1);
    const bool changed = window().session().wanted().sync != SyncMode::None;
    QVERIFY2(window().messages()->text().contains(QStringLiteral("sync: none")) == changed,
             qPrintable(window().messages()->text()));
}

void TestWorkspaces::nothingOfAFormerPipelineStays()
{
    scriptFrames(m_fake->pipeline(), 0, 120);
    m_fake->poll();
    QVERIFY(!window().live().head().verdictText().isEmpty());
    m_fake->failWith = "the camera is gone; choose another";
    QVERIFY(m_fake->open());
    QCOMPARE(window().live().head().verdictText(), QString());
    QCOMPARE(window().figures()->text(FiguresBar::Rate), QStringLiteral("–"));
    QVERIFY(!window().findChild<QToolButton *>(QStringLiteral("traceState"))->isVisible());
}

void TestWorkspaces::workspacesKeepTheirState()
{
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    window().tabs()->setCurrentWidget(window().tracePanels().frames());
    window().tracePanels().selection().selectFrame(7);
    QTest::keyClick(&window(), Qt::Key_2, Qt::AltModifier);
    QCOMPARE(window().space(), MainWindow::Space::Trace);
    QVERIFY(window().tracePanels().selection().isEmpty());
    QVERIFY(!window().actions().save->isEnabled()); // No trace is open.
    QTest::keyClick(&window(), Qt::Key_3, Qt::AltModifier);
    QCOMPARE(window().space(), MainWindow::Space::Board);
    QVERIFY(window().board()->isVisible());
    scriptFrames(m_fake->pipeline(), 60, 60); // The pipeline goes on.
    m_fake->poll();
    QTest::keyClick(&window(), Qt::Key_1, Qt::AltModifier);
    QCOMPARE(window().tabs()->currentWidget(), static_cast<QWidget *>(window().tracePanels().frames()));
    QCOMPARE(window().tracePanels().selection().frame()->key, 7U);
    QCOMPARE(window().session().trace().frames().endIndex(), std::uint64_t(120));
}

void TestWorkspaces::oneCommandOpensEverything()
{
    for (const char *name : {"a.mp4", "b.PNG", "c.mkv"})
        QVERIFY2(isSourceName(QLatin1String(name)), name);
    QVERIFY(isSourceName(m_folder->path())); // A folder of pictures.
    QVERIFY(!isSourceName(QStringLiteral("a.jscope")));
    m_fake->chosenPath = QStringLiteral("/clips/street.mp4");
    key(Qt::Key_O, Qt::ControlModifier);
    QTRY_COMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t(1));
    QCOMPARE(m_fake->pipeline().sourceChanges.front(), std::string("file:/clips/street.mp4"));
    // What is neither by its name is said by the reader of traces.
    QFile file(path("model.bin"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("this is no trace") > 0);
    file.close();
    m_fake->chosenPath = file.fileName();
    key(Qt::Key_O, Qt::ControlModifier);
    QTRY_VERIFY(window().messages()->text().startsWith(QStringLiteral("The file could not be opened")));
    QCOMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t(1));
}

void TestWorkspaces::whatWasOpenedIsOfferedAgain()
{
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().show();
    QVERIFY(m_fake->open());
    run(0, 30);
    m_fake->chosenPath = path("again.jscope");
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!window().files().job().isRunning());
    open(path("again.jscope"));
    QCOMPARE(window().space(), MainWindow::Space::Trace);
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    window().show();
    window().showSpace(MainWindow::Space::Trace);
    auto *list = window().findChild<QListWidget *>(QStringLiteral("recentTraces"));
    QVERIFY(list->isVisible());
    QCOMPARE(list->count(), 1);
    QVERIFY2(list->item(0)->text().contains(QStringLiteral("30 frames")), qPrintable(list->item(0)->text()));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QTRY_VERIFY(window().session().phase() == Session::Phase::File);
    QCOMPARE(trace().spanCount(), std::uint64_t(330));
}

JETSCOPE_TEST(TestWorkspaces)
#include "tst_workspaces.moc"
