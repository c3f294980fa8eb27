// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

class QStackedWidget;
class QWidget;

namespace jetscope {

class BoardPictureView;
class ErrorPage;
class FilePlaces;
class MessageBar;
class Session;
class VideoView;
struct WindowActions;

/// Chooses what shows the pictures of the open pipeline: those of this machine, or reduced ones of a board, of which
/// whole frames are fetched and saved. UI thread; the parts outlive it.
class WindowPictures : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Session &session;
        VideoView &video;
        BoardPictureView &board;
        ErrorPage &errorPage;
        QStackedWidget &pages; ///< Contains the three.
        const WindowActions &actions;
        FilePlaces &places;
        MessageBar &messages;
    };
    WindowPictures(const Parts &parts, QObject *parent);

    /// The board on which pipelines are opened from now on; empty: this machine.
    void setBoard(const QString &name);
    /// The page of the open pipeline's pictures.
    QWidget *page() const;

    /// A pipeline was opened, or is about to be closed.
    void showOpened();
    void showClosing();

private:
    void showTrouble(const QString &reason);
    void showCommands();
    void saveFrame();

    const Parts m_parts;
    QString m_board;
    bool m_isTroubled = false;
};

} // namespace jetscope
