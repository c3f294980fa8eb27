// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/mainwindow.h"

#include "ui/board/boardcharts.h"
#include "ui/board/boardview.h"
#include "ui/frames/framespage.h"
#include "ui/frames/framesview.h"
#include "ui/lab/labview.h"
#include "ui/remote/viewopener.h"
#include "ui/session/currenthost.h"
#include "ui/session/notelist.h"
#include "ui/session/settings.h"
#include "ui/session/spanlimit.h"
#include "ui/style/focusring.h"
#include "ui/style/layouts.h"
#include "ui/style/messagebar.h"
#include "ui/style/style.h"
#include "ui/style/tablecopy.h"
#include "ui/style/tablesort.h"
#include "ui/style/theme.h"
#include "ui/style/titleline.h"
#include "ui/style/wheelguard.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/commandsearch.h"
#include "ui/window/figuresbar.h"
#include "ui/window/helpoverlay.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/notices.h"
#include "ui/window/statusline.h"
#include "ui/window/tracepanels.h"
#include "ui/window/traceworkspace.h"
#include "ui/window/windowboard.h"
#include "ui/window/windowcaptures.h"
#include "ui/window/windowchoices.h"
#include "ui/window/windowcompare.h"
#include "ui/window/windowfilecompare.h"
#include "ui/window/windowfiles.h"
#include "ui/window/windowinspect.h"
#include "ui/window/windowlab.h"
#include "ui/window/windowmenus.h"
#include "ui/window/windowremote.h"
#include "ui/window/windowsearch.h"
#include "ui/window/windowshare.h"
#include "ui/window/windowsweep.h"
#include "ui/window/windowundo.h"
#include "ui/window/workspacebar.h"
#include "ui/window/workspacetools.h"

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenuBar>
#include <QScreen>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace jetscope {

namespace {

constexpr QSize kDefaultSize{1600, 1000};
constexpr int kKeepEveryMs = 2000; ///< Interval for saving; limits what is lost if the program is killed.

WindowParts withHost(WindowParts parts, std::shared_ptr<PipelineHost> host)
{
    parts.host = std::move(host);
    return parts;
}

} // namespace

MainWindow::MainWindow(WindowParts parts, SessionRequest request, Settings &settings)
    : m_thisMachine(parts.host),
      m_host(std::make_shared<CurrentHost>(parts.host)),
      m_parts(withHost(std::move(parts), m_host)),
      m_settings(settings),
      m_actions(this),
      m_places(settings, m_parts.dialogs.open ? m_parts.dialogs : realFileDialogs(this)),
      m_status(new StatusLine),
      m_notices(new Notices(*this, *m_status)),
      m_live(new LiveWorkspace(shell(), m_parts, std::move(request))),
      m_trace(new TraceWorkspace(shell(), m_parts.host)),
      m_board(new BoardView(m_parts.hostFiles, settings)),
      m_boardTools(new WorkspaceTools(this)),
      m_lab(new LabView(m_live->session(), [host = m_parts.host] { return host->cameras(); })),
      m_arrowMenu(new ArrowMenu(this)),
      m_spanLimitMenu(new SpanLimitMenu(m_live->session().trace(), this)),
      m_recentMenu(new QMenu(tr("Open recent"), this)),
      m_choices(new WindowChoices(m_live->session(), settings, m_places.dialogs(), this)),
      m_search(new CommandSearch([this](const QString &words) { return found(words); })),
      m_spaces(new QStackedWidget),
      m_bar(new WorkspaceBar),
      m_help(new HelpOverlay(this)),
      m_undo(new WindowUndo(
          m_actions, [this] { return histories(); }, this))
{
    m_live->connectFiles(m_trace->opener(), m_trace->session());
    makeFrame();
    makeParts();
    connectActions();
    connectReading();
    connectSpaces();
    restore();
    spaceChanged();
    qApp->installEventFilter(this);
    new WheelGuard(this);
    new TableCopy(this);
    new TableSort(this);
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
    for (Workspace *each : {static_cast<Workspace *>(m_live), static_cast<Workspace *>(m_trace)})
        each->session().disconnect();
    m_remote.reset();
    m_captures.reset();
    m_share.reset();
    m_files.reset();
    delete m_lab;   // It measures the pipeline.
    delete m_board; // It shows the trace of the others.
    delete m_live;  // It uses the files of the other.
    delete m_trace;
}

