// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/liveworkspace.h"

#include "gpu/sources/severaladdress.h"
#include "ui/board/devicepage.h"
#include "ui/files/traceopener.h"
#include "ui/frames/framespage.h"
#include "ui/hazards/hazardlist.h"
#include "ui/live/controlspanel.h"
#include "ui/measure/advisor.h"
#include "ui/measure/sweeppage.h"
#include "ui/query/querypage.h"
#include "ui/remote/boardpictureview.h"
#include "ui/selection/notespage.h"
#include "ui/session/settings.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/timeline/spannavigation.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/errorpage.h"
#include "ui/window/livehead.h"
#include "ui/window/shownpicture.h"
#include "ui/window/sourcepicker.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowcompare.h"
#include "ui/window/windowmenus.h"
#include "ui/window/windowpictures.h"
#include "ui/window/windowstages.h"
#include "ui/window/windowsweep.h"
#include "ui/window/workspacetools.h"

#include <QAction>
#include <QDockWidget>
#include <QStackedWidget>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr int kControlsWidth = 347;
constexpr int kTabsHeight = 420;
constexpr double kMaxTabsHeight = 0.5; ///< Fraction of a low window's height; leaves room for the picture.

} // namespace

LiveWorkspace::LiveWorkspace(const Shell &shell, const WindowParts &parts, SessionRequest request)
    : Workspace(
        shell, QStringLiteral("live"),
        std::make_unique<Session>([host = parts.host](const SessionRequest &wanted) { return host->open(wanted); },
                                  std::move(request))),
      m_parts(parts),
      m_sourceMenu(new SourceMenu(
          shell.actions.open, [&settings = shell.settings] { return settings.recentSources(); }, this)),
      m_deviceMenu(new DeviceMenu([host = parts.host] { return host->devices(); }, this)),
      m_presentMenu(new PresentMenu(this)),
      m_gpuTimeMenu(new GpuTimeMenu(this)),
      m_head(new LiveHead(m_sourceMenu, m_deviceMenu)),
      m_pages(new QStackedWidget),
      m_video(new VideoView(parts.video)),
      m_boardPicture(new BoardPictureView),
      m_errorPage(new ErrorPage),
      m_controls(new ControlsPanel),
      m_sweep(new SweepPage),
      m_devicePage(new DevicePage([host = parts.host] { return host->platform(); }))
{
    for (QAction *action : {shell.actions.pause, shell.actions.step, shell.actions.record})
        tools()->addAction(action);
    m_pages->addWidget(m_video);
    m_pages->addWidget(m_boardPicture);
    m_pages->addWidget(m_errorPage);
    setCentralWidget(m_pages);
    makeTabs();
    makeDocks();
    build(m_head);
    m_picture = new WindowPictures(
        {session(), *m_video, *m_boardPicture, *m_errorPage, *m_pages, shell.actions, shell.places, shell.messages},
        this);
    connectSession();
    m_stages = std::make_unique<WindowStages>(
        WindowStages::Parts{session(), shell.settings, *m_controls, shell.messages, shell.places.dialogs()});
    m_compare = std::make_unique<WindowCompare>(
        WindowCompare::Parts{session(), shell.actions, *m_controls, *tabs(), [this](QWidget *page) { showTab(page); }});
    makeAdvisor();
    connectActions();
    connectChoices();
    new SourcePicker([host = m_parts.host] { return host->cameras(); }, QStringLiteral("/dev"), m_parts.openSource,
                     {*m_sourceMenu, shell.messages, *m_head, session()}, this);
    new ShownPicture({session(), *m_video, *m_boardPicture, *timeline(), panels().selection(), shell.actions, *m_pages,
                      [this] { return m_picture->page(); }},
                     this);
    showOpening();
    showPresentPath();
}

