// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/mainwindow.h"

#include "ui/files/thumbnailer.h"
#include "ui/timeline/timelineview.h"
#include "ui/tracepanels.h"
#include "ui/traceselection.h"
#include "ui/video/heldview.h"

#include <QAction>
#include <QStackedWidget>

namespace jetscope {

void MainWindow::makePictures()
{
    m_thumbnailer = new Thumbnailer(m_session->trace(), this);
    m_heldView = new HeldView;
    m_pages->addWidget(m_heldView);
}

void MainWindow::connectPictures()
{
    Session *session = m_session.get();
    connect(m_video, &VideoView::frameTaken, this, [this](quint32 frame) {
        m_newestFrame = frame;
        m_recentPictures.add(frame, m_video->picture());
        m_thumbnailer->offer([this] { return m_video->copy(Thumbnailer::kWantedWidth); });
    });
    connect(session, &Session::polled, m_thumbnailer, &Thumbnailer::flush);
    connect(m_thumbnailer, &Thumbnailer::made, session, &Session::addThumbnail);
    connect(session, &Session::traceRestarted, this, [this] {
        m_thumbnailer->clear();
        m_recentPictures.clear();
        m_newestFrame.reset();
    });

    // A choice shows the frame; following, clearing it, and asking for newer frames show the camera again.
    const TraceSelection *selection = &m_tracePanels->selection();
    connect(selection, &TraceSelection::frameChosen, this, &MainWindow::showSelectedPicture);
    connect(selection, &TraceSelection::changed, this, [this, selection] {
        if (!selection->frame())
            showLivePicture();
    });
    connect(m_timeline, &TimelineView::viewChanged, this, [this] {
        if (m_timeline->isFollowing())
            showLivePicture();
    });
    connect(m_heldView, &HeldView::liveWanted, m_actions.follow, &QAction::trigger);
    connect(m_actions.step, &QAction::triggered, this, &MainWindow::showLivePicture);
    connect(m_actions.pause, &QAction::triggered, this, [this, session] {
        if (session->status().state == PipelineState::Paused) // Until the next look: it goes on now.
            showLivePicture();
    });
    // One that is nearer may have been under way.
    connect(session, &Session::thumbnailAdded, this, [this] {
        if (m_pages->currentWidget() == m_heldView && m_heldView->held().kind != HeldFrame::Kind::Whole)
            showSelectedPicture();
    });
}

/// Of a trace from a file the page in its place does this.
void MainWindow::showSelectedPicture()
{
    const TraceSelection &selection = m_tracePanels->selection();
    if (m_session->phase() != Session::Phase::Open || !selection.frame())
        return;
    const bool running = m_session->status().state == PipelineState::Running;
    if (!running && m_newestFrame == selection.frame()->number) {
        showLivePicture(); // It shows that frame, and will until it goes on: with its input, zoom and pixels.
        return;
    }
    m_heldView->setFrame(heldFrame(m_session->trace(), m_recentPictures, selection));
    m_pages->setCurrentWidget(m_heldView);
}

void MainWindow::showLivePicture()
{
    if (m_pages->currentWidget() == m_heldView)
        m_pages->setCurrentWidget(m_video);
}

} // namespace jetscope
