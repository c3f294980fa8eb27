// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowboard.h"

#include "ui/board/boardlogger.h"
#include "ui/board/boardview.h"
#include "ui/files/fileplaces.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/style/titleline.h"
#include "ui/window/traceworkspace.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QFileInfo>

namespace jetscope {

WindowBoard::WindowBoard(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts)
{
    BoardView &board = m_parts.board;
    board.setTraceSource([&trace = m_parts.trace] {
        const Session &opened = trace.session();
        const bool hasCounters = opened.phase() == Session::Phase::File && !opened.trace().counters().empty();
        return std::pair(hasCounters ? &opened.trace() : nullptr, trace.head().title());
    });
    TraceOpener &opener = m_parts.trace.opener();
    connect(&opener, &TraceOpener::boardLogOpened, this,
            [this, &board](const QString &path, const std::shared_ptr<BoardLog> &log) {
                board.showLog(path, log);
                emit wanted();
            });
    connect(&board, &BoardView::traceWanted, &opener, &TraceOpener::openAsTrace);
    connect(&m_parts.live, &Session::statusChanged, this, [this] {
        if (m_parts.live.phase() == Session::Phase::Open)
            m_parts.board.setGpu(m_parts.live.status().facts.pciBusId);
    });
    connect(m_parts.actions.logBoard, &QAction::triggered, this, &WindowBoard::writeLog);
    connect(board.logger(), &BoardLogger::began, this, [this] { m_parts.actions.setLoggingBoard(true); });
    connect(board.logger(), &BoardLogger::ended, this, &WindowBoard::logEnded);
}

void WindowBoard::writeLog()
{
    BoardLogger &logger = *m_parts.board.logger();
    if (logger.isLogging())
        return logger.stop();
    const QString path = m_parts.places.askForPlace(tr("Log this board into"), "csv", tr("Tables (*.csv)"));
    if (!path.isEmpty())
        logger.start(path);
}

void WindowBoard::logEnded(const QString &path, quint64 rows, const QString &error)
{
    m_parts.actions.setLoggingBoard(m_parts.board.logger()->isLogging());
    const QString name = QFileInfo(path).fileName();
    const MessageBar::Action open{tr("Open"), [this, path] { m_parts.trace.opener().open(path); }};
    if (rows == 0)
        m_parts.messages.show(error.isEmpty() ? MessageBar::Kind::Info : MessageBar::Kind::Error,
                              error.isEmpty() ? tr("The log was stopped before the machine was read: there is no file.")
                                              : error);
    else if (error.isEmpty())
        m_parts.messages.show(
            MessageBar::Kind::Info,
            countText(rows, tr("1 reading of this board is in %2."), tr("%L1 readings of this board are in %2."))
                .arg(name),
            open);
    else
        m_parts.messages.show(MessageBar::Kind::Error, tr("The log ends here: %1").arg(error), open);
}

} // namespace jetscope
