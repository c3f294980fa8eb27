// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/framesource.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/frames/framespage.h"
#include "ui/frames/framesview.h"
#include "ui/hazards/hazardlist.h"
#include "ui/live/controlspanel.h"
#include "ui/style/headline.h"
#include "ui/style/messagebar.h"
#include "ui/style/theme.h"
#include "ui/timeline/timelinekeys.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/errorpage.h"
#include "ui/window/figuresbar.h"
#include "ui/window/helpoverlay.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowcompare.h"
#include "ui/window/windowmenus.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

using namespace jetscope;

class TestMainWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyTheme(*qApp, darkTheme()); }
    void init();
    void cleanup();
    void aClickReachesThePipeline();
    void refusedChangesAreExplainedAndTakenBack();
    void liveFiguresAndVerdictAreShown();
    void spansThatNoFigureCountsAreTold();
    void noOverlapSaysWhy();
    void pauseAndStepByKeyboard();
    void spaceStaysWithFocusedButtons();
    void theFocusIsSeen();
    void hazardsAreCounted();
    void baselineIsPinnedByKey();
    void errorsOfferARetry();
    void anErrorShowsTheChoicesThatWereAskedFor();
    void aStoppedPipelineKeepsItsPicture();
    void devicesThatCannotBeUsedSayWhy();
    void sourcesAreChangedFromTheMenu();
    void everyOfferedSourceOpens();
    void recordIsDisabledWithItsReason();
    void keysAreListed_data();
    void keysAreListed();
    void everyActionHasHelp();
    void panelsUnlock();
    void themeSwitches();
    void layoutAndChoicesAreRemembered();
    void changesAreRememberedAtOnce();
    void nothingIsRememberedWhenIgnored();
    void pipelinesOfTheUsersAreNotRunUnasked();

private:
    MainWindow &window() { return m_fake->window(); }
    QAbstractButton *button(const char *name) { return window().findChild<QAbstractButton *>(QLatin1String(name)); }
    void show();

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeWindow> m_fake;
};

void TestMainWindow::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home->path());
    m_fake = std::make_unique<FakeWindow>();
    show();
    QVERIFY(m_fake->open());
}

void TestMainWindow::cleanup()
{
    m_fake.reset();
}

void TestMainWindow::show()
{
    window().resize(1500, 950);
    window().show();
    QVERIFY(QTest::qWaitForWindowExposed(&window()));
}

void TestMainWindow::aClickReachesThePipeline()
{
    QTest::mouseClick(button("zero-copy"), Qt::LeftButton);
    QCOMPARE(m_fake->pipeline().changes.size(), std::size_t(1));
    QVERIFY(m_fake->pipeline().changes[0].memory == MemoryKind::ZeroCopy);
    QTest::mouseClick(button("finish"), Qt::LeftButton);
    QVERIFY(m_fake->pipeline().changes[1].memory == MemoryKind::ZeroCopy);
    QVERIFY(m_fake->pipeline().changes[1].sync == SyncMode::Finish);
    m_fake->pipeline().accept();
    m_fake->poll();
    QVERIFY(button("zero-copy")->isChecked());
    QVERIFY(window().messages()->text().isEmpty());
}

void TestMainWindow::refusedChangesAreExplainedAndTakenBack()
{
    QTest::mouseClick(button("unified"), Qt::LeftButton);
    QVERIFY(button("unified")->isChecked());
    m_fake->pipeline().refuse("cudaMallocManaged: out of memory; choose a smaller picture");
    m_fake->poll();
    QVERIFY(window().messages()->isVisible());
    QVERIFY(window().messages()->text().contains(QStringLiteral("choose a smaller picture")));
    QVERIFY(button("pinned")->isChecked());
    QVERIFY(!button("unified")->isChecked());
}