Shell MainWindow::shell()
{
    return {*this, m_actions, m_settings, *messages(), m_places};
}

void MainWindow::makeFrame()
{
    auto *top = new QWidget;
    auto *column = makeInnerLayout<QVBoxLayout>(top, 0);
    QMenuBar *menus = makeMenuBar(m_actions,
                                  {m_recentMenu, m_choices->presets(), m_live->sourceMenu(), m_live->deviceMenu(),
                                   m_live->presentMenu(), m_arrowMenu, m_spanLimitMenu, m_live->gpuTimeMenu()});
    auto *corner = new QWidget;
    makeInnerLayout<QHBoxLayout>(corner)->addWidget(m_search);
    corner->layout()->setContentsMargins(0, 1, 10, 1);
    menus->setCornerWidget(corner);
    column->addWidget(menus);
    column->addWidget(m_bar);
    setMenuWidget(top);
    m_bar->add(Glyph::Live, tr("Live"), m_actions.live->toolTip(), m_live->tools());
    m_bar->add(Glyph::Trace, tr("Trace"), m_actions.trace->toolTip(), m_trace->tools());
    m_bar->add(Glyph::Board, tr("Board"), m_actions.board->toolTip(), m_boardTools);
    m_boardTools->addAction(m_actions.open);
    m_boardTools->addAction(m_actions.logBoard);
    m_boardTools->figures()->hide();
    m_bar->add(Glyph::Lab, tr("Lab"), m_actions.lab->toolTip(), nullptr);
    m_spaces->addWidget(m_live);
    m_spaces->addWidget(m_trace);
    m_spaces->addWidget(m_board);
    m_spaces->addWidget(m_lab);
    setCentralWidget(m_spaces);
    setStatusBar(m_status);
    m_status->setMenus(m_spanLimitMenu, m_live->gpuTimeMenu());
    for (BackgroundJob *job :
         {&m_trace->opener().job(), &m_trace->compare().files().job(), &m_trace->files().job(), &m_live->files().job()})
        m_notices->addJob(*job);
}

QList<SearchHit> MainWindow::found(const QString &words) const
{
    return WindowSearch({m_actions, m_settings, shown(), [this](const QString &path) { m_trace->opener().open(path); },
                         [this](const QString &uri) { m_files->openSource(uri); }})
        .find(words);
}

void MainWindow::makeParts()
{
    m_files = std::make_unique<WindowFiles>(
        WindowFiles::Parts{shell(), *m_live, *m_trace, *m_status, [this]() -> Workspace & { return shown(); }});
    m_share = std::make_unique<WindowShare>(WindowShare::Parts{
        *this, m_live->session(), m_trace->session(), m_actions, *m_live->controls(), *messages(), m_live->files(),
        [this] { return space() == Space::Trace; }, [this] { return m_live->pictureWords(); }, m_parts.program});
    m_remote = std::make_unique<WindowRemote>(
        WindowRemote::Parts{*this, m_live->session(), m_settings, m_actions, m_live->head(), *messages(), m_thisMachine,
                            m_host, m_parts.connectBoard, m_parts.sshConfig, [this] { m_live->save(); }});
    connect(m_remote.get(), &WindowRemote::viewWanted, this,
            [this](const ViewSource &source, const QString &path) { m_trace->views().open(source, path); });
    m_captures = std::make_unique<WindowCaptures>(
        WindowCaptures::Parts{*this, m_actions, *messages(), m_places, *m_files, *m_trace,
                              [this](const QString &path) { m_remote->openCapture(path); }});
    connect(m_remote.get(), &WindowRemote::boardChanged, m_captures.get(), &WindowCaptures::setBoard);
    connect(m_remote.get(), &WindowRemote::linkSeen, m_captures.get(), &WindowCaptures::show);
    m_notices->addJob(m_captures->job());
    connect(m_remote.get(), &WindowRemote::hostChanged, this, [this] {
        m_live->setBoard(m_remote->address(), m_remote->name());
        m_trace->inspect().setBoard(m_remote->name());
        m_live->restorePanels();
        if (m_remote->address().isEmpty())
            m_board->setOwnMachine();
        else
            m_board->setMachine([host = m_remote->boardHost()] { return host->machine(); }, m_remote->name());
        showSpace(Space::Live);
        showCommands();
        spaceNamed();
    });
    connect(m_remote.get(), &WindowRemote::linkShown, this, &MainWindow::spaceNamed);
}

