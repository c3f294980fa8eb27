// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/shownpicture.h"

#include "ui/files/thumbnailer.h"
#include "ui/live/selectedframeview.h"
#include "ui/live/videoview.h"
#include "ui/remote/boardpictureview.h"
#include "ui/session/session.h"
#include "ui/session/traceselection.h"
#include "ui/timeline/timelineview.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QStackedWidget>

namespace jetscope {

ShownPicture::ShownPicture(const Parts &parts, QObject *parent)
    : QObject(parent),
      m_parts(parts),
      m_thumbnailer(new Thumbnailer(parts.session.trace(), this)),
      m_selectedFrameView(new SelectedFrameView)
{
    m_parts.pages.addWidget(m_selectedFrameView);
    keepPictures();
    connectSelection();
}

void ShownPicture::keepPictures()
{
    connect(&m_parts.video, &VideoView::frameTaken, this, [this](quint32 frame) {
        m_newestFrame = frame;
        m_recentPictures.add(frame, m_parts.video.picture());
        m_thumbnailer->offer([this] { return m_parts.video.copy(Thumbnailer::kWantedWidth); });
    });
    // Of a board only thumbnails: a reduced picture is no frame in full size.
    connect(&m_parts.board, &BoardPictureView::reducedShown, this, [this](quint32 frame) {
        m_thumbnailer->offer([&] { return FramePicture{frame, m_parts.board.image()}; });
    });
    Session *session = &m_parts.session;
    connect(session, &Session::polled, m_thumbnailer, &Thumbnailer::flush);
    connect(m_thumbnailer, &Thumbnailer::made, session, &Session::addThumbnail);
    connect(session, &Session::traceRestarted, this, [this] {
        m_thumbnailer->clear();
        m_recentPictures.clear();
        m_newestFrame.reset();
    });
}

/// Selecting a frame shows its picture; following, clearing the selection, and requesting newer frames return to the
/// live picture.
void ShownPicture::connectSelection()
{
    connect(&m_parts.selection, &TraceSelection::frameChosen, this, &ShownPicture::showSelected);
    connect(&m_parts.selection, &TraceSelection::changed, this, [this] {
        if (!m_parts.selection.frame())
            showLive();
    });
    connect(&m_parts.timeline, &TimelineView::viewChanged, this, [this] {
        if (m_parts.timeline.isFollowing())
            showLive();
    });
    const WindowActions &actions = m_parts.actions;
    connect(m_selectedFrameView, &SelectedFrameView::liveWanted, actions.follow, &QAction::trigger);
    connect(actions.step, &QAction::triggered, this, &ShownPicture::showLive);
    connect(actions.pause, &QAction::triggered, this, [this] {
        if (m_parts.session.status().state == PipelineState::Paused) // Resuming; the status follows.
            showLive();
    });
    // A thumbnail closer to the frame may have been in progress.
    connect(&m_parts.session, &Session::thumbnailAdded, this, [this] {
        if (m_parts.pages.currentWidget() == m_selectedFrameView
            && m_selectedFrameView->held().kind != SelectedPicture::Kind::Whole)
            showSelected();
    });
}

/// For a trace from a file, TraceFilePage shows the picture.
void ShownPicture::showSelected()
{
    const TraceSelection &selection = m_parts.selection;
    const Session &session = m_parts.session;
    if (session.phase() != Session::Phase::Open || !selection.frame())
        return;
    const bool running = session.status().state == PipelineState::Running;
    if (!running && m_newestFrame == selection.frame()->key) {
        showLive(); // While paused, the live view shows this frame with its input, zoom and pixel inspector.
        return;
    }
    m_selectedFrameView->setFrame(selectedPicture(session.trace(), m_recentPictures, selection));
    m_parts.pages.setCurrentWidget(m_selectedFrameView);
}

void ShownPicture::showLive()
{
    if (m_parts.pages.currentWidget() == m_selectedFrameView)
        m_parts.pages.setCurrentWidget(m_parts.live());
}

} // namespace jetscope
