// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/hazards/coverageline.h"

#include <QObject>

#include <cstddef>
#include <functional>

class QLabel;
class QTabWidget;

namespace jetscope {

class HazardList;
class MessageBar;
class Session;
class TraceFiles;
class TracePanels;

/// Counts the frames that ran with the present device, and those that ran with others before.
class CheckedFrames {
public:
    void restart() { *this = {}; }
    /// `frames`: since the start of the pipeline.
    void take(const std::string &deviceId, quint64 frames);
    quint64 present() const { return m_frames - m_before; }
    quint64 before() const { return m_before; }

private:
    std::string m_device;
    quint64 m_before = 0; ///< Since the start, when the present device took over.
    quint64 m_frames = 0; ///< Since the start.
};

/// Connects the tab of hazards with the rest of the window: its rows, the badge, the timeline, fixes, exports and
/// mistakes on purpose. UI thread; the parts outlive it.
class WindowHazards : public QObject {
    Q_OBJECT
public:
    struct Parts {
        HazardList &list;
        Session &session;
        TracePanels &panels;
        QTabWidget &tabs;
        MessageBar &messages;
        TraceFiles &files;
        std::function<void()> saveSettings; ///< Called before a mistake changes the choices.
    };
    explicit WindowHazards(const Parts &parts);

private:
    void restart();
    void showChecked();
    void showBadge();
    void showScene();
    void askForScene();
    void show(std::size_t hazard, bool zoom);
    void save();

    const Parts m_parts;
    CheckedFrames m_frames;
    QLabel *m_badge;
};

} // namespace jetscope
