// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/mainwindow.h"

#include "ui/board/boardpage.h"
#include "ui/board/devicepage.h"
#include "ui/files/workbar.h"
#include "ui/frames/framespage.h"
#include "ui/frames/framesview.h"
#include "ui/hazards/hazardlist.h"
#include "ui/live/controlspanel.h"
#include "ui/measure/advisor.h"
#include "ui/measure/sweeppage.h"
#include "ui/query/querypage.h"
#include "ui/selection/selectionpanel.h"
#include "ui/session/settings.h"
#include "ui/session/spanlimit.h"
#include "ui/session/traceselection.h"
#include "ui/style/focusring.h"
#include "ui/style/layouts.h"
#include "ui/style/messagebar.h"
#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/wheelguard.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/errorpage.h"
#include "ui/window/figuresbar.h"
#include "ui/window/helpoverlay.h"
#include "ui/window/shownpicture.h"
#include "ui/window/sourcepicker.h"
#include "ui/window/statusline.h"
#include "ui/window/tabsummary.h"
#include "ui/window/topbar.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowcompare.h"
#include "ui/window/windowfiles.h"
#include "ui/window/windowhazards.h"
#include "ui/window/windowinspect.h"
#include "ui/window/windowmenus.h"
#include "ui/window/windowshare.h"
#include "ui/window/windowstages.h"
#include "ui/window/windowsweep.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QScreen>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

constexpr QSize kDefaultSize{1600, 1000};
constexpr int kControlsWidth = 347;
constexpr int kTabsHeight = 396;
constexpr double kMaxTabsHeight = 0.45; ///< Fraction of a low window's height; leaves room for the picture.
constexpr int kLayoutVersion = 3;       ///< Version of the saved dock layout.
constexpr int kKeepEveryMs = 2000;      ///< Interval for saving; limits what is lost if the program is killed.

} // namespace

MainWindow::MainWindow(WindowParts parts, SessionRequest request, Settings &settings)
    : m_parts(std::move(parts)),
      m_settings(settings),
      m_actions(this),
      m_session(std::make_unique<Session>(
          [host = m_parts.host](const SessionRequest &wanted) { return host->open(wanted); }, std::move(request))),
      m_sourceMenu(new SourceMenu(
          m_actions.openFile, [this] { return m_settings.recentSources(); }, this)),
      m_deviceMenu(new DeviceMenu([host = m_parts.host] { return host->devices(); }, this)),
      m_presentMenu(new PresentMenu(this)),
      m_spanLimitMenu(new SpanLimitMenu(m_session->trace(), this)),
      m_gpuTimeMenu(new GpuTimeMenu(this)),
      m_topBar(new TopBar(m_actions, makeProgramMenu(m_actions, {m_presentMenu, m_spanLimitMenu, m_gpuTimeMenu}, this),
                          m_sourceMenu, m_deviceMenu)),
      m_messages(new MessageBar),
      m_pages(new QStackedWidget),
      m_video(new VideoView(m_parts.video)),
      m_errorPage(new ErrorPage),
      m_controls(new ControlsPanel),
      m_tabs(new QTabWidget),
      m_tracePanels(new TracePanels(*m_session, this)),
      m_timeline(m_tracePanels->timeline()),
      m_hazards(new HazardList),
      m_sweep(new SweepPage),
      m_devicePage(new DevicePage([host = m_parts.host] { return host->platform(); })),
      m_boardPage(new BoardPage(m_parts.hostFiles)),
      m_tabSummary(new TabSummary(m_tabs)),
      m_status(new StatusLine(m_spanLimitMenu, m_gpuTimeMenu)),
      m_help(new HelpOverlay(this))
{
    if (!m_parts.dialogs.open)
        m_parts.dialogs = realFileDialogs(this);
    setWindowTitle(tr("Jetscope"));
    setAnimated(false); // Animated docks make the video stutter.
    auto *top = new QWidget;
    auto *column = makeInnerLayout<QVBoxLayout>(top, 0);
    column->addWidget(m_topBar);
    column->addWidget(m_messages);
    setMenuWidget(top);
    m_pages->addWidget(m_video);
    m_pages->addWidget(m_errorPage);
    setCentralWidget(m_pages);
    makeFiles();
    makeDocks();
    setStatusBar(m_status);
    connectSession();
    m_windowHazards = std::make_unique<WindowHazards>(WindowHazards::Parts{
        *m_hazards, *m_session, *m_tracePanels, *m_tabs, *m_messages, m_files->files(), [this] { saveSettings(); }});
    m_inspect = std::make_unique<WindowInspect>(
        WindowInspect::Parts{*this, *m_session, m_settings, m_actions, *m_pages, *m_errorPage, *m_topBar});
    makeSweep();
    m_stages = std::make_unique<WindowStages>(
        WindowStages::Parts{*m_session, m_settings, *m_controls, *m_messages, m_parts.dialogs});
    m_compare = std::make_unique<WindowCompare>(
        WindowCompare::Parts{*m_session, m_actions, *m_controls, *m_tabs, *m_messages, m_files->files()});
    menuWidget()->layout()->addWidget(new WorkBar(m_compare->files().job()));
    m_share = std::make_unique<WindowShare>(WindowShare::Parts{
        *this, *m_session, m_actions, *m_controls, *m_messages, m_files->files(),
        [this] { return presentPathLabel(m_video->presentPath()) + QStringLiteral(": ") + m_video->presentNote(); },
        m_parts.program});
    makeAdvisor();
    connectActions();
    connectChoices();
    new SourcePicker([host = m_parts.host] { return host->cameras(); }, QStringLiteral("/dev"), m_parts.openSource,
                     {*m_sourceMenu, *m_messages, *m_topBar, *m_session}, this);
    new ShownPicture({*m_session, *m_video, *m_timeline, m_tracePanels->selection(), m_actions, *m_pages}, this);
    restore();
    showOpening();
    showPresentPath();
    qApp->installEventFilter(this);
    new WheelGuard(this);
    auto *keeping = new QTimer(this);
    connect(keeping, &QTimer::timeout, this, [this] {
        if (isVisible())
            saveSettings();
    });
    keeping->start(kKeepEveryMs);
    new FocusRing(this);
}