void TestMainWindow::liveFiguresAndVerdictAreShown()
{
    const FiguresBar *figures = window().figures();
    QCOMPARE(figures->text(1), QStringLiteral("–")); // No measurements yet.
    scriptFrames(m_fake->pipeline(), 0, 120);
    m_fake->pipeline().state.droppedBySource = 2;
    m_fake->pipeline().state.droppedByView = 1;
    m_fake->poll();
    QCOMPARE(figures->text(0), QStringLiteral("74 %"));
    QCOMPARE(figures->text(FiguresBar::Rate), QStringLiteral("60.0"));
    QCOMPARE(figures->text(FiguresBar::LatencyMedian), QStringLiteral("9.8 ms"));
    QCOMPARE(figures->text(FiguresBar::LatencyTail), QStringLiteral("12.4 ms"));
    QCOMPARE(figures->text(FiguresBar::Dropped), QStringLiteral("3"));
    QCOMPARE(figures->text(FiguresBar::HeadroomRatio), QStringLiteral("–"));
    QVERIFY(
        figures->toolTipOf(FiguresBar::HeadroomRatio).contains(QStringLiteral("the source's own period is not known")));
    QCOMPARE(window().shown().head().verdictText(), QString::fromStdString(window().session().verdict().sentence));
    QVERIFY2(window().shown().head().verdictText().contains(QStringLiteral(" of the period")),
             qPrintable(window().shown().head().verdictText()));
}