LiveWorkspace::~LiveWorkspace()
{
    m_picture->showClosing();
    delete m_advisor; // Trials use the pipeline.
    session().disconnect();
    delete m_compare->page(); // It shows traces that the other parts own.
    m_compare.reset();
    m_stages.reset();
    m_windowSweep.reset();
}

void LiveWorkspace::makeTabs()
{
    tabs()->addTab(timeline(), tr("Timeline"));
    tabs()->addTab(panels().frames(), tr("Frames"));
    tabs()->addTab(hazards(), tr("Hazards"));
    tabs()->addTab(m_sweep, tr("Sweep"));
    tabs()->addTab(m_devicePage, tr("Device"));
    tabs()->addTab(panels().query(), tr("Query"));
    tabs()->addTab(panels().notesPage(), tr("Notes"));
}

void LiveWorkspace::makeDocks()
{
    QDockWidget *controls = addDock(tr("Choices"), "controlsDock", m_controls);
    m_tabsDock = addDock(tr("Trace and device"), "tabsDock", tabs());
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea); // The list of choices is long and needs the full height.
    addDockWidget(Qt::RightDockWidgetArea, controls);
    addDockWidget(Qt::BottomDockWidgetArea, m_tabsDock);
    addSelectionDock(m_tabsDock);
    setPanelsLocked(true);
}

void LiveWorkspace::connectFiles(TraceOpener &opener, Session &opened)
{
    const auto askForFile = [this](const QString &suggested) {
        return shell().places.dialogs().save(tr("New file for the sweep"), suggested, tr("Captures (*.jscope)"));
    };
    m_windowSweep = std::make_unique<WindowSweep>(WindowSweep::Parts{
        shell().window, *m_sweep, session(), opened, shell().messages, files(), opener, shell().places, shell().actions,
        askForFile, [this] { save(); }, [this] { showTab(m_sweep); }, m_parts.program});
}

void LiveWorkspace::setBoard(const QString &address, const QString &name)
{
    m_windowSweep->setBoard(address);
    m_stages->setBoard(name);
    m_picture->setBoard(name);
}

void LiveWorkspace::connectSession()
{
    Session *session = &this->session();
    connect(session, &Session::opened, this, &LiveWorkspace::pipelineOpened);
    connect(session, &Session::failed, this, &LiveWorkspace::pipelineFailed);
    connect(session, &Session::closing, this, [this] {
        m_picture->showClosing();
        shell().messages.hide();
        showOpening();
    });
    connect(session, &Session::statusChanged, this, &LiveWorkspace::showStatus);
    connect(session, &Session::wantedChanged, this, [this] { m_controls->setConfig(this->session().wanted()); });
    connect(session, &Session::noticed, this, &LiveWorkspace::showNotice);
    connect(session, &Session::answered, m_video, &VideoView::setAnswer);
}

/// The renderer and the GL version identify the driver.
void LiveWorkspace::makeAdvisor()
{
    const auto driver = [this] {
        const std::shared_ptr<EglDisplay> display = m_parts.display();
        return display ? display->renderer() + ", " + display->glVersion() : std::string();
    };
    m_advisor = new Advisor(session(), shell().settings, *m_head->advice(), driver, this);
}

void LiveWorkspace::connectActions()
{
    const WindowActions &actions = shell().actions;
    connect(actions.showBefore, &QAction::toggled, m_video, &VideoView::setBeforeShown);
    connect(actions.showAnswer, &QAction::toggled, m_video, &VideoView::setAnswerShown);
    connect(actions.inspect, &QAction::toggled, m_video, &VideoView::setInspecting);
    connect(actions.fit, &QAction::triggered, m_video, &VideoView::fit);
    connect(actions.actualSize, &QAction::triggered, m_video, &VideoView::zoomToPixels);
    connect(actions.videoIsBlack, &QAction::triggered, m_video, &VideoView::stepPresentPath);
    connect(actions.step, &QAction::triggered, this,
            [this] { m_steps = isVisible() && session().phase() == Session::Phase::Open; });
    connect(&session(), &Session::polled, this, &LiveWorkspace::showStep);
}

