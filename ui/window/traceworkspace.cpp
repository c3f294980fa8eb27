// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/traceworkspace.h"

#include "core/board/boardevents.h"
#include "gpu/remote/pipelinehost.h"
#include "ui/attach/inspectpage.h"
#include "ui/files/filmstrip.h"
#include "ui/files/tracefilepage.h"
#include "ui/frames/framespage.h"
#include "ui/hazards/hazardlist.h"
#include "ui/query/querypage.h"
#include "ui/remote/viewbar.h"
#include "ui/remote/viewopener.h"
#include "ui/selection/notespage.h"
#include "ui/session/traceselection.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/style/titleline.h"
#include "ui/timeline/rangebrief.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/figuresbar.h"
#include "ui/window/tabsummary.h"
#include "ui/window/tracepanels.h"
#include "ui/window/tracestart.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowfilecompare.h"
#include "ui/window/windowinspect.h"
#include "ui/window/workspacetools.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>

#include <utility>

namespace jetscope {

TraceWorkspace::TraceWorkspace(const Shell &shell, const std::shared_ptr<PipelineHost> &host)
    : Workspace(shell, QStringLiteral("trace"),
                std::make_unique<Session>([host](const SessionRequest &wanted) { return host->open(wanted); },
                                          SessionRequest())),
      m_opener(session(), shell.messages, shell.places, RecentFiles(shell.settings)),
      m_views(new ViewOpener(session(), this)),
      m_head(new TitleLine),
      m_pages(new QStackedWidget),
      m_start(new TraceStart),
      m_content(new QSplitter(Qt::Vertical)),
      m_film(new FilmStrip(session().trace(), panels().selection())),
      m_filePage(new TraceFilePage(session().trace())),
      m_viewBar(new ViewBar)
{
    hazards()->setScenesOffered(false);
    figures()->setOnlyKnown(true);
    makeTools();
    m_content->setChildrenCollapsible(false);
    m_content->addWidget(m_film);
    m_content->addWidget(m_viewBar);
    m_content->addWidget(tabs());
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_content);
    setCentralWidget(m_pages);
    makeTabs();
    addSelectionDock(nullptr);
    setPanelsLocked(true);
    build(m_head);
    m_inspect = std::make_unique<WindowInspect>(
        WindowInspect::Parts{shell.window, session(), shell.settings, shell.actions, *m_head, shell.places.dialogs()});
    m_content->insertWidget(0, m_inspect->place());
    m_compare = std::make_unique<WindowFileCompare>(WindowFileCompare::Parts{
        session(), shell.actions, *tabs(), shell.messages, shell.places, [this](QWidget *page) { showTab(page); }});
    tabs()->addTab(m_filePage, tr("File"));
    connectParts();
    connectViews();
    showPhase();
}

TraceWorkspace::~TraceWorkspace()
{
    session().disconnect();
    delete m_compare->page(); // It shows traces that the other parts own.
    m_compare.reset();
    m_inspect.reset();
}

void TraceWorkspace::makeTools()
{
    const WindowActions &actions = shell().actions;
    auto *open = new QMenu(this);
    auto *exports = new QMenu(this);
    for (QMenu *menu : {open, exports})
        menu->setToolTipsVisible(true);
    open->addActions({actions.open, actions.inspectProgram});
    exports->addActions({actions.save, actions.exportChrome, actions.exportFrames, actions.exportPicture,
                         actions.copyPicture, actions.report});
    tools()
        ->addMenu(Glyph::Open, tr("Open"), tr("Opens a trace, or inspects a program"), open)
        ->setObjectName(QStringLiteral("openMenu"));
    tools()->addAction(actions.compareFile);
    tools()
        ->addMenu(Glyph::Export, tr("Export"), tr("Writes the trace, or a part of it, into a file"), exports)
        ->setObjectName(QStringLiteral("exportMenu"));
}

void TraceWorkspace::makeTabs()
{
    tabs()->addTab(timeline(), tr("Timeline"));
    tabs()->addTab(panels().frames(), tr("Frames"));
    tabs()->addTab(hazards(), tr("Hazards"));
    tabs()->addTab(panels().query(), tr("Query"));
    tabs()->addTab(panels().notesPage(), tr("Notes"));
}