MessageBar *MainWindow::messages() const
{
    return m_notices->messages();
}

MainWindow::Space MainWindow::space() const
{
    return static_cast<Space>(m_bar->tabs()->currentIndex());
}

void MainWindow::showSpace(Space space)
{
    m_bar->setCurrent(static_cast<int>(space));
}

Workspace &MainWindow::shown() const
{
    return space() == Space::Trace ? static_cast<Workspace &>(*m_trace) : *m_live;
}

Session &MainWindow::session() const
{
    return shown().session();
}

TimelineView *MainWindow::timeline() const
{
    return shown().timeline();
}

TracePanels &MainWindow::tracePanels() const
{
    return shown().panels();
}

TraceFiles &MainWindow::files() const
{
    return shown().files();
}

HazardList *MainWindow::hazards() const
{
    return shown().hazards();
}

QTabWidget *MainWindow::tabs() const
{
    return shown().tabs();
}

FiguresBar *MainWindow::figures() const
{
    return shown().figures();
}

void MainWindow::allowMotion(bool allowed)
{
    for (const Workspace *each : {static_cast<Workspace *>(m_live), static_cast<Workspace *>(m_trace)})
        each->setMotionReduced(!allowed || m_actions.reduceMotion->isChecked());
    m_board->charts()->setMotionReduced(!allowed || m_actions.reduceMotion->isChecked());
}

void MainWindow::restore()
{
    const QSize room = screen() ? screen()->availableGeometry().size() : kDefaultSize;
    resize(kDefaultSize.boundedTo(room));
    restoreGeometry(m_settings.bytes("window/geometry"));
    for (Workspace *each : {static_cast<Workspace *>(m_live), static_cast<Workspace *>(m_trace)}) {
        each->resize(width(), height() - menuWidget()->sizeHint().height() - m_status->sizeHint().height());
        each->restore();
    }
    if (m_settings.text("window/space") == QLatin1String("board"))
        showSpace(Space::Board);
    setMostSpans(m_settings.mostSpans());
    m_actions.lightTheme->setChecked(!theme().dark);
    m_actions.reduceMotion->setChecked(m_settings.flag("view/reduceMotion", desktopReducesMotion()));
}

void MainWindow::saveSettings()
{
    m_settings.save("window/geometry", saveGeometry());
    m_settings.save("window/theme", theme().name);
    m_settings.save("window/space", space() == Space::Board ? QStringLiteral("board") : QStringLiteral("live"));
    m_live->save();
    m_trace->save();
    m_board->save();
    m_settings.saveMostSpans(m_live->session().mostSpans());
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    m_bar->fit();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    saveSettings();
    QMainWindow::closeEvent(event);
}