/// A menu that was left keeps no focus: Space would open it again instead of pausing.
void LiveWorkspace::connectChoices()
{
    connect(m_controls, &ControlsPanel::wanted, &session(), &Session::change);
    connect(m_sourceMenu, &SourceMenu::chosen, this, [this](const QString &uri) {
        takeSource(uri);
        m_video->setFocus();
        emit wanted();
    });
    connectCameras();
    connect(m_deviceMenu, &DeviceMenu::chosen, this, [this](const QString &id) {
        session().changeDevice(id.toStdString());
        m_video->setFocus();
    });
    connect(m_presentMenu, &PresentMenu::chosen, m_video, &VideoView::setPresentPath);
    connect(m_gpuTimeMenu, &QMenu::aboutToShow, this, [this] { m_gpuTimeMenu->show(session().status()); });
    connect(m_gpuTimeMenu, &GpuTimeMenu::chosen, this, [this](GpuTime source) {
        PipelineConfig config = session().wanted();
        config.gpuTime = source;
        session().change(config);
    });
    connect(m_errorPage, &ErrorPage::retry, this, &LiveWorkspace::openAgain);
    connect(m_errorPage, &ErrorPage::otherWanted, this, [this] { session().changeSource(kDefaultSource); });
    connect(m_video, &VideoView::presentPathChanged, this, &LiveWorkspace::showPresentPath);
    connect(m_video, &VideoView::problem, this, [this](const QString &text) {
        shell().messages.show(MessageBar::Kind::Error, tr("The picture cannot be shown: %1").arg(text));
    });
}

void LiveWorkspace::takeSource(const QString &address)
{
    const std::string uri = address.toStdString();
    if (!areOpenTogether(session().status().source.uri, uri))
        shell().settings.addRecentSource(address);
    session().changeSource(uri);
}

void LiveWorkspace::connectCameras()
{
    connect(m_head, &LiveHead::cameraChosen, this, &LiveWorkspace::driveCamera);
    connect(shell().actions.nextCamera, &QAction::triggered, this, [this] {
        if (const std::optional<SeveralAddress> several = severalIn(session().status().source.uri))
            driveCamera((several->drives + 1) % several->sources.size());
    });
}

void LiveWorkspace::driveCamera(std::size_t camera)
{
    std::optional<SeveralAddress> several = severalIn(session().status().source.uri);
    if (!several || camera >= several->sources.size())
        return;
    several->drives = camera;
    session().changeSource(several->text());
}

void LiveWorkspace::showCameras()
{
    const bool isOpen = session().phase() == Session::Phase::Open;
    const std::optional<SeveralAddress> several =
        isOpen ? severalIn(session().status().source.uri) : std::optional<SeveralAddress>();
    QStringList names;
    if (several)
        for (const std::string &each : several->sources)
            names.append(toQString(each));
    m_head->setCameras(names, several ? several->drives : 0);
    WindowActions::allow(shell().actions.nextCamera,
                         several ? QString() : tr("One source is open: open several in Lab (Alt+4)"));
}

void LiveWorkspace::restore()
{
    resizeDocks({findChild<QDockWidget *>(QStringLiteral("controlsDock"))}, {kControlsWidth}, Qt::Horizontal);
    resizeDocks({m_tabsDock}, {std::min(kTabsHeight, static_cast<int>(height() * kMaxTabsHeight))}, Qt::Vertical);
    Workspace::restore();
    m_compare->restore(shell().settings);
    const QString folded = m_controls->folded().join(u',');
    m_controls->setFolded(shell().settings.text("live/folded", folded).split(u','));
    const WindowActions &actions = shell().actions;
    actions.showBefore->setChecked(shell().settings.flag("view/before", true));
    actions.showAnswer->setChecked(shell().settings.flag("view/answer", true));
    const PresentPath path = presentPathByName(shell().settings.text("view/present"));
    if (path != PresentPath::Auto)
        m_video->setPresentPath(path);
}