void TraceWorkspace::connectParts()
{
    Session *session = &this->session();
    connect(session, &Session::statusChanged, this, &TraceWorkspace::showPhase);
    connect(session, &Session::noticed, this, &TraceWorkspace::showNotice);
    connect(session, &Session::traceRestarted, this, [this] {
        if (!m_opener.isCompleting()) // Else the user may have gone elsewhere meanwhile.
            emit wanted();
    });
    connect(&m_opener, &TraceOpener::failed, this, &TraceWorkspace::cannotOpen);
    connect(&m_opener, &TraceOpener::sweepOpened, this, &TraceWorkspace::showPhase); // It is shown elsewhere.
    connect(&m_opener, &TraceOpener::boardLogOpened, this, &TraceWorkspace::showPhase);
    connect(&m_opener, &TraceOpener::verificationOpened, this, &TraceWorkspace::showPhase);
    connect(&m_opener, &TraceOpener::fleetOpened, this, &TraceWorkspace::showPhase);
    connect(&m_opener, &TraceOpener::shown, this, &TraceWorkspace::showFile);
    connect(&m_opener.job(), &BackgroundJob::started, this, [this](const QString &what) {
        m_opened = Opened::File;
        if (!hasTrace())
            m_start->showOpening(what);
    });
    connect(m_head, &TitleLine::notesWanted, this, [this] { showTab(m_filePage); });
    connect(m_head, &TitleLine::framesWanted, &m_opener, &TraceOpener::chooseFrames);
    connect(m_start, &TraceStart::openWanted, shell().actions.open, &QAction::trigger);
    connect(m_start, &TraceStart::recentWanted, this, [this](const QString &path) { m_opener.open(path); });
    connect(m_start, &TraceStart::inspectWanted, shell().actions.inspectProgram, &QAction::trigger);
    connect(m_start, &TraceStart::retryWanted, this, &TraceWorkspace::openAgain);
}

bool TraceWorkspace::hasTrace() const
{
    const Session::Phase phase = session().phase();
    return phase == Session::Phase::File || phase == Session::Phase::Inspecting;
}

void TraceWorkspace::openAgain()
{
    if (m_opened == Opened::Program)
        session().open();
    else if (m_opened == Opened::View)
        m_views->openAgain();
    else
        m_opener.openAgain();
}

/// Above the tabs: the pictures of a file, or the state of a program.
void TraceWorkspace::showPart(QWidget *part)
{
    m_film->setVisible(part == m_film);
    m_viewBar->setVisible(part == m_viewBar);
    m_inspect->place()->setVisible(part == m_inspect->place());
}

void TraceWorkspace::showPhase()
{
    m_pages->setCurrentWidget(hasTrace() ? static_cast<QWidget *>(m_content) : m_start);
    m_head->setVisible(session().phase() != Session::Phase::Idle);
    const std::optional<ProgramWish> &program = session().request().program;
    tabs()->setTabVisible(tabs()->indexOf(m_filePage), session().phase() == Session::Phase::File);
    switch (session().phase()) {
    case Session::Phase::Opening:
        m_opened = Opened::Program;
        m_start->showOpening(program ? toQString(commandLineOf(program->command)) : QString());
        break;
    case Session::Phase::Inspecting:
        m_opened = Opened::Program;
        m_head->setNotes({}, false);
        showPart(m_inspect->place());
        break;
    case Session::Phase::File:
        if (m_shownRun != session().traceRun()) // Else it is shown, and its figures may take long.
            showFile();
        return;
    case Session::Phase::Failed:
        m_head->setTitle({}, {});
        m_start->showError(m_opened == Opened::Program ? tr("The program could not be started")
                                                       : tr("The file could not be opened"),
                           toQString(session().failure().message()));
        m_start->showRecent(RecentFiles(shell().settings).entries());
        setDetail(tr("not open"));
        return;
    default:
        m_start->showIdle();
        m_start->showRecent(RecentFiles(shell().settings).entries());
        setDetail(tr("nothing open"));
        return;
    }
    setDetail(m_head->title());
}

QString TraceWorkspace::notesFile() const
{
    return m_views->isShown() ? QString() : m_opener.notesFile();
}

void TraceWorkspace::connectViews()
{
    connect(m_views, &ViewOpener::progressed, this, [this](const QString &path, double fraction) {
        m_opened = Opened::View;
        if (!hasTrace())
            m_start->showOpening(fraction > 0 ? tr("%1 on the board: %2 read").arg(path, percentText(fraction)) : path);
        else if (fraction == 0)
            shell().messages.show(MessageBar::Kind::Info, tr("The board opens %1.").arg(path));
    });
    connect(m_views, &ViewOpener::failed, this,
            [this](const QString &path, const Error &error) { cannotOpen(path, error, false); });
    connect(m_viewBar, &ViewBar::fetchWanted, this, [this] { emit fetchWanted(m_views->path()); });
    connect(m_views, &ViewOpener::changed, this, [this] { m_viewBar->show(*m_views->view()); });
    connect(m_views, &ViewOpener::shown, this, &TraceWorkspace::showView);
    panels().query()->setGate([this] {
        return !offersWhole(tr("A query"), [this] {
            showTab(panels().query());
            panels().query()->run();
        });
    });
    connect(&panels().selection(), &TraceSelection::changed, this, &TraceWorkspace::showSpanOfView);
}

void TraceWorkspace::showView()
{
    m_cause.cancel();
    m_spanOfView.reset();
    m_viewBar->show(*m_views->view());
    showPart(m_viewBar);
}

bool TraceWorkspace::offersWhole(const QString &what, const std::function<void()> &then)
{
    if (!m_views->isShown())
        return false;
    emit wholeWanted(what, then);
    return true;
}

