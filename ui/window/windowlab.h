// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <cstdint>

namespace jetscope {

class FilePlaces;
class LabView;
class LiveWorkspace;
class MessageBar;

/// Connects the lab with the rest of the window: the source of the pipeline, its timeline, the experiments, and the
/// files of reports. UI thread; the parts outlive it.
class WindowLab : public QObject {
    Q_OBJECT
public:
    struct Parts {
        LabView &lab;
        LiveWorkspace &live;
        FilePlaces &places;
        MessageBar &messages;
    };
    explicit WindowLab(const Parts &parts, QObject *parent = nullptr);

signals:
    void liveWanted(); ///< The timeline of the pipeline shows what the user asked for.

private:
    void showTime(std::int64_t fromNs, std::int64_t untilNs);
    void saveReport();

    const Parts m_parts;
};

} // namespace jetscope