QByteArray LiveWorkspace::panelsKey() const
{
    return shell().settings.ofBoard(Workspace::panelsKey().toStdString());
}

void LiveWorkspace::save()
{
    Workspace::save();
    Settings &settings = shell().settings;
    m_compare->save(settings);
    m_stages->save();
    settings.save("live/folded", m_controls->folded().join(u','));
    settings.save("view/before", shell().actions.showBefore->isChecked());
    settings.save("view/answer", shell().actions.showAnswer->isChecked());
    settings.save("view/present", presentPathName(m_video->wantedPath()));
    const bool isMistake = !session().request().scene.empty();
    if (session().phase() == Session::Phase::Open && !isMistake)
        settings.saveRequest(session().request().source, session().status().facts.id, session().wanted(),
                             session().status().facts);
}

int LiveWorkspace::widthBesideSelection() const
{
    return m_controls->minimumSizeHint().width();
}

void LiveWorkspace::showOpening()
{
    const SessionRequest &request = session().request();
    const QString source = toQString(request.source);
    if (session().phase() == Session::Phase::Idle)
        m_errorPage->showIdle(source);
    else
        m_errorPage->showOpening(source);
    m_pages->setCurrentWidget(m_errorPage);
    m_head->setSource(source);
    m_controls->setConfig(session().wanted());
    m_head->setDevice(request.deviceId.empty() ? tr("best one") : toQString(request.deviceId));
    tellDetail();
}

void LiveWorkspace::pipelineOpened()
{
    const std::optional<PipelineConfig> again = std::exchange(m_again, std::nullopt);
    if (again && session().request().scene.empty() && *again != session().wanted())
        shell().messages.show(MessageBar::Kind::Warning,
                              tr("Choices that are not possible, or not safe, on this device were changed: %1")
                                  .arg(toQString(describeChange(*again, session().wanted()))));
    m_picture->showOpened();
    // Qt focuses the tabs or the source menu first, where Space would not pause.
    const QWidget *focus = window()->focusWidget();
    if (isVisible() && (!focus || !isAncestorOf(focus) || m_head->isAncestorOf(focus)))
        m_picture->page()->setFocus();
}

void LiveWorkspace::pipelineFailed()
{
    if (isQuestion(session().failure()))
        m_errorPage->showQuestion(toQString(session().failure().text));
    else
        m_errorPage->showError(tr("The pipeline could not be opened"),
                               QString::fromStdString(session().failure().message()));
    m_pages->setCurrentWidget(m_errorPage);
}

/// Disables the controls that need a pipeline, with the reason as tooltip.
void LiveWorkspace::showControls()
{
    const bool open = session().phase() == Session::Phase::Open;
    const QString held = session().holdReason();
    const QString reason = open ? QString() : held.isEmpty() ? tr("There is no pipeline.") : held;
    m_controls->setEnabled(open);
    m_controls->setToolTip(reason);
    m_controls->setAccessibleDescription(reason);
}

/// The line of what is open, below the name of the workspace.
void LiveWorkspace::tellDetail()
{
    switch (session().phase()) {
    case Session::Phase::Open: {
        const PipelineState state = session().status().state;
        const QString source = toQString(session().status().source.description);
        setDetail(state == PipelineState::Paused      ? tr("%1 · paused").arg(source)
                      : state == PipelineState::Ended ? tr("%1 · ended").arg(source)
                                                      : source);
        return;
    }
    case Session::Phase::Held:
        return setDetail(tr("measuring"));
    case Session::Phase::Failed:
        return setDetail(tr("not open"));
    case Session::Phase::Opening:
        return setDetail(tr("opening"));
    default:
        return setDetail(tr("nothing runs"));
    }
}

