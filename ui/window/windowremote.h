// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/remote/knownboards.h"
#include "ui/remote/linkmeter.h"
#include "ui/session/currenthost.h"
#include "ui/session/worker.h"
#include "ui/window/windowparts.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QAction;
class QMenu;

namespace jetscope {

class LiveHead;
class MessageBar;
class Session;
class Settings;
struct WindowActions;

/// Connects boards with the rest of the window: the command and its dialog, the machine that the pipeline is opened on,
/// the choices that are remembered for each board. UI thread; the parts outlive it.
class WindowRemote : public QObject {
    Q_OBJECT
public:
    using RequestChange = std::function<SessionRequest(SessionRequest remembered)>;
    struct Parts {
        QWidget &window;
        Session &session;
        Settings &settings;
        WindowActions &actions;
        LiveHead &head;
        MessageBar &messages;
        std::shared_ptr<PipelineHost> thisMachine;
        std::shared_ptr<CurrentHost> host;
        BoardConnector connect;
        QString sshConfig;
        std::function<void()> saveChoices;
    };
    explicit WindowRemote(const Parts &parts);
    ~WindowRemote() override;

    /// Connects with a board as if its name was typed. `asked` are the choices of the command line, for that board.
    void connectWith(const QString &address, const RequestChange &asked = {});
    /// Shows a capture of the board, by its path there.
    void openCapture(const QString &path);
    /// The address of the board; empty: this machine.
    const QString &address() const { return m_address; }
    /// The board's; null: this machine.
    std::shared_ptr<PipelineHost> boardHost() const { return m_board.host; }
    /// Its own name.
    QString name() const;
    /// The board and what watching it costs, for the title of the window; empty: this machine.
    QString title() const;

signals:
    void hostChanged();
    void viewWanted(const jetscope::ViewSource &source, const QString &path);
    /// Its name is empty for this machine.
    void boardChanged(const QString &name, const std::shared_ptr<jetscope::CaptureStore> &captures);
    /// How the connection is, twice a second.
    void linkSeen(const jetscope::RemoteState &state);
    void linkShown(); ///< The title may have changed.

private:
    void ask(const QString &address);
    void askForCapture();
    void connected(const QString &address, const ConnectedBoard &board);
    void leave();
    void release(ConnectedBoard board);
    void use(const QString &address, const std::shared_ptr<PipelineHost> &host,
             const std::optional<SessionRequest> &running);
    void showLink();
    void meetClock(const RemoteState &state);
    void takeOver();
    void showCommands();

    const Parts m_parts;
    KnownBoards m_known;
    RequestChange m_asked; ///< Of the next board; may be none.
    QString m_address;
    ConnectedBoard m_board; ///< Empty for this machine.
    LinkMeter m_meter;
    QTimer m_linkTimer;
    std::int64_t m_nextMeetingNs = 0;
    std::unique_ptr<QMenu> m_menu;
    QAction *m_takeOver;
    Worker m_worker{"taking over or leaving a board"};
};

} // namespace jetscope