void TraceWorkspace::showSpanOfView()
{
    if (!m_views->isShown())
        return;
    askForCause();
    QString text;
    if (const auto &span = panels().selection().span())
        text = spanTip(session().trace(), *span, timeline()->camera().rulerOriginNs()) + m_causeText;
    m_viewBar->showSpan(text.replace(QStringLiteral("<br>"), QStringLiteral(" · ")));
}

/// What a wait waited for is found by the board.
void TraceWorkspace::askForCause()
{
    const Trace &trace = session().trace();
    const auto &span = panels().selection().span();
    if (span && m_spanOfView && span->track == m_spanOfView->track && span->bar.index == m_spanOfView->bar.index)
        return;
    m_spanOfView = span;
    m_causeText.clear();
    m_cause.cancel();
    if (!span || !isWait(trace.names().category(span->bar.span.name)))
        return;
    FigureWish wish;
    wish.kind = FigureWish::Kind::Cause;
    wish.track = static_cast<std::uint32_t>(span->track);
    wish.index = span->bar.index;
    wish.hasSpan = true;
    m_cause.ask(*trace.distant(), FigureSeat::Cause, wish, [this, wait = *span](const FigureAnswer &answer) {
        m_causeText = causeTip(session().trace(), wait, answer.span);
        showSpanOfView();
    });
}

void TraceWorkspace::showFile()
{
    const Trace &trace = session().trace();
    const bool isHere = !trace.distant();
    for (QWidget *page : {static_cast<QWidget *>(panels().frames()), static_cast<QWidget *>(panels().notesPage())})
        tabs()->setTabVisible(tabs()->indexOf(page), isHere);
    const QString file = toQString(trace.origin().file);
    m_shownRun = session().traceRun();
    m_film->refresh();
    showPart(!isHere ? static_cast<QWidget *>(m_viewBar) : m_film->isEmpty() ? nullptr : m_film);
    const QStringList notes = isHere ? m_opener.notes() : m_views->remarks();
    m_filePage->refresh(notes);
    m_filePage->showPath(session().path());
    m_head->setTitle(file.isEmpty() ? tr("A trace") : QFileInfo(file).fileName(), traceWords(trace));
    m_head->setNotes(notes, isHere && !m_opener.frameNames().isEmpty());
    const BoardSeries board = isBoardLog(trace) ? boardSeriesOf(trace) : BoardSeries();
    const BoardHeadline line =
        board.charts().empty() ? BoardHeadline() : headlineOf(board, boardEvents(board), board.time());
    m_headline = line.first + (line.rest.empty() ? "" : " ") + line.rest;
    showVerdict();
    summary()->setText(timeline()->summary());
    setDetail(m_head->title());
}

/// A verdict is of frames, which a log and many traces do not have.
void TraceWorkspace::showVerdict()
{
    Verdict verdict = session().verdict();
    const Trace &trace = session().trace();
    if (!m_headline.empty())
        verdict = {Bottleneck::Unknown, m_headline};
    else if (trace.distant())
        verdict = {Bottleneck::Unknown, tr("The verdict needs the whole capture.").toStdString()};
    else if (session().phase() == Session::Phase::File && trace.frames().empty() && trace.spanCount() > 0)
        verdict = {Bottleneck::Unknown,
                   tr("This trace has no frames; Where tells what its time went for.").toStdString()};
    m_head->setVerdict(verdict);
}

void TraceWorkspace::showFigures()
{
    Workspace::showFigures();
    if (session().phase() != Session::Phase::File)
        return;
    showVerdict();
    m_filePage->showPath(session().path());
}

/// What is open stays; otherwise the error takes its place.
void TraceWorkspace::cannotOpen(const QString &path, const Error &error, bool isCancelled)
{
    if (!hasTrace() && isVisible())
        session().fail(isCancelled ? Error{"", 0, tr("Opening %1 was cancelled.").arg(path).toStdString()} : error);
    else if (!isCancelled)
        shell().messages.show(MessageBar::Kind::Error,
                              tr("The file could not be opened: %1").arg(toQString(error.message())));
    showPhase();
}

/// Of an inspected program.
void TraceWorkspace::showNotice(const PipelineNotice &notice)
{
    const QString text = toQString(notice.text);
    if (notice.kind == PipelineNotice::Kind::Ended)
        shell().messages.show(MessageBar::Kind::Info, text, {tr("Start again"), [this] { session().open(); }});
    else if (notice.kind == PipelineNotice::Kind::Failed)
        shell().messages.show(MessageBar::Kind::Error, text, {tr("Retry"), [this] { session().open(); }});
    else if (notice.kind == PipelineNotice::Kind::Stage)
        shell().messages.show(MessageBar::Kind::Info, text);
    else if (notice.kind == PipelineNotice::Kind::Refused)
        shell().messages.show(MessageBar::Kind::Warning, tr("The change was not made: %1").arg(text));
}

} // namespace jetscope
