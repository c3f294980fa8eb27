// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remotehost.h"
#include "ui/session/backgroundjob.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>

class QWidget;

namespace jetscope {

class CapturesDialog;
class FilePlaces;
class MessageBar;
class TraceWorkspace;
class WindowFiles;
struct WindowActions;

/// What is recorded on a board: the command Record while the window is on one, how that recording is, the list of
/// captures, and their way here. UI thread; the parts outlive it.
class WindowCaptures : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QWidget &window;
        WindowActions &actions;
        MessageBar &messages;
        FilePlaces &places;
        WindowFiles &files;
        TraceWorkspace &trace;                         ///< Opens what was fetched.
        std::function<void(const QString &path)> view; ///< A file of the board, which stays there.
    };
    explicit WindowCaptures(Parts parts);
    ~WindowCaptures() override;

    /// The capture that comes here.
    BackgroundJob &job() { return m_fetch; }

    /// An empty name: this machine. What comes from the board before goes on.
    void setBoard(const QString &name, const std::shared_ptr<CaptureStore> &captures);
    void show(const RemoteState &state);

private:
    void toggle();
    void showList();
    void view(const QString &path);
    void viewShown();
    bool isFetchable() const;
    void offerWhole(const QString &what, const std::function<void()> &then);
    void fetch(const QString &name, const std::function<void()> &then = {});
    void fetched(const QString &path, const Status &status);
    void fileShown();
    void tellEnd(const RecordingState &recording);
    void offer(const QString &sentence, const QString &name);

    const Parts m_parts;
    QString m_board;
    std::shared_ptr<CaptureStore> m_captures; ///< Null for this machine.
    RecordingState m_recording;
    QString m_survivor;
    bool m_isAsking = false;
    QPointer<CapturesDialog> m_dialog;
    QString m_viewed; ///< The capture of the list that is looked at on the board.
    QString m_fetched;
    std::function<void()> m_then; ///< What the user wanted of the fetched capture; may be null.
    BackgroundJob m_fetch;
    Worker m_worker{"recording on a board"};
};

} // namespace jetscope
