// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/live/recentpictures.h"

#include <QObject>

#include <functional>
#include <optional>

class QStackedWidget;
class QWidget;

namespace jetscope {

class BoardPictureView;
class SelectedFrameView;
class Session;
class Thumbnailer;
class TimelineView;
class TraceSelection;
class VideoView;
struct WindowActions;

/// Chooses the picture in the middle of the window: live, or of the frame selected in the trace. Stores recent pictures
/// and makes thumbnails for this. UI thread; the constructor's references must outlive it.
class ShownPicture : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Session &session;
        VideoView &video;
        BoardPictureView &board;
        const TimelineView &timeline;
        const TraceSelection &selection;
        const WindowActions &actions;
        QStackedWidget &pages;           ///< Contains the live pictures; a page for stored frames is added.
        std::function<QWidget *()> live; ///< The page of the live pictures.
    };
    ShownPicture(const Parts &parts, QObject *parent);

private:
    void keepPictures();
    void connectSelection();
    void showSelected();
    void showLive();

    const Parts m_parts;
    Thumbnailer *m_thumbnailer;
    SelectedFrameView *m_selectedFrameView;
    RecentPictures m_recentPictures;
    std::optional<quint32> m_newestFrame; ///< Newest frame in the video view in this run.
};

} // namespace jetscope