void MainWindow::connectActions()
{
    connect(m_actions.pause, &QAction::triggered, this, &MainWindow::togglePause);
    connect(m_actions.step, &QAction::triggered, this, [this] { session().step(); });
    connect(m_actions.retry, &QAction::triggered, this, &MainWindow::openAgain);
    connect(m_actions.follow, &QAction::triggered, this, [this] {
        timeline()->follow();
        tracePanels().frames()->view()->follow();
    });
    connect(m_actions.reduceMotion, &QAction::toggled, this, [this] { allowMotion(true); });
    connect(m_actions.reduceMotion, &QAction::triggered, this, // By the user: otherwise the desktop decides.
            [this](bool reduced) { m_settings.save("view/reduceMotion", reduced); });
    connect(m_actions.lightTheme, &QAction::toggled, this, &MainWindow::setLight);
    for (Workspace *each : {static_cast<Workspace *>(m_live), static_cast<Workspace *>(m_trace)})
        connect(m_actions.lockPanels, &QAction::toggled, each, &Workspace::setPanelsLocked);
    connect(m_actions.fullScreen, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    connect(m_actions.help, &QAction::triggered, this,
            [this] { m_help->showFor(m_actions.all, space() == Space::Board); });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.live, &QAction::triggered, this, [this] { showSpace(Space::Live); });
    connect(m_actions.trace, &QAction::triggered, this, [this] { showSpace(Space::Trace); });
    connect(m_actions.board, &QAction::triggered, this, [this] { showSpace(Space::Board); });
    connect(m_actions.lab, &QAction::triggered, this, [this] { showSpace(Space::Lab); });
    connect(m_arrowMenu, &QMenu::aboutToShow, this, [this] { m_arrowMenu->setCurrent(timeline()->arrows().choice()); });
    connect(m_arrowMenu, &ArrowMenu::chosen, this,
            [this](const ArrowChoice &arrows) { timeline()->setArrows(arrows); });
    connect(m_spanLimitMenu, &SpanLimitMenu::chosen, this, &MainWindow::setMostSpans);
    connect(m_actions.search, &QAction::triggered, m_search, &CommandSearch::begin);
    m_recentMenu->setToolTipsVisible(true);
    connect(m_recentMenu, &QMenu::aboutToShow, this, [this] { m_files->fillRecent(*m_recentMenu); });
}

/// What helps to read a trace.
void MainWindow::connectReading()
{
    connect(m_actions.find, &QAction::triggered, this, [this] {
        shown().showTab(timeline());
        timeline()->find();
    });
    connect(m_actions.filterLanes, &QAction::triggered, this, [this] {
        shown().showTab(timeline());
        timeline()->filterLanes();
    });
    connect(m_actions.showLanes, &QAction::triggered, this, [this] { timeline()->showAllLanes(); });
    connect(m_actions.viewBack, &QAction::triggered, this, [this] { timeline()->camera().back(); });
    connect(m_actions.viewForward, &QAction::triggered, this, [this] { timeline()->camera().forward(); });
    connect(m_actions.listSpans, &QAction::triggered, this, [this] { tracePanels().listSpans(this); });
    connect(m_actions.nextLonger, &QAction::triggered, this, [this] { timeline()->stepLonger(1); });
    connect(m_actions.previousLonger, &QAction::triggered, this, [this] { timeline()->stepLonger(-1); });
    connect(m_actions.addNote, &QAction::triggered, this, [this] { tracePanels().addNote(); });
    connect(m_actions.nextNote, &QAction::triggered, this, [this] { tracePanels().stepNote(1); });
    connect(m_actions.previousNote, &QAction::triggered, this, [this] { tracePanels().stepNote(-1); });
    m_undo->watch(m_choices->history());
    m_undo->watch(m_live->compare().pinned());
    for (const Workspace *each : {static_cast<Workspace *>(m_live), static_cast<Workspace *>(m_trace)})
        m_undo->watch(each->panels().notes());
}

/// Of what the shown workspace has.
QList<History *> MainWindow::histories() const
{
    if (space() == Space::Trace)
        return {&m_trace->panels().notes()};
    return {&m_choices->history(), &m_live->compare().pinned(), &m_live->panels().notes()};
}

