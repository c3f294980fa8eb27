// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/video/recentpictures.h"

#include <QObject>

#include <optional>

class QStackedWidget;

namespace jetscope {

class SelectedFrameView;
class Session;
class Thumbnailer;
class TimelineView;
class TraceSelection;
class VideoView;
struct WindowActions;

/// Which picture stands in the middle of the window: the live one, or that of the frame that was chosen in the trace.
/// Keeps the pictures that a chosen frame is shown from. UI thread; what it was made with outlives it.
class ShownPicture : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Session &session;
        VideoView &video;
        const TimelineView &timeline;
        const TraceSelection &selection;
        const WindowActions &actions;
        QStackedWidget &pages; ///< Has the video view, and gets a page for frames that are held.
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
    std::optional<quint32> m_newestFrame; ///< In the video view, of this run.
};

} // namespace jetscope