MainWindow::~MainWindow()
{
    m_video->setFramePort(nullptr);
    delete m_advisor; // Trials use the pipeline.
    m_session->disconnect();
    delete m_compare->page(); // It shows traces that the other parts own.
    m_compare.reset();
    m_share.reset();
    m_windowHazards.reset();
    m_inspect.reset();
    m_windowSweep.reset();
    m_files.reset();
    m_session.reset();
}

void MainWindow::makeFiles()
{
    m_files =
        std::make_unique<WindowFiles>(WindowFiles::Parts{*this, *m_session, m_settings, m_actions, *m_tracePanels,
                                                         *m_pages, *m_errorPage, *m_messages, *m_topBar, *m_status},
                                      m_parts.dialogs);
    menuWidget()->layout()->addWidget(new WorkBar(m_files->files().job()));
    connect(m_files.get(), &WindowFiles::sourceChosen, m_sourceMenu, &SourceMenu::chosen);
}

TraceFiles &MainWindow::files()
{
    return m_files->files();
}

void MainWindow::makeSweep()
{
    const auto askForFile = [this](const QString &suggested) {
        return m_parts.dialogs.save(tr("New file for the sweep"), suggested, tr("Captures (*.jscope)"));
    };
    m_windowSweep = std::make_unique<WindowSweep>(WindowSweep::Parts{
        *this, *m_sweep, *m_session, *m_tabs, *m_timeline, *m_messages, m_files->files(), *m_pages, *m_errorPage,
        *m_status, m_actions, askForFile, [this] { saveSettings(); }, m_parts.program});
}

QWidget *MainWindow::makeTabs()
{
    m_tabs->setObjectName(QStringLiteral("tabs"));
    m_tabs->tabBar()->setAccessibleName(tr("Tabs"));
    m_tabs->addTab(m_timeline, tr("Timeline"));
    m_tabs->addTab(m_tracePanels->frames(), tr("Frames"));
    m_tabs->addTab(m_hazards, tr("Hazards"));
    m_tabs->addTab(m_sweep, tr("Sweep"));
    m_tabs->addTab(m_devicePage, tr("Device"));
    m_tabs->addTab(m_tracePanels->query(), tr("Query"));
    m_tabs->addTab(m_boardPage, tr("Board"));
    return m_tabs;
}