void MainWindow::connectSpace(Space space, Workspace &workspace)
{
    connect(&workspace, &Workspace::wanted, this, [this, space] { showSpace(space); });
    const auto tell = [this, space, &workspace] {
        m_bar->tabs()->setDetail(static_cast<int>(space), workspace.detail());
        spaceNamed();
    };
    connect(&workspace, &Workspace::detailChanged, this, tell);
    tell();
    connect(&workspace, &Workspace::statusChanged, this, [this, &workspace] {
        if (&workspace == &shown())
            showStatus();
    });
    connect(&workspace.session(), &Session::statusChanged, this, &MainWindow::showCommands);
}

/// What the board or the lab shows.
void MainWindow::tellDetail(Space space, const QString &detail)
{
    m_bar->tabs()->setDetail(static_cast<int>(space), detail);
    showStatus();
}

void MainWindow::connectSpaces()
{
    connectSpace(Space::Live, *m_live);
    connectSpace(Space::Trace, *m_trace);
    auto *board = new WindowBoard({*m_board, m_live->session(), *m_trace, m_actions, m_places, *messages()}, this);
    connect(board, &WindowBoard::wanted, this, [this] { showSpace(Space::Board); });
    connect(m_board, &BoardView::detailChanged, this, [this] { tellDetail(Space::Board, m_board->detail()); });
    connect(m_lab, &LabView::detailChanged, this, [this] { tellDetail(Space::Lab, m_lab->detail()); });
    auto *lab = new WindowLab({*m_lab, *m_live, m_places, *messages()}, this);
    connect(lab, &WindowLab::liveWanted, this, [this] { showSpace(Space::Live); });
    tellDetail(Space::Board, m_board->detail());
    tellDetail(Space::Lab, m_lab->detail());
    connect(m_bar, &WorkspaceBar::chosen, this, &MainWindow::spaceChanged);
    // The program was started with a file: its workspace is shown before the file is read.
    connect(&m_trace->opener().job(), &BackgroundJob::started, this, [this] {
        if (m_live->session().phase() == Session::Phase::Idle)
            showSpace(Space::Trace);
    });
}

void MainWindow::spaceChanged()
{
    m_spaces->setCurrentIndex(m_bar->tabs()->currentIndex());
    shown().refresh();
    m_spanLimitMenu->setTrace(session().trace());
    if (!m_bar->tabs()->hasFocus() && isVisible()) {
        QWidget *last = m_spaces->currentWidget()->focusWidget();
        (last ? last : firstFocus())->setFocus();
    }
    spaceNamed();
    showCommands();
    m_undo->showCommands();
    showStatus();
}

QWidget *MainWindow::firstFocus() const
{
    switch (space()) {
    case Space::Board:
        return m_board->charts();
    case Space::Lab:
        return m_lab->list();
    case Space::Live:
    case Space::Trace:
        return timeline();
    }
    return nullptr;
}

/// The title of the window says which file is shown, or which board, and what watching it costs.
void MainWindow::spaceNamed()
{
    const QString shown = space() == Space::Trace ? m_trace->head().title()
        : space() == Space::Live && m_remote      ? m_remote->title()
                                                  : QString();
    setWindowTitle(shown.isEmpty() ? tr("Jetscope") : tr("%1 – Jetscope").arg(shown));
}

