// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowpictures.h"

#include "gpu/pipeline/pipelinecontrol.h"
#include "ui/files/fileplaces.h"
#include "ui/live/videoview.h"
#include "ui/remote/boardpictureview.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/window/errorpage.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QDir>
#include <QSaveFile>
#include <QStackedWidget>

namespace jetscope {

WindowPictures::WindowPictures(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts)
{
    const WindowActions &actions = m_parts.actions;
    BoardPictureView *board = &m_parts.board;
    connect(board, &BoardPictureView::troubled, this, &WindowPictures::showTrouble);
    connect(board, &BoardPictureView::changed, this, &WindowPictures::showCommands);
    connect(board, &BoardPictureView::fetchFailed, this, [this](const QString &reason) {
        m_parts.messages.show(MessageBar::Kind::Warning, tr("The whole frame did not come: %1.").arg(reason));
    });
    connect(actions.fetchFrame, &QAction::triggered, board, &BoardPictureView::fetchWhole);
    connect(actions.saveFrame, &QAction::triggered, this, &WindowPictures::saveFrame);
    connect(actions.fit, &QAction::triggered, board, &BoardPictureView::fit);
    connect(actions.actualSize, &QAction::triggered, board, &BoardPictureView::zoomToPixels);
    showCommands();
}

void WindowPictures::setBoard(const QString &name)
{
    m_board = name;
    showCommands();
}

QWidget *WindowPictures::page() const
{
    if (m_isTroubled)
        return &m_parts.errorPage;
    return m_parts.session.pipeline() && m_parts.session.pipeline()->framePort()
        ? static_cast<QWidget *>(&m_parts.video)
        : &m_parts.board;
}

void WindowPictures::showOpened()
{
    PipelineControl *pipeline = m_parts.session.pipeline();
    m_isTroubled = false;
    m_parts.video.setFramePort(pipeline->framePort());
    m_parts.board.setPictures(pipeline->pictures(), m_board);
    if (!pipeline->framePort() && !pipeline->pictures())
        return showTrouble(tr("This pipeline gives none."));
    if (!m_isTroubled)
        m_parts.pages.setCurrentWidget(page());
}

void WindowPictures::showClosing()
{
    m_parts.video.setFramePort(nullptr);
    m_parts.board.setPictures(nullptr, {});
    m_isTroubled = false;
}

void WindowPictures::showTrouble(const QString &reason)
{
    m_isTroubled = true;
    m_parts.errorPage.showNoPictures(tr("%1. Timeline, figures and choices are shown all the same.").arg(reason));
    m_parts.pages.setCurrentWidget(&m_parts.errorPage);
}

void WindowPictures::showCommands()
{
    const WindowActions &actions = m_parts.actions;
    WindowActions::allow(actions.fetchFrame, m_parts.board.whyNoFetch());
    WindowActions::allow(actions.saveFrame,
                         m_parts.board.whole() ? QString() : tr("Fetch the whole frame of a board first."));
}

/// The bytes as they came, which were checked.
void WindowPictures::saveFrame()
{
    const std::optional<BoardPicture> whole = m_parts.board.whole();
    if (!whole)
        return;
    const QString path =
        m_parts.places.askForPlace(tr("Save frame %1").arg(whole->number), "png", tr("Pictures (*.png)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const auto size = static_cast<qint64>(whole->file.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(reinterpret_cast<const char *>(whole->file.data()), size) != size
        || !file.commit())
        return m_parts.messages.show(MessageBar::Kind::Error,
                                     tr("The frame could not be saved: %1").arg(file.errorString()));
    m_parts.messages.show(MessageBar::Kind::Info,
                          tr("Frame %1 is in %2.").arg(whole->number).arg(QDir::toNativeSeparators(path)));
}

} // namespace jetscope