void MainWindow::makeDocks()
{
    m_controlsDock = new QDockWidget(tr("Choices"), this);
    m_controlsDock->setObjectName(QStringLiteral("controlsDock"));
    m_controlsDock->setWidget(m_controls);
    m_tabsDock = new QDockWidget(tr("Trace and device"), this);
    m_tabsDock->setObjectName(QStringLiteral("tabsDock"));
    m_tabsDock->setWidget(makeTabs());
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea); // The list of choices is long and needs the full height.
    addDockWidget(Qt::RightDockWidgetArea, m_controlsDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_tabsDock);
    m_selectionDock = new QDockWidget(tr("Selection"), this);
    m_selectionDock->setObjectName(QStringLiteral("selectionDock"));
    auto *selection = new QScrollArea; // In a small window it is higher than its dock.
    selection->setAccessibleName(m_selectionDock->windowTitle());
    selection->setWidgetResizable(true);
    selection->setFrameShape(QFrame::NoFrame);
    selection->setWidget(m_tracePanels->figures());
    m_selectionDock->setWidget(selection);
    splitDockWidget(m_tabsDock, m_selectionDock, Qt::Horizontal);
    m_selectionDock->hide();
    m_tracePanels->setDock(m_selectionDock);
    for (QDockWidget *dock : {m_controlsDock, m_tabsDock, m_selectionDock})
        dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
    setPanelsLocked(true);
}

void MainWindow::allowMotion(bool allowed)
{
    m_tracePanels->setMotionReduced(!allowed || m_actions.reduceMotion->isChecked());
}

void MainWindow::setPanelsLocked(bool locked)
{
    for (QDockWidget *dock : {m_controlsDock, m_tabsDock, m_selectionDock}) {
        delete dock->titleBarWidget();
        dock->setTitleBarWidget(locked ? new QWidget(dock) : nullptr);
    }
}

void MainWindow::restore()
{
    const QSize room = screen() ? screen()->availableGeometry().size() : kDefaultSize;
    resize(kDefaultSize.boundedTo(room));
    resizeDocks({m_controlsDock}, {kControlsWidth}, Qt::Horizontal);
    resizeDocks({m_tabsDock}, {std::min(kTabsHeight, static_cast<int>(height() * kMaxTabsHeight))}, Qt::Vertical);
    restoreGeometry(m_settings.bytes("window/geometry"));
    restoreState(m_settings.bytes("window/docks"), kLayoutVersion);
    m_selectionDock->hide(); // There is no selection yet.
    m_tracePanels->restore(m_settings);
    m_compare->restore(m_settings);
    setMostSpans(m_settings.mostSpans());
    m_actions.lightTheme->setChecked(!theme().dark);
    m_actions.reduceMotion->setChecked(m_settings.flag("view/reduceMotion", desktopReducesMotion()));
    m_actions.showBefore->setChecked(m_settings.flag("view/before", true));
    m_actions.showAnswer->setChecked(m_settings.flag("view/answer", true));
    const PresentPath path = presentPathByName(m_settings.text("view/present"));
    if (path != PresentPath::Auto)
        m_video->setPresentPath(path);
}

void MainWindow::saveSettings()
{
    m_settings.save("window/geometry", saveGeometry());
    m_settings.save("window/docks", saveState(kLayoutVersion));
    m_settings.save("window/theme", theme().name);
    m_tracePanels->save(m_settings);
    m_compare->save(m_settings);
    m_stages->save();
    m_settings.saveMostSpans(m_session->mostSpans());
    m_settings.save("view/before", m_actions.showBefore->isChecked());
    m_settings.save("view/answer", m_actions.showAnswer->isChecked());
    m_settings.save("view/present", presentPathName(m_video->wantedPath()));
    const bool isMistake = !m_session->request().scene.empty();
    if (m_session->phase() == Session::Phase::Open && !isMistake)
        m_settings.saveRequest(m_session->request().source, m_session->status().facts.id, m_session->wanted(),
                               m_session->status().facts);
}

/// Gives the figures of the selection their full width if the window has room for it; otherwise they need fewer
/// columns.
void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    constexpr int kMin = 200;
    constexpr int kLines = 8; // Lines between the panels.
    const int left =
        width() - m_controlsDock->minimumSizeHint().width() - m_tabsDock->minimumSizeHint().width() - kLines;
    m_selectionDock->widget()->setMinimumWidth(std::clamp(left, kMin, SelectionPanel::kWholeWidth));
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    saveSettings();
    QMainWindow::closeEvent(event);
}

