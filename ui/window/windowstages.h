// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/sessionrequest.h"
#include "ui/files/fileplaces.h"

#include <QObject>
#include <QString>

#include <optional>
#include <string>

namespace jetscope {

class ControlsPanel;
class MessageBar;
class Session;
class Settings;
class StageLoader;

/// Connects stages, the code of the user, with the rest of the window: files, refusals, and the chain of the last
/// session, which is loaded only if the user says so. UI thread; the parts outlive it.
class WindowStages : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Session &session;
        Settings &settings;
        ControlsPanel &controls;
        MessageBar &messages;
        FileDialogs dialogs;
    };
    explicit WindowStages(Parts parts);

    /// The board that runs stages from now on, which loads them from its own files; empty: this machine.
    void setBoard(const QString &name);

    /// Remembers the chain if it contains stages. One that the user was asked about and did not answer stays.
    void save();

private:
    void loadThere(const std::string &name);
    void offerWithout();
    void ask();
    void loadRemembered();
    void stageCame();

    Parts m_parts;
    QString m_board;
    std::optional<SessionRequest> m_without; ///< What was open before the board was asked to load a stage.
    StageLoader *m_loader;
    std::string m_remembered; ///< The chain of the last session; empty if it had no stages, or once that is answered.
    std::string m_coming;     ///< The chain whose stages are being loaded.
    int m_stagesToCome = 0;
};

} // namespace jetscope
