// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace jetscope {

class BoardView;
class FilePlaces;
class MessageBar;
class Session;
class TraceWorkspace;
struct WindowActions;

/// Connects the board over time with the rest of the window: the pipeline's GPU, traces and logs, the log that is
/// written. UI thread; the parts outlive it.
class WindowBoard : public QObject {
    Q_OBJECT
public:
    struct Parts {
        BoardView &board;
        Session &live;
        TraceWorkspace &trace;
        WindowActions &actions;
        FilePlaces &places;
        MessageBar &messages;
    };
    explicit WindowBoard(const Parts &parts, QObject *parent = nullptr);

signals:
    void wanted(); ///< The user opened something that the board shows.

private:
    void writeLog();
    void logEnded(const QString &path, quint64 rows, const QString &error);

    const Parts m_parts;
};

} // namespace jetscope