void MainWindow::connectSession()
{
    Session *session = m_session.get();
    connect(session, &Session::opened, this, &MainWindow::sessionOpened);
    connect(session, &Session::failed, this, &MainWindow::sessionFailed);
    connect(session, &Session::closing, this, [this] {
        m_video->setFramePort(nullptr);
        m_messages->hide();
        showOpening();
    });
    connect(session, &Session::statusChanged, this, &MainWindow::showStatus);
    connect(session, &Session::wantedChanged, this, [this] { m_controls->setConfig(m_session->wanted()); });
    connect(session, &Session::polled, m_tracePanels, &TracePanels::refresh);
    connect(session, &Session::figuresChanged, this, &MainWindow::showFigures);
    connect(session, &Session::noticed, this, &MainWindow::showNotice);
    connect(session, &Session::answered, m_video, &VideoView::setAnswer);
}

/// The renderer and the GL version identify the driver.
void MainWindow::makeAdvisor()
{
    const auto driver = [this] {
        const std::shared_ptr<EglDisplay> display = m_parts.display();
        return display ? display->renderer() + ", " + display->glVersion() : std::string();
    };
    m_advisor = new Advisor(*m_session, m_settings, *m_topBar->advice(), driver, this);
}

void MainWindow::connectActions()
{
    connect(m_actions.pause, &QAction::triggered, this, &MainWindow::togglePause);
    connect(m_actions.step, &QAction::triggered, m_session.get(), &Session::step);
    connect(m_actions.retry, &QAction::triggered, this, &MainWindow::retry);
    connect(m_actions.showBefore, &QAction::toggled, m_video, &VideoView::setBeforeShown);
    connect(m_actions.showAnswer, &QAction::toggled, m_video, &VideoView::setAnswerShown);
    connect(m_actions.inspect, &QAction::toggled, m_video, &VideoView::setInspecting);
    connect(m_actions.fit, &QAction::triggered, m_video, &VideoView::fit);
    connect(m_actions.actualSize, &QAction::triggered, m_video, &VideoView::zoomToPixels);
    connect(m_actions.follow, &QAction::triggered, m_timeline, &TimelineView::follow);
    connect(m_actions.follow, &QAction::triggered, m_tracePanels->frames()->view(), &FramesView::follow);
    connect(m_actions.find, &QAction::triggered, this, [this] {
        m_tabs->setCurrentWidget(m_timeline);
        m_timeline->find();
    });
    connect(m_actions.listSpans, &QAction::triggered, m_tracePanels, [this] { m_tracePanels->listSpans(this); });
    connect(m_actions.reduceMotion, &QAction::toggled, m_tracePanels, &TracePanels::setMotionReduced);
    connect(m_actions.reduceMotion, &QAction::triggered, this, // By the user: otherwise the desktop decides.
            [this](bool reduced) { m_settings.save("view/reduceMotion", reduced); });
    connect(m_actions.lightTheme, &QAction::toggled, this, &MainWindow::setLight);
    connect(m_actions.lockPanels, &QAction::toggled, this, &MainWindow::setPanelsLocked);
    connect(m_actions.fullScreen, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    connect(m_actions.videoIsBlack, &QAction::triggered, m_video, &VideoView::stepPresentPath);
    connect(m_actions.help, &QAction::triggered, this, [this] { m_help->showFor(m_actions.all); });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::connectChoices()
{
    connect(m_controls, &ControlsPanel::wanted, m_session.get(), &Session::change);
    connect(m_sourceMenu, &SourceMenu::chosen, this, [this](const QString &uri) {
        m_settings.addRecentSource(uri);
        m_session->changeSource(uri.toStdString());
    });
    connect(m_deviceMenu, &DeviceMenu::chosen, this,
            [this](const QString &id) { m_session->changeDevice(id.toStdString()); });
    connect(m_presentMenu, &PresentMenu::chosen, m_video, &VideoView::setPresentPath);
    connect(m_gpuTimeMenu, &QMenu::aboutToShow, this, [this] { m_gpuTimeMenu->show(m_session->status()); });
    connect(m_gpuTimeMenu, &GpuTimeMenu::chosen, this, [this](GpuTime source) {
        PipelineConfig config = m_session->wanted();
        config.gpuTime = source;
        m_session->change(config);
    });
    connect(m_spanLimitMenu, &SpanLimitMenu::chosen, this, &MainWindow::setMostSpans);
    connect(m_errorPage, &ErrorPage::retry, this, &MainWindow::retry);
    connect(m_errorPage, &ErrorPage::useSynthetic, this, [this] { m_session->changeSource(kDefaultSource); });
    connect(m_video, &VideoView::presentPathChanged, this, &MainWindow::showPresentPath);
    connect(m_video, &VideoView::problem, this, [this](const QString &text) {
        m_messages->show(MessageBar::Kind::Error, tr("The picture cannot be shown: %1").arg(text));
    });
    // While following, the view changes with every frame; the summary is then updated at the readable rate of the
    // figures.
    connect(m_timeline, &TimelineView::viewChanged, this, [this] {
        if (!m_timeline->isFollowing())
            m_tabSummary->setText(m_timeline->summary());
    });
    connect(m_tracePanels, &TracePanels::timelineWanted, this, [this] { m_tabs->setCurrentWidget(m_timeline); });
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        m_tabSummary->setWanted(m_tabs->currentWidget() == m_timeline);
        m_tracePanels->refresh();
    });
}

