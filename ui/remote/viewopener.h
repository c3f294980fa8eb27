// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/remoteview.h"
#include "ui/remote/boardconnector.h"
#include "ui/session/worker.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace jetscope {

class Session;

/// Opens captures that stay on their board into a session, and gives it what comes of them. UI thread; the session must
/// outlive it.
class ViewOpener : public QObject {
    Q_OBJECT
public:
    explicit ViewOpener(Session &session, QObject *parent = nullptr);
    ~ViewOpener() override;

    void open(const ViewSource &source, const QString &path);
    /// The same again.
    void openAgain();
    /// Whether the session's trace is one of a board.
    bool isShown() const;
    /// On the board; of the last one.
    const QString &path() const { return m_path; }
    /// What the board's reader said of the file.
    QStringList remarks() const;
    /// Null until it is asked for.
    const RemoteView *view() const { return m_view.get(); }

signals:
    void progressed(const QString &what, double fraction);
    void shown();   ///< The session has it.
    void changed(); ///< More has come, or nothing comes any more.
    void failed(const QString &path, const jetscope::Error &error);

private:
    void take();

    Session &m_session;
    ViewSource m_source;
    QString m_path;
    std::shared_ptr<RemoteView> m_view;
    bool m_isOpening = false;
    Worker m_worker{"opening a capture of a board"};
};

} // namespace jetscope
