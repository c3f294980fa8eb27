// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tracepanels.h"

#include "ui/frames/framespage.h"
#include "ui/frames/framesview.h"
#include "ui/query/querypage.h"
#include "ui/selection/notespage.h"
#include "ui/selection/selectionpanel.h"
#include "ui/selection/spandialog.h"
#include "ui/selection/tracepanel.h"
#include "ui/session/notelist.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/session/traceselection.h"
#include "ui/style/text.h"
#include "ui/timeline/lanekeys.h"
#include "ui/timeline/notefield.h"
#include "ui/timeline/spannavigation.h"
#include "ui/timeline/timelineview.h"

#include <QApplication>
#include <QCursor>
#include <QDockWidget>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr const char *kOlderPins = "timeline/pinned";
constexpr const char *kOlderFolds = "timeline/collapsed";

/// Version 0.1 had one timeline.
LaneChoices olderLanes(const Settings &settings)
{
    LaneChoices choices;
    choices.setPinned(settings.text(kOlderPins).split(u'\n', Qt::SkipEmptyParts));
    for (const QString &group : settings.text(kOlderFolds).split(u',', Qt::SkipEmptyParts))
        choices.setFolded(group, true);
    return choices;
}

} // namespace

TracePanels::TracePanels(Session &session, QString name, QObject *parent)
    : QObject(parent),
      m_session(session),
      m_name(std::move(name)),
      m_selection(new TraceSelection(session.trace(), this)),
      m_timeline(new TimelineView(session.trace(), *m_selection)),
      m_frames(new FramesPage(session.trace(), *m_selection)),
      m_query(new QueryPage),
      m_panel(new TracePanel(session.trace(), *m_selection)),
      m_notes(new NoteList(session, this)),
      m_notesPage(new NotesPage(session.trace(), *m_notes)),
      m_noteField(new NoteField(m_timeline->viewport()))
{
    m_timeline->setCoarse(session.coarse());
    connectNotes();
    m_showDock.setSingleShot(true);
    connect(&m_showDock, &QTimer::timeout, this, &TracePanels::showDock);
    connect(&session, &Session::traceRestarted, this, &TracePanels::restart);
    connect(m_selection, &TraceSelection::changed, this, &TracePanels::selectionChanged);
    connect(m_timeline, &TimelineView::viewChanged, this, [this] {
        const bool follows = m_timeline->isFollowing();
        if (follows && !m_follows)
            m_frames->view()->follow();
        m_follows = follows;
    });
    connect(m_timeline, &TimelineView::followed, this, &TracePanels::letGo);
    connect(m_frames->view(), &FramesView::followed, this, &TracePanels::letGo);
    connect(m_frames, &FramesPage::chosen, this, [this](std::uint64_t frame) { showFrame(frame, false); });
    connect(m_query, &QueryPage::chosen, this, [this](const QueryTarget &target) {
        if (!showTarget(target, false))
            m_query->showMissing();
    });
    connect(m_query, &QueryPage::opened, this, [this](const QueryTarget &target) {
        if (showTarget(target, true))
            emit timelineWanted();
    });
    connect(m_panel, &TracePanel::spanWanted, m_timeline, &TimelineView::showSpan);
    connect(m_panel, &TracePanel::clearWanted, m_timeline, &TimelineView::clearOne);
    connect(m_panel, &TracePanel::timeWanted, m_timeline, [this](Interval time) { m_timeline->show(time); });
    connect(m_frames, &FramesPage::opened, this, [this](std::uint64_t frame) {
        showFrame(frame, true);
        emit timelineWanted();
    });
}

void TracePanels::connectNotes()
{
    connect(m_notes, &NoteList::changed, m_timeline->viewport(), QOverload<>::of(&QWidget::update));
    connect(m_noteField, &NoteField::given, this, [this](Interval time, const QString &text) {
        m_notes->add(time, text);
        m_notedNs = time.startNs;
    });
    connect(m_noteField, &NoteField::closed, m_timeline, [this] { m_timeline->setFocus(); });
    connect(m_notesPage, &NotesPage::chosen, this, &TracePanels::showNote);
    connect(m_notesPage, &NotesPage::newWanted, this, &TracePanels::addNote);
}