void MainWindow::showOpening()
{
    m_errorPage->showOpening(toQString(m_session->request().source));
    m_pages->setCurrentWidget(m_errorPage);
    m_topBar->setSource(toQString(m_session->request().source));
    m_controls->setConfig(m_session->wanted());
    m_topBar->setDevice(m_session->request().deviceId.empty() ? tr("best one")
                                                              : toQString(m_session->request().deviceId));
    m_status->showOpening();
}

void MainWindow::sessionOpened()
{
    m_pages->setCurrentWidget(m_video);
    m_video->setFramePort(m_session->pipeline()->framePort());
    // Qt focuses the source menu first, where Space would open the menu instead of pausing.
    if (const QWidget *focus = focusWidget(); !focus || m_topBar->isAncestorOf(focus))
        m_video->setFocus();
}

void MainWindow::sessionFailed()
{
    if (isQuestion(m_session->failure()))
        m_errorPage->showQuestion(toQString(m_session->failure().text));
    else
        m_errorPage->showError(QString::fromStdString(m_session->failure().message()));
    m_pages->setCurrentWidget(m_errorPage);
    m_status->showFailed();
}

/// Disables the controls that need a pipeline, with the reason as tooltip.
void MainWindow::showLiveControls()
{
    const bool open = m_session->phase() == Session::Phase::Open;
    const QString reason = m_session->phase() == Session::Phase::File
        ? tr("A trace from a file is shown; \"Back to live\" (F5) opens the pipeline again.")
        : m_session->phase() == Session::Phase::Held       ? m_session->holdReason()
        : m_session->phase() == Session::Phase::Inspecting ? tr("A program is inspected, which makes its own choices.")
                                                           : tr("There is no pipeline.");
    const bool inspecting = m_session->phase() == Session::Phase::Inspecting;
    m_controls->setEnabled(open);
    m_controls->setToolTip(open ? QString() : reason);
    m_controls->setAccessibleDescription(open ? QString() : reason);
    for (QAction *action : {m_actions.pause, m_actions.step, m_actions.record, m_actions.copyCommand}) {
        const bool needsChoices = action == m_actions.step || action == m_actions.copyCommand;
        const bool possible = open || (inspecting && !needsChoices);
        action->setEnabled(possible);
        action->setToolTip(possible ? m_actions.toolTipOf(action) : reason);
    }
}

void MainWindow::showStatus()
{
    showLiveControls();
    if (m_session->phase() == Session::Phase::File) {
        const std::optional<PipelineConfig> &recorded = m_session->trace().origin().config;
        m_controls->setConfig(recorded ? *recorded : m_session->wanted());
        m_files->showTrace();
        m_tabSummary->setText(m_timeline->summary());
    }
    if (m_session->phase() != Session::Phase::Open)
        return;
    const PipelineStatus &status = m_session->status();
    m_actions.setPaused(status.state == PipelineState::Paused);
    m_topBar->setSource(toQString(status.source.description));
    m_topBar->setDevice(toQString(status.facts.name));
    m_deviceMenu->setCurrent(toQString(status.facts.id));
    m_controls->setFacts(status.facts);
    m_boardPage->setGpu(status.facts.pciBusId);
    m_controls->setWaitInForce(status.waitInForce);
    QStringList chain;
    for (const Filter filter : status.config.filters)
        chain.append(toQString(choiceOf(filter).label));
    m_video->setOutputLabel(tr("GPU: %1").arg(chain.isEmpty() ? tr("no filter") : chain.join(QStringLiteral(" → "))));
    if (status.config.cpuStage == CpuStagePlacement::Off)
        m_video->clearAnswer();
    showStatusLine();
    showDevicePage();
}