/// Disables what the shown workspace does not have, with the reason as tooltip.
void MainWindow::showCommands()
{
    const Session &live = m_live->session();
    const Session &here = session();
    const bool isOpen = here.phase() == Session::Phase::Open;
    const QString noPipeline = !live.holdReason().isEmpty() && &here == &live ? live.holdReason()
        : here.phase() == Session::Phase::File ? tr("A trace from a file is shown; the pipeline is in Live (Alt+1).")
                                               : tr("There is no pipeline.");
    const QString noChoices = here.phase() == Session::Phase::Inspecting
        ? tr("A program is inspected, which makes its own choices.")
        : noPipeline;
    WindowActions::allow(m_actions.pause, here.pipeline() ? QString() : noPipeline);
    WindowActions::allow(m_actions.step, isOpen ? QString() : noChoices);
    WindowActions::allow(m_actions.record, m_files->recorded().session().pipeline() ? QString() : noPipeline);
    WindowActions::allow(m_actions.copyCommand,
                         live.phase() == Session::Phase::Open ? QString() : tr("There is no pipeline."));
    WindowActions::allow(m_actions.inspectProgram, live.holdReason());
    const QString noPicture = space() == Space::Live ? QString() : tr("This is for the picture in Live (Alt+1).");
    for (QAction *action : {m_actions.fit, m_actions.actualSize})
        WindowActions::allow(action, noPicture);
    const QString noPixels = noPicture.isEmpty() && m_remote && !m_remote->address().isEmpty()
        ? tr("Pictures of a board are reduced and packed with loss, so nothing that judges pixels uses them; fetch the "
             "whole frame to look at it.")
        : noPicture;
    for (QAction *action : {m_actions.showBefore, m_actions.showAnswer, m_actions.inspect})
        WindowActions::allow(action, noPixels);
    const QString noTrace = space() == Space::Trace && !m_trace->hasTrace() ? tr("No trace is open.") : QString();
    for (QAction *action : {m_actions.save, m_actions.exportChrome, m_actions.exportFrames, m_actions.exportPicture,
                            m_actions.copyPicture, m_actions.find, m_actions.filterLanes, m_actions.showLanes,
                            m_actions.listSpans, m_actions.nextLonger, m_actions.previousLonger, m_actions.addNote,
                            m_actions.nextNote, m_actions.previousNote})
        WindowActions::allow(action, noTrace);
    const QString isAway = space() == Space::Trace && here.trace().distant()
        ? tr("The spans are on the board: this needs the whole capture here.")
        : noTrace;
    for (QAction *action : {m_actions.listSpans, m_actions.addNote, m_actions.nextNote, m_actions.previousNote})
        WindowActions::allow(action, isAway);
    m_actions.setPaused(here.status().state == PipelineState::Paused);
    m_files->showRecording();
}

void MainWindow::showStatus()
{
    if (space() == Space::Board && !m_board->statusText().isEmpty())
        return m_status->showBoard(m_board->statusText());
    const Session &here = session();
    switch (here.phase()) {
    case Session::Phase::Idle:
        return m_status->showIdle();
    case Session::Phase::Opening:
        return m_status->showOpening();
    case Session::Phase::Failed:
        return m_status->showFailed();
    case Session::Phase::Held:
        return m_status->showHeld();
    case Session::Phase::File:
        return m_status->showFile(here.trace());
    case Session::Phase::Open:
    case Session::Phase::Inspecting:
        return m_status->show(here.status(), here.counts(), here.trace(), {here.spansLost(), here.missedSpans()});
    }
}

void MainWindow::openAgain()
{
    if (space() == Space::Trace)
        m_trace->openAgain();
    else
        m_live->openAgain();
}

void MainWindow::togglePause()
{
    session().setPaused(session().status().state != PipelineState::Paused);
}

void MainWindow::setLight(bool light)
{
    if (light != theme().dark)
        return;
    const auto live = m_live->panelSizes(); // Widgets without their style sheet move the borders of the panels.
    const auto trace = m_trace->panelSizes();
    applyTheme(*qApp, light ? lightTheme() : darkTheme());
    m_live->setPanelSizes(live);
    m_trace->setPanelSizes(trace);
}

/// Spans of a live trace beyond the limit are discarded at once.
void MainWindow::setMostSpans(quint64 mostSpans)
{
    for (Workspace *each : {static_cast<Workspace *>(m_live), static_cast<Workspace *>(m_trace)}) {
        each->session().setMostSpans(mostSpans);
        each->refresh();
    }
    m_spanLimitMenu->setCurrent(mostSpans);
    showStatus();
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