Interval TracePanels::noteTime() const
{
    if (m_selection->range())
        return *m_selection->range();
    if (const auto &span = m_selection->span())
        return {span->bar.span.startNs, span->bar.span.endNs()};
    if (const std::optional<Interval> time = m_selection->time())
        return *time;
    const Interval window = m_timeline->camera().window();
    std::int64_t ns = window.startNs + (window.endNs - window.startNs) / 2;
    const QWidget *viewport = m_timeline->viewport();
    const int x = viewport->mapFromGlobal(QCursor::pos()).x() - m_timeline->layout().metrics.labelWidth;
    if (viewport->underMouse() && x >= 0)
        ns = timeAt(m_timeline->scale(), x);
    return {ns, ns};
}

void TracePanels::addNote()
{
    if (m_session.trace().empty())
        return;
    const Interval time = noteTime();
    m_timeline->camera().stopFollowing();
    emit timelineWanted();
    m_noteField->ask(time,
                     time.endNs > time.startNs ? tr("Note on %1").arg(durationText(time.endNs - time.startNs))
                                               : tr("Note at this time"));
    m_timeline->reveal(time);
}

void TracePanels::showNote(std::size_t place)
{
    if (place >= m_notes->all().size())
        return;
    const TraceNote note = m_notes->all()[place];
    m_notedNs = note.startNs;
    emit timelineWanted();
    if (note.endNs > note.startNs)
        m_selection->selectRange({note.startNs, note.endNs});
    m_timeline->reveal({note.startNs, note.endNs});
}

/// From the note that was shown last, if it is still in view.
void TracePanels::stepNote(int direction)
{
    const Interval window = m_timeline->camera().window();
    const bool isSeen = m_notedNs >= window.startNs && m_notedNs < window.endNs;
    const std::int64_t fromNs = isSeen ? m_notedNs : window.startNs + (window.endNs - window.startNs) / 2;
    const std::size_t place = m_notes->next(fromNs, direction);
    if (place < m_notes->all().size())
        showNote(place);
    else
        emit m_timeline->said(m_notes->all().empty() ? tr("There are no notes on this trace; Ctrl+N makes one.")
                                  : direction > 0    ? tr("There is no later note.")
                                                     : tr("There is no earlier note."));
}

SelectionPanel *TracePanels::figures() const
{
    return m_panel->details();
}

/// Shows the span of a query row, else its frame, else its time. False if the trace contains none of these.
bool TracePanels::showTarget(const QueryTarget &target, bool zoom)
{
    const Trace &trace = m_session.trace();
    const auto span = target.startNs
        ? spanBeginning(trace, *target.startNs, target.lane.toStdString(), target.name.toStdString())
        : std::nullopt;
    if (span) {
        m_selection->selectSpan(*span);
        const Interval time{span->bar.span.startNs, std::max(span->bar.span.endNs(), span->bar.span.startNs + 1)};
        m_timeline->showSpan(*span);
        if (zoom)
            m_timeline->show(time);
        return true;
    }
    if (const auto frame = trace.frames().find(target.frame.value_or(kNoFrame))) {
        m_selection->selectFrame(*frame);
        showFrame(*frame, zoom);
        return true;
    }
    if (!target.startNs || *target.startNs < trace.oldestNs() || *target.startNs > trace.newestNs())
        return false;
    m_timeline->reveal(
        {*target.startNs, *target.startNs + std::min(target.durationNs, trace.newestNs() - *target.startNs)});
    return true;
}

/// Also while the timeline is hidden, so that it shows the frame when it becomes visible.
void TracePanels::showFrame(std::uint64_t frame, bool zoom)
{
    const FrameTable &frames = m_session.trace().frames();
    if (frame < frames.firstIndex() || frame >= frames.endIndex())
        return;
    const FrameFigures figures = frames.at(frame);
    const Interval period{figures.startNs, figures.startNs + figures.periodNs()};
    zoom ? m_timeline->show(period) : m_timeline->reveal(period);
}

