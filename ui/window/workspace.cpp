// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/workspace.h"

#include "ui/files/notekeeper.h"
#include "ui/hazards/hazardlist.h"
#include "ui/query/querypage.h"
#include "ui/selection/notespage.h"
#include "ui/selection/selectionpanel.h"
#include "ui/selection/tracepanel.h"
#include "ui/session/settings.h"
#include "ui/style/headline.h"
#include "ui/style/messagebar.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/figuresbar.h"
#include "ui/window/tabsummary.h"
#include "ui/window/tracepanels.h"
#include "ui/window/windowhazards.h"
#include "ui/window/windowinspect.h"
#include "ui/window/workspacetools.h"

#include <QDockWidget>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr int kLayoutVersion = 4; ///< Version of the saved dock layout.
constexpr int kMinSelection = 200;
constexpr int kPanelLines = 8; ///< Lines between the panels.

} // namespace

Workspace::Workspace(const Shell &shell, QString name, std::unique_ptr<Session> session)
    : m_shell(shell),
      m_name(std::move(name)),
      m_session(std::move(session)),
      m_tabs(new QTabWidget),
      m_panels(new TracePanels(*m_session, m_name, this)),
      m_hazards(new HazardList),
      m_files(std::make_unique<TraceFiles>(*m_session, shell.messages, shell.places)),
      m_tools(new WorkspaceTools(this)),
      m_summary(new TabSummary(m_tabs))
{
    setWindowFlags(Qt::Widget);
    setObjectName(m_name);
    setAnimated(false); // Animated docks make the video stutter.
    m_tabs->setObjectName(QStringLiteral("tabs"));
    m_tabs->tabBar()->setAccessibleName(tr("Tabs"));
    m_panels->query()->setQuery(&m_files->query());
}

Workspace::~Workspace()
{
    m_session->disconnect();
    m_windowHazards.reset();
    m_noteKeeper.reset(); // It watches the recorder.
    m_files.reset();
    m_session.reset();
}

TimelineView *Workspace::timeline() const
{
    return m_panels->timeline();
}

FiguresBar *Workspace::figures() const
{
    return m_tools->figures();
}

void Workspace::build(HeadLine *head)
{
    m_head = head;
    setMenuWidget(head);
    Session *session = m_session.get();
    connect(session, &Session::polled, m_panels, &TracePanels::refresh);
    connect(session, &Session::statusChanged, this, &Workspace::statusChanged);
    connect(session, &Session::figuresChanged, this, [this] {
        showFigures();
        emit statusChanged();
    });
    m_windowHazards = std::make_unique<WindowHazards>(WindowHazards::Parts{
        *m_hazards, *session, *m_panels, *m_tabs, m_shell.messages, *m_files, [this] { saveChoices(); }});
    m_noteKeeper = std::make_unique<NoteKeeper>(m_panels->notes(), m_files->recorder(), m_shell.messages,
                                                [this] { return notesFile(); });
    connect(m_noteKeeper.get(), &NoteKeeper::kept, this,
            [this](const QString &place) { m_panels->notesPage()->setPlace(tr("Kept in %1").arg(place)); });
    connect(session, &Session::traceRestarted, this, [this] { m_panels->notesPage()->setPlace({}); });
    connect(timeline(), &TimelineView::said, this,
            [this](const QString &text) { m_shell.messages.show(MessageBar::Kind::Info, text); });
    // While following, the view changes with every frame; the summary is then updated at the readable rate of the
    // figures.
    connect(timeline(), &TimelineView::viewChanged, this, [this] {
        if (!timeline()->isFollowing())
            m_summary->setText(timeline()->summary());
    });
    connect(m_panels, &TracePanels::timelineWanted, this, [this] { showTab(timeline()); });
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        m_summary->setWanted(m_tabs->currentWidget() == timeline());
        m_panels->refresh();
    });
}

QDockWidget *Workspace::addDock(const QString &title, const char *name, QWidget *widget)
{
    auto *dock = new QDockWidget(title, this);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(widget);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
    m_docks.append(dock);
    return dock;
}

void Workspace::addSelectionDock(QDockWidget *beside)
{
    auto *selection = new QScrollArea; // In a small window it is higher than its dock.
    selection->setAccessibleName(tr("Selection"));
    selection->setWidgetResizable(true);
    selection->setFrameShape(QFrame::NoFrame);
    selection->setWidget(m_panels->panel());
    m_selectionDock = addDock(selection->accessibleName(), "selectionDock", selection);
    if (beside)
        splitDockWidget(beside, m_selectionDock, Qt::Horizontal);
    else
        addDockWidget(Qt::RightDockWidgetArea, m_selectionDock);
    m_selectionDock->hide();
    m_panels->setDock(m_selectionDock);
}

void Workspace::showTab(QWidget *page)
{
    m_tabs->setCurrentWidget(page);
    emit wanted();
}

void Workspace::setDetail(const QString &detail)
{
    m_detail = detail;
    emit detailChanged();
}

void Workspace::refresh()
{
    m_panels->refresh();
}

void Workspace::setPanelsLocked(bool locked)
{
    for (QDockWidget *dock : std::as_const(m_docks)) {
        delete dock->titleBarWidget();
        dock->setTitleBarWidget(locked ? new QWidget(dock) : nullptr);
    }
}

void Workspace::setMotionReduced(bool reduced) const
{
    m_panels->setMotionReduced(reduced);
}

QList<QSize> Workspace::panelSizes() const
{
    QList<QSize> sizes;
    for (const QDockWidget *dock : m_docks)
        sizes += dock->size();
    return sizes;
}

void Workspace::setPanelSizes(const QList<QSize> &sizes)
{
    for (qsizetype i = 0; i < std::min(m_docks.size(), sizes.size()); ++i) {
        const Qt::DockWidgetArea area = dockWidgetArea(m_docks[i]);
        const bool isBeside = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
        if (m_docks[i]->isVisibleTo(this) && !m_docks[i]->isFloating())
            resizeDocks({m_docks[i]}, {isBeside ? sizes[i].width() : sizes[i].height()},
                        isBeside ? Qt::Horizontal : Qt::Vertical);
    }
}

void Workspace::restore()
{
    restorePanels();
    m_panels->restore(m_shell.settings);
}

/// Where nothing is stored they stay as they are.
void Workspace::restorePanels()
{
    restoreState(m_shell.settings.bytes(panelsKey().constData()), kLayoutVersion);
    m_selectionDock->hide(); // There is no selection yet.
}

QByteArray Workspace::panelsKey() const
{
    return key("docks").toLatin1();
}

void Workspace::save()
{
    m_shell.settings.save(panelsKey().constData(), saveState(kLayoutVersion));
    m_panels->save(m_shell.settings);
}

void Workspace::showFigures()
{
    m_summary->setText(timeline()->summary());
    figures()->show(m_session->figures(), m_session->counts(), WindowInspect::noGpuTimes(*m_session));
    if (!m_session->isWantedHeld()) // During a trial the verdict would alternate between the configurations.
        m_head->setVerdict(m_session->verdict());
}

/// Gives the figures of the selection their full width if there is room for it; otherwise they need fewer columns. The
/// tabs shrink before the window grows.
void Workspace::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    const int room = width() - widthBesideSelection() - kPanelLines;
    const int tabs = m_tabs->minimumSizeHint().width();
    m_tabs->setMinimumWidth(std::clamp(room - kMinSelection, 1, std::max(1, tabs)));
    m_selectionDock->widget()->setMinimumWidth(std::clamp(room - tabs, kMinSelection, SelectionPanel::kWholeWidth));
}

} // namespace jetscope