void LiveWorkspace::showStatus()
{
    showControls();
    showCameras();
    tellDetail();
    if (session().phase() == Session::Phase::Held) {
        m_errorPage->showHeld(session().holdReason());
        m_pages->setCurrentWidget(m_errorPage);
    }
    if (session().phase() == Session::Phase::Opening)
        m_errorPage->showOpening(toQString(session().request().source));
    if (session().phase() != Session::Phase::Open)
        return;
    const PipelineStatus &status = session().status();
    m_head->setSource(toQString(status.source.description));
    m_head->setDevice(toQString(status.facts.name));
    m_deviceMenu->setCurrent(toQString(status.facts.id));
    m_controls->setFacts(status.facts);
    m_controls->setWaitInForce(status.waitInForce);
    QStringList chain;
    for (const Filter filter : status.config.filters)
        chain.append(toQString(choiceOf(filter).label));
    m_video->setOutputLabel(tr("GPU: %1").arg(chain.isEmpty() ? tr("no filter") : chain.join(QStringLiteral(" → "))));
    if (status.config.cpuStage == CpuStagePlacement::Off)
        m_video->clearAnswer();
    showDevicePage();
}

/// The time since the pause is empty, so that a timeline which follows would show nothing else.
void LiveWorkspace::showStep()
{
    const PipelineState state = session().status().state;
    if (!m_steps || state != PipelineState::Paused) {
        if (std::exchange(m_steps, m_steps && state == PipelineState::Paused))
            timeline()->follow(); // The pipeline goes on.
        return;
    }
    const std::optional<Interval> time = newestFrameTime(session().trace());
    if (!time || (time->startNs == m_step.startNs && time->endNs == m_step.endNs))
        return;
    m_step = *time;
    const std::int64_t margin = (time->endNs - time->startNs) / 4;
    timeline()->show(Interval{time->startNs - margin, time->endNs + margin});
}

void LiveWorkspace::showFigures()
{
    Workspace::showFigures();
    tellDetail();
}

void LiveWorkspace::openAgain()
{
    session().confirm();
    m_again = session().wanted();
    if (m_lostDevice.empty() || session().status().facts.id != m_lostDevice) {
        session().open();
        return;
    }
    SessionRequest request = session().request();
    request.deviceId = m_lostDevice;
    request.config = session().ownChoices();
    if (!m_parts.relaunch(request))
        shell().messages.show(MessageBar::Kind::Error,
                              tr("Jetscope could not be started again; close it and start it by hand."));
}

void LiveWorkspace::showNotice(const PipelineNotice &notice)
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
        shell().messages.show(MessageBar::Kind::Info, text);
        break;
    case PipelineNotice::Kind::Refused:
        shell().messages.show(MessageBar::Kind::Warning, tr("The change was not made: %1").arg(text));
        break;
    case PipelineNotice::Kind::Ended:
        shell().messages.show(MessageBar::Kind::Info, text, {tr("Play again"), [this] { session().open(); }});
        break;
    case PipelineNotice::Kind::Failed:
        m_lostDevice = notice.deviceLost ? session().status().facts.id : std::string();
        shell().messages.show(MessageBar::Kind::Error, text, {tr("Retry"), [this] { openAgain(); }});
        break;
    }
}

QString LiveWorkspace::pictureWords() const
{
    return presentPathLabel(m_video->presentPath()) + QStringLiteral(": ") + m_video->presentNote();
}

void LiveWorkspace::showPresentPath()
{
    const GlShare &share = m_parts.video.share;
    m_presentMenu->show(m_video->wantedPath(), m_video->presentPath(), share.available(), toQString(share.reason));
    shell().actions.videoIsBlack->setEnabled(share.available());
    showDevicePage();
}

void LiveWorkspace::showDevicePage()
{
    if (session().phase() == Session::Phase::Open)
        m_devicePage->show({session().status(), m_parts.display(), toQString(m_parts.video.share.reason),
                            presentPathLabel(m_video->presentPath()), m_video->presentNote()});
}

} // namespace jetscope