void TestMainWindow::spansThatNoFigureCountsAreTold()
{
    const auto *spans = window().findChild<QToolButton *>(QStringLiteral("traceState"));
    m_fake->poll();
    QVERIFY2(spans->text().endsWith(QStringLiteral("0 lost")), qPrintable(spans->text()));
    m_fake->pipeline().update.missedSpans = 1'234;
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    QVERIFY2(spans->text().endsWith(QStringLiteral("%L1 not in figures").arg(1'234)), qPrintable(spans->text()));
    QVERIFY(m_fake->open()); // The next pipeline begins at 0.
    m_fake->poll();
    QVERIFY2(spans->text().endsWith(QStringLiteral("0 lost")), qPrintable(spans->text()));
}

void TestMainWindow::noOverlapSaysWhy()
{
    const FiguresBar *figures = window().figures();
    scriptFrames(m_fake->pipeline(), 0, 120);
    for (FrameFigures &frame : m_fake->pipeline().update.figures)
        frame.overlap = {16'666'667, 16'700, 7'400'000, 16'700, 16'666'667 - 7'400'000};
    m_fake->poll();
    QCOMPARE(figures->text(FiguresBar::OverlapRatio), QStringLiteral("none"));
    QCOMPARE(figures->caption(FiguresBar::OverlapRatio), QStringLiteral("CPU busy 0.1 %"));
    QVERIFY(figures->toolTipOf(FiguresBar::OverlapRatio).contains(QStringLiteral("there is nothing to overlap")));

    scriptFrames(m_fake->pipeline(), 120, 200);
    for (FrameFigures &frame : m_fake->pipeline().update.figures) {
        frame.overlap.gpuBoundedNs = 3'000'000;
        frame.overlap.bothBoundedNs = 2'000'000;
        frame.sourcePeriodNs = 12'000'000;
    }
    m_fake->poll();
    QVERIFY2(figures->text(FiguresBar::OverlapRatio).contains(u'–'),
             qPrintable(figures->text(FiguresBar::OverlapRatio)));
    QCOMPARE(figures->caption(FiguresBar::OverlapRatio), QStringLiteral("CPU‖GPU overlap"));
    QCOMPARE(figures->text(FiguresBar::HeadroomRatio), QStringLiteral("28 %"));
    QVERIFY(figures->toolTipOf(FiguresBar::HeadroomRatio).contains(QStringLiteral("the source would be the limit")));
}

void TestMainWindow::pauseAndStepByKeyboard()
{
    window().live().video()->setFocus();
    QTest::keyClick(window().live().video(), Qt::Key_Space);
    QVERIFY(m_fake->pipeline().state.state == PipelineState::Paused);
    m_fake->poll();
    QCOMPARE(window().actions().pause->text(), QStringLiteral("Resume"));
    QTest::keyClick(window().timeline(), Qt::Key_Period);
    QCOMPARE(m_fake->pipeline().steps, 1);
    QTest::keyClick(window().live().video(), Qt::Key_Space);
    QVERIFY(m_fake->pipeline().state.state == PipelineState::Running);
    m_fake->poll();
    // Space has the same function wherever the focus is.
    window().timeline()->setFocus();
    QTest::keyClick(window().timeline(), Qt::Key_Space);
    QVERIFY(window().timeline()->isFollowing());
    QVERIFY(m_fake->pipeline().state.state == PipelineState::Paused);
}

void TestMainWindow::spaceStaysWithFocusedButtons()
{
    auto *pin = window().findChild<QPushButton *>(QStringLiteral("pinBaseline"));
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    pin->setFocus();
    QTest::keyClick(pin, Qt::Key_Space);
    QVERIFY(window().live().compare().pinned().pinned().has_value());
    QVERIFY(m_fake->pipeline().state.state == PipelineState::Running);
    // Space does not change a button that is already checked.
    button("pinned")->setFocus();
    QTest::keyClick(button("pinned"), Qt::Key_Space);
    QVERIFY(m_fake->pipeline().state.state == PipelineState::Paused);
}

void TestMainWindow::theFocusIsSeen()
{
    QVERIFY(window().live().video()->hasFocus()); // Initial focus, so that Space pauses.
    window().tabs()->setCurrentWidget(window().tracePanels().frames());
    auto *bars = window().tracePanels().frames()->view();
    auto *longest = window().tracePanels().frames()->findChild<QTreeWidget *>();
    auto *filters = window().findChild<QListWidget *>(QStringLiteral("filterList"));
    const std::initializer_list<QWidget *> views = {window().live().video(), bars, longest, filters,
                                                    window().tabs()->tabBar()};
    for (QWidget *view : views) {
        view->setFocus();
        window().live().controls()->ensureWidgetVisible(view); // Like focus by Tab.
        window().resize(window().size() + QSize(1, 1));        // The ring follows.
        QApplication::processEvents();
        const QImage picture = window().grab().toImage();
        const QRect place(view->mapTo(&window(), QPoint()), view->size());
        QVERIFY2(place.width() > 20 && place.height() > 20, view->metaObject()->className());
        QCOMPARE(picture.pixelColor(place.left(), place.top() + 12), theme().accentText);
        QCOMPARE(picture.pixelColor(place.left() + 12, place.top()), theme().accentText);
        int rings = 0;
        for (const QWidget *other : views)
            rings += other->findChild<QWidget *>(QStringLiteral("focusEdge"), Qt::FindDirectChildrenOnly) != nullptr;
        QCOMPARE(rings, 1);
    }
    button("pinned")->setFocus(); // The style sheet draws its focus border.
    QVERIFY(!window().findChild<QWidget *>(QStringLiteral("focusEdge")));
}

void TestMainWindow::hazardsAreCounted()
{
    const int tab = window().tabs()->indexOf(window().hazards());
    QVERIFY(!window().tabs()->tabBar()->tabButton(tab, QTabBar::RightSide));
    for (std::uint32_t frame = 0; frame < 5; ++frame)
        m_fake->pipeline().notice(PipelineNotice::Kind::Violation, "CPU read while a kernel is in flight", frame,
                                  1'000'000'000);
    m_fake->pipeline().notice(PipelineNotice::Kind::Violation, "texture respecified after registration", 7,
                              1'100'000'000);
    m_fake->poll();
    QCOMPARE(window().hazards()->rows(), 2);
    const auto *badge = qobject_cast<QLabel *>(window().tabs()->tabBar()->tabButton(tab, QTabBar::RightSide));
    QVERIFY(badge);
    QCOMPARE(badge->text(), QStringLiteral("2"));
    QApplication::processEvents();
    QVERIFY(badge->isVisible());
    QVERIFY(window().tabs()->tabBar()->tabRect(tab).contains(badge->geometry()));
    QVERIFY(m_fake->open()); // A new run clears the hazards.
    QCOMPARE(window().hazards()->rows(), 0);
    QVERIFY(!badge->isVisible());
}

void TestMainWindow::baselineIsPinnedByKey()
{
    scriptFrames(m_fake->pipeline(), 0, 60);
    m_fake->poll();
    const PinnedComparison &compared = window().live().compare().pinned();
    QVERIFY(!compared.pinned());
    QTest::keyClick(&window(), Qt::Key_B, Qt::ControlModifier);
    QVERIFY(compared.pinned().has_value());
    QCOMPARE(compared.kept().frames().endIndex(), std::uint64_t{60});
    QTRY_VERIFY((m_fake->poll(), compared.comparison().has_value()));
    QVERIFY(qAbs(*compared.comparison()->of(Figure::FrameP50).a - 9.8) < 0.01);
}

void TestMainWindow::errorsOfferARetry()
{
    m_fake->failWith = "the file /clip.avi does not exist; choose another";
    QVERIFY(m_fake->open());
    auto *page = window().findChild<ErrorPage *>();
    QVERIFY(page->isVisible());
    bool shown = false;
    for (const QLabel *label : page->findChildren<QLabel *>())
        shown |= label->text().contains(QStringLiteral("does not exist; choose another"));
    QVERIFY(shown);
    QVERIFY(!window().live().controls()->isEnabled());
    m_fake->failWith.clear();
    QTest::mouseClick(page->findChild<QPushButton *>(QStringLiteral("retry")), Qt::LeftButton);
    QTRY_VERIFY(window().session().phase() == Session::Phase::Open);
    QVERIFY(window().live().video()->isVisible());
    QVERIFY(window().live().controls()->isEnabled());
}

void TestMainWindow::anErrorShowsTheChoicesThatWereAskedFor()
{
    SessionRequest request;
    request.config.memory = MemoryKind::Unified; // From the settings,
    request.config.filters = {Filter::Invert};
    request.fixed = {{"sync", "finish"}, {"frames-in-flight", "3"}}; // and from the command line.
    m_fake = std::make_unique<FakeWindow>(request);
    m_fake->failWith = "the camera /dev/video9 does not exist; choose another";
    show();
    QVERIFY(m_fake->open());
    QVERIFY(window().findChild<ErrorPage *>()->isVisible());
    for (const char *name : {"unified", "finish"})
        QVERIFY2(button(name)->isChecked(), name);
    QCOMPARE(window().findChild<QSpinBox *>(QStringLiteral("frames-in-flight"))->value(), 3);
    QCOMPARE(window().findChild<QListWidget *>(QStringLiteral("filterList"))->count(), 1);
}

void TestMainWindow::aStoppedPipelineKeepsItsPicture()
{
    QImage picture(64, 48, QImage::Format_RGB32);
    picture.fill(Qt::red);
    QVERIFY(m_fake->showPicture(4, picture));
    m_fake->pipeline().state.state = PipelineState::Failed;
    m_fake->pipeline().notice(PipelineNotice::Kind::Failed, "the device was lost; Retry opens it again");
    m_fake->poll();
    QVERIFY(window().live().video()->isVisible());
    QCOMPARE(window().live().video()->scene().number, 4u);
    QVERIFY(window().messages()->text().contains(QStringLiteral("device was lost")));
    const std::size_t requests = m_fake->requests.size();
    QSignalSpy opened(&window().session(), &Session::opened); // The opening thread uses the fake until then.
    for (QPushButton *each : window().messages()->findChildren<QPushButton *>())
        QTest::mouseClick(each, Qt::LeftButton);
    QTRY_COMPARE(opened.count(), 1);
    QCOMPARE(m_fake->requests.size(), requests + 1);
    QCOMPARE(m_fake->pipelinesDestroyed.load(), 1);
}

void TestMainWindow::devicesThatCannotBeUsedSayWhy()
{
    auto *menu = window().findChild<DeviceMenu *>();
    emit menu->aboutToShow();
    const QAction *cuda = menu->findChild<QAction *>(QStringLiteral("cuda:0"));
    QVERIFY(!cuda->isEnabled());
    QVERIFY(cuda->text().contains(QStringLiteral("no NVIDIA driver is loaded")));
    QCOMPARE(cuda->toolTip(), QStringLiteral("no NVIDIA driver is loaded"));
    QAction *soft = menu->findChild<QAction *>(QStringLiteral("soft:orin"));
    QVERIFY(soft->isEnabled());
    QVERIFY(soft->isChecked());
    soft->trigger();
    QCOMPARE(m_fake->pipeline().deviceChanges, std::vector<std::string>{"soft:orin"});
}

void TestMainWindow::sourcesAreChangedFromTheMenu()
{
    auto *menu = window().findChild<SourceMenu *>();
    emit menu->aboutToShow();
    menu->actions().front()->trigger();
    QCOMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t(1));
    QVERIFY(m_fake->pipeline().sourceChanges.front().find("640x480") != std::string::npos);
    m_fake->pipeline().failSourceWith = "no such camera";
    emit menu->chosen(QStringLiteral("v4l2:/dev/video9"));
    m_fake->poll();
    QVERIFY(window().messages()->text().contains(QStringLiteral("no such camera")));
}

void TestMainWindow::everyOfferedSourceOpens()
{
    auto *menu = window().findChild<SourceMenu *>();
    emit menu->aboutToShow();
    int paced = 0;
    int unpaced = 0;
    for (const QAction *action : menu->actions()) {
        if (!action->toolTip().startsWith(QStringLiteral("synthetic:")))
            continue;
        const auto source = openSource(action->toolTip().toStdString(), Pacing::Real);
        QVERIFY2(source.ok(), qPrintable(action->text()));
        const bool asFastAsPossible = action->text().contains(QStringLiteral("as fast as possible"));
        QCOMPARE(source.value()->info().live, !asFastAsPossible); // Only sources with their own rate are live.
        ++(asFastAsPossible ? unpaced : paced);
    }
    QVERIFY(paced > 2 && unpaced > 0);
}

void TestMainWindow::recordIsDisabledWithItsReason()
{
    QVERIFY(window().actions().record->isEnabled());
    m_fake->failWith = "no such file";
    QVERIFY(m_fake->open());
    QVERIFY(!window().actions().record->isEnabled());
    QCOMPARE(window().actions().record->toolTip(), QStringLiteral("There is no pipeline."));
}

void TestMainWindow::keysAreListed_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1600x1000") << QSize(1600, 1000);
    QTest::newRow("960x600") << QSize(960, 600);
}

void TestMainWindow::keysAreListed()
{
    QFETCH(QSize, size);
    window().resize(size);
    auto *overlay = window().findChild<HelpOverlay *>();
    QVERIFY(!overlay->isVisible());
    window().timeline()->setFocus(); // The help does not depend on the focus.
    QTest::keyClick(window().timeline(), Qt::Key_F1);
    QVERIFY(overlay->isVisible());
    QCOMPARE(overlay->size(), window().size());
    QApplication::processEvents();
    const auto *card = overlay->findChild<QScrollArea *>();
    const QLabel *list = overlay->findChild<QLabel *>();
    QVERIFY(overlay->rect().contains(card->geometry()));
    QVERIFY(list->height() >= list->heightForWidth(list->width()) && list->width() <= card->viewport()->width());
    const QScrollBar *bar = card->verticalScrollBar();
    QCOMPARE(bar->maximum(), std::max(0, list->height() - card->viewport()->height()));
    for (int i = 0; i < 100; ++i) // All of it can be reached.
        QTest::keyClick(overlay, Qt::Key_Down);
    QCOMPARE(bar->value(), bar->maximum());
    QVERIFY(overlay->isVisible());
    const QString text = list->text();
    for (const char *key : {"Space", "F1", "Ctrl+Q", "Ctrl+O", "End", "Delete"})
        QVERIFY2(text.contains(QLatin1String(key)), key);
    for (const auto &[keys, what] : timelineKeys()) {
        QVERIFY2(text.contains(keys.toHtmlEscaped()), qPrintable(keys));
        QVERIFY2(text.contains(what.toHtmlEscaped()), qPrintable(what));
    }
    QTest::keyClick(overlay, Qt::Key_Escape);
    QVERIFY(!overlay->isVisible());
    QVERIFY(window().timeline()->hasFocus()); // The timeline has the focus again.
}

void TestMainWindow::everyActionHasHelp()
{
    QSet<QKeySequence> keys;
    for (const QAction *action : window().actions().all) {
        QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
        if (action->shortcut().isEmpty())
            continue;
        QVERIFY2(!keys.contains(action->shortcut()), qPrintable(action->text()));
        keys.insert(action->shortcut());
    }
    QVERIFY(keys.size() > 12);
}

void TestMainWindow::panelsUnlock()
{
    auto *dock = window().findChild<QDockWidget *>(QStringLiteral("controlsDock"));
    QVERIFY(dock->titleBarWidget());
    window().actions().lockPanels->trigger();
    QVERIFY(!dock->titleBarWidget());
    dock->setFloating(true);
    QVERIFY(dock->isFloating());
    dock->setFloating(false);
    window().actions().lockPanels->trigger();
    QVERIFY(dock->titleBarWidget());
}

void TestMainWindow::themeSwitches()
{
    const QImage dark = window().grab().toImage();
    window().actions().lightTheme->trigger();
    const QImage light = window().grab().toImage();
    QVERIFY(dark.pixelColor(5, 5).lightness() < 80);
    QVERIFY(light.pixelColor(5, 5).lightness() > 180);
    window().actions().lightTheme->trigger();
}

void TestMainWindow::layoutAndChoicesAreRemembered()
{
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    show();
    QVERIFY(m_fake->open());
    QTest::mouseClick(button("registered"), Qt::LeftButton);
    m_fake->pipeline().accept();
    m_fake->poll();
    window().actions().showBefore->trigger();
    auto *dock = window().findChild<QDockWidget *>(QStringLiteral("controlsDock"));
    window().live().addDockWidget(Qt::LeftDockWidgetArea, dock);
    window().close();

    const Settings settings(Settings::Use::Normal);
    QVERIFY(settings.request().config.memory == MemoryKind::Registered);
    m_fake = std::make_unique<FakeWindow>(settings.request(), Settings::Use::Normal);
    show();
    QVERIFY(m_fake->open());
    QVERIFY(button("registered")->isChecked());
    QVERIFY(!window().actions().showBefore->isChecked());
    QVERIFY(!m_fake->pipeline().inputsWanted);
    dock = window().findChild<QDockWidget *>(QStringLiteral("controlsDock"));
    QCOMPARE(window().live().dockWidgetArea(dock), Qt::LeftDockWidgetArea);
}

/// A killed program cannot save settings, so they are saved periodically.
void TestMainWindow::changesAreRememberedAtOnce()
{
    m_fake = std::make_unique<FakeWindow>(SessionRequest(), Settings::Use::Normal);
    show();
    QVERIFY(m_fake->open());
    const auto written = [this] { // Reads the file: values in memory would be lost.
        QFile file(m_home->filePath(QStringLiteral("jetscope/jetscope.ini")));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QTRY_VERIFY_WITH_TIMEOUT(written().contains("[window]") && written().contains("before=true"), 30'000);
    QTest::mouseClick(button("registered"), Qt::LeftButton);
    m_fake->pipeline().accept();
    m_fake->poll();
    window().actions().showBefore->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(written().contains("memory=registered") && written().contains("before=false"), 30'000);
}

void TestMainWindow::pipelinesOfTheUsersAreNotRunUnasked()
{
    SessionRequest request;
    request.source = "gst:videotestsrc ! tee name=t t. ! filesink location=/tmp/x t.";
    request.asksFirst = true;
    m_fake = std::make_unique<FakeWindow>(request);
    show();
    window().session().open();
    auto *run = window().findChild<QPushButton *>(QStringLiteral("retry"));
    QVERIFY(run && run->isVisible() && run->text() == "Run it");
    QVERIFY(m_fake->requests.empty());
    bool isShown = false;
    for (const QLabel *label : window().findChildren<QLabel *>())
        isShown = isShown || (label->isVisible() && label->text().contains("location=/tmp/x"));
    QVERIFY(isShown);
    QTest::mouseClick(run, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(m_fake->asked.load(), std::size_t(1), 30'000);
    QCOMPARE(m_fake->requests[0].source, request.source);

    m_fake = std::make_unique<FakeWindow>(request);
    show();
    window().session().open();
    m_fake->failWith = "it cannot be opened";
    window().session().changeSource("file:/clip.avi"); // The user chose it, so no question is needed.
    QTRY_COMPARE_WITH_TIMEOUT(m_fake->asked.load(), std::size_t(1), 30'000);
    QCOMPARE(m_fake->requests[0].source, std::string("file:/clip.avi"));
    run = window().findChild<QPushButton *>(QStringLiteral("retry"));
    QTRY_COMPARE_WITH_TIMEOUT(run->text(), QString("Retry"), 30'000);
}

void TestMainWindow::nothingIsRememberedWhenIgnored()
{
    QTest::mouseClick(button("registered"), Qt::LeftButton);
    m_fake->pipeline().accept();
    m_fake->poll();
    window().close();
    QVERIFY(Settings(Settings::Use::Normal).request().config == PipelineConfig());
    QVERIFY(Settings(Settings::Use::Normal).bytes("window/geometry").isEmpty());
}

JETSCOPE_TEST(TestMainWindow)
#include "tst_mainwindow.moc"