void TracePanels::restart()
{
    m_selection->clear();
    takeLanes();
    m_timeline->setOverviewShown(!m_session.isLive());
    m_timeline->restart(m_session.isLive());
    m_frames->restart(m_session.isLive());
    m_panel->details()->restart();
    m_panel->restart();
    m_panel->setTab(m_session.isLive() ? TracePanel::Details : TracePanel::Where);
    showDock();
}

/// When the user follows the newest frames, the old selection is cleared, because its figures would only take room. A
/// trace from a file has no newer frames.
void TracePanels::letGo()
{
    if (m_session.isLive())
        m_selection->clear();
}

/// Showing the dock moves the other panels. Delayed, so that they do not move between the clicks of a double click.
void TracePanels::selectionChanged()
{
    if (m_selection->time() && m_dock && m_dock->isHidden())
        m_showDock.start(QApplication::doubleClickInterval());
    else
        showDock();
}

void TracePanels::showDock()
{
    m_showDock.stop();
    if (m_dock)
        m_dock->setVisible(m_selection->time() || (!m_session.isLive() && !m_session.trace().empty()));
}

void TracePanels::listSpans(QWidget *parent)
{
    auto *dialog = new SpanDialog(m_session.trace(), *m_selection, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_session, &Session::traceRestarted, dialog, &SpanDialog::restart);
    connect(dialog, &SpanDialog::chosen, this, [this](qint64 startNs, const QString &lane, const QString &name) {
        QueryTarget target;
        target.startNs = startNs;
        target.lane = lane;
        target.name = name;
        showTarget(target, false);
        emit timelineWanted();
    });
    dialog->show();
}

void TracePanels::setMotionReduced(bool reduced)
{
    m_motionReduced = reduced;
    m_followed.invalidate();
    m_timeline->setAnimated(!reduced);
}

void TracePanels::refresh()
{
    constexpr qint64 kCalmMs = 1000;
    m_session.setSeen(m_timeline->isVisible() ? m_timeline->camera().window() : Interval(),
                      m_timeline->camera().scale().nsPerPixel);
    const bool rests =
        m_motionReduced && m_timeline->isFollowing() && m_followed.isValid() && m_followed.elapsed() < kCalmMs;
    if (m_timeline->isVisible() && !rests) {
        m_timeline->refresh();
        m_followed.start();
    }
    if (m_frames->isVisible())
        m_frames->refresh();
    m_panel->refresh();
}

/// Lanes of another producer have other names: what was chosen for them comes back with its next trace.
void TracePanels::takeLanes()
{
    const QString producer = producerOf(m_session.trace().origin());
    if (producer == m_producer)
        return;
    keepLanes();
    m_producer = producer;
    m_timeline->setLaneChoices(LaneChoices::fromText(m_lanes.value(producer).toString()));
}

void TracePanels::keepLanes()
{
    constexpr qsizetype kMostProducers = 50;
    const QString text = m_timeline->laneChoices().toText();
    m_lanes.remove(m_producer);
    if (!text.isEmpty() && m_lanes.size() < kMostProducers)
        m_lanes.insert(m_producer, text);
}

void TracePanels::restore(const Settings &settings)
{
    m_lanes = QJsonDocument::fromJson(settings.text(key("lanes").constData()).toUtf8()).object();
    m_producer = producerOf(m_session.trace().origin());
    m_timeline->setLaneChoices(m_lanes.isEmpty() ? olderLanes(settings)
                                                 : LaneChoices::fromText(m_lanes.value(m_producer).toString()));
    m_timeline->setArrows(ArrowChoice::fromText(settings.text(key("arrows").constData())));
    if (const QString sql = settings.text(key("query").constData()); !sql.isEmpty())
        m_query->setSql(sql);
}

void TracePanels::save(Settings &settings)
{
    keepLanes();
    settings.save(key("lanes").constData(),
                  m_lanes.isEmpty() ? QString()
                                    : QString::fromUtf8(QJsonDocument(m_lanes).toJson(QJsonDocument::Compact)));
    for (const char *older : {kOlderPins, kOlderFolds})
        if (!settings.text(older).isEmpty())
            settings.save(older, QString());
    settings.save(key("arrows").constData(), m_timeline->arrows().choice().toText());
    settings.save(key("query").constData(), m_query->sql());
}

} // namespace jetscope