void MainWindow::showFigures()
{
    showStatusLine();
    m_tabSummary->setText(m_timeline->summary());
    m_topBar->figures()->show(m_session->figures(), m_session->counts(), WindowInspect::noGpuTimes(*m_session));
    if (!m_session->isWantedHeld()) // During a trial the verdict would alternate between the configurations.
        m_topBar->setVerdict(m_session->verdict());
}

void MainWindow::showStatusLine()
{
    if (m_session->isLive())
        m_status->show(m_session->status(), m_session->counts(), m_session->trace(),
                       {m_session->spansLost(), m_session->missedSpans()});
    else
        m_status->showFile(m_session->trace());
}

/// Opens again in this process, unless the device is lost to it.
void MainWindow::retry()
{
    m_session->confirm();
    if (m_lostDevice.empty() || m_session->status().facts.id != m_lostDevice) {
        m_session->open();
        return;
    }
    SessionRequest request = m_session->request();
    request.deviceId = m_lostDevice;
    request.config = m_session->ownChoices();
    if (!m_parts.relaunch(request))
        m_messages->show(MessageBar::Kind::Error,
                         tr("Jetscope could not be started again; close it and start it by hand."));
}

void MainWindow::showNotice(const PipelineNotice &notice)
{
    const QString text = toQString(notice.text);
    switch (notice.kind) {
    case PipelineNotice::Kind::Switched:
    case PipelineNotice::Kind::Dropped:
    case PipelineNotice::Kind::Gap:
    case PipelineNotice::Kind::Machine:
    case PipelineNotice::Kind::Untraced:
    case PipelineNotice::Kind::Violation:
        break; // Shown as a mark on the timeline; violations also by WindowHazards.
    case PipelineNotice::Kind::Stage:
        m_messages->show(MessageBar::Kind::Info, text);
        break;
    case PipelineNotice::Kind::Refused:
        m_messages->show(MessageBar::Kind::Warning, tr("The change was not made: %1").arg(text));
        break;
    case PipelineNotice::Kind::Ended:
        m_messages->show(
            MessageBar::Kind::Info, text,
            {m_session->status().inspected ? tr("Start again") : tr("Play again"), [this] { m_session->open(); }});
        break;
    case PipelineNotice::Kind::Failed:
        m_lostDevice = notice.deviceLost ? m_session->status().facts.id : std::string();
        m_messages->show(MessageBar::Kind::Error, text, {tr("Retry"), [this] { retry(); }});
        break;
    }
}

void MainWindow::showPresentPath()
{
    const GlShare &share = m_parts.video.share;
    m_presentMenu->show(m_video->wantedPath(), m_video->presentPath(), share.available(), toQString(share.reason));
    m_actions.videoIsBlack->setEnabled(share.available());
    showDevicePage();
}

void MainWindow::showDevicePage()
{
    if (m_session->phase() == Session::Phase::Open)
        m_devicePage->show({m_session->status(), m_parts.display(), toQString(m_parts.video.share.reason),
                            presentPathLabel(m_video->presentPath()), m_video->presentNote()});
}

void MainWindow::togglePause()
{
    m_session->setPaused(m_session->status().state != PipelineState::Paused);
}

void MainWindow::setLight(bool light)
{
    if (light == theme().dark)
        applyTheme(*qApp, light ? lightTheme() : darkTheme());
}

/// Spans beyond the limit are discarded at once.
void MainWindow::setMostSpans(quint64 mostSpans)
{
    m_session->setMostSpans(mostSpans);
    m_spanLimitMenu->setCurrent(mostSpans);
    m_tracePanels->refresh();
    if (m_session->phase() == Session::Phase::Open)
        showStatusLine();
}

/// Space pauses, except on a focused button that a press would change, and on lists and boxes, which handle Space
/// themselves.
bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ShortcutOverride || static_cast<QKeyEvent *>(event)->key() != Qt::Key_Space)
        return QMainWindow::eventFilter(watched, event);
    const auto *button = qobject_cast<QAbstractButton *>(watched);
    const bool ownUse = button
        ? !button->isCheckable() || !button->isChecked()
        : watched->inherits("QAbstractItemView") || watched->inherits("QComboBox") || watched->inherits("QTabBar");
    if (ownUse)
        event->accept();
    return ownUse || QMainWindow::eventFilter(watched, event);
}

} // namespace jetscope
