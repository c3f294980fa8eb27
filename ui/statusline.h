// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline.h"

#include <QStatusBar>

class QLabel;

namespace jetscope {

/// State, device, what the emulation costs, and what the trace lost.
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(QWidget *parent = nullptr);
    void showOpening();
    void showFailed();
    void show(const PipelineStatus &status, std::uint64_t spansLost, std::uint64_t spansLate);

private:
    void setState(const char *kind, const QString &text);

    QLabel *m_dot;
    QLabel *m_state;
    QLabel *m_device;
    QLabel *m_frames;
    QLabel *m_emulation;
    QLabel *m_trace;
};

} // namespace jetscope
