// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/session/presentsetting.h"

#include <QStatusBar>
#include <QString>
#include <string>

class QLabel;
class QMenu;
class QToolButton;

namespace jetscope {

/// The machine's counters of a live trace in a few words: "15W (2) · GPU 612 MHz · 46.5 °C · 5.70 W"; with "limited"
/// where something limits the clocks. Empty if nothing is known.
QString machineSummary(const Trace &trace, const std::string &powerMode);
/// All of them, a line each.
QString machineDetails(const Trace &trace, const std::string &powerMode);

class ShortenedLabel;

/// Spans that are missing from a live trace or from its figures.
struct MissingSpans {
    std::uint64_t lost = 0;         ///< Never received.
    std::uint64_t notInFigures = 0; ///< Not counted in the figures of any frame.
};

/// State, device, cost of the emulation, clocks and temperature of the machine, and lost spans.
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(QWidget *parent = nullptr);
    /// They open where the spans are counted, and where the source of the GPU's times is named.
    void setMenus(QMenu *spanLimit, QMenu *gpuTimes);
    void showIdle();
    void showOpening();
    void showFailed();
    void showHeld();
    /// Status of a trace from a file.
    void showFile(const Trace &trace);
    /// Of a board that is not this machine.
    void showBoard(const QString &text);
    /// Empty: no recording.
    void showRecording(const QString &text);
    /// `counts`: of the present setting.
    void show(const PipelineStatus &status, const SettingCounts &counts, const Trace &trace,
              const MissingSpans &missing);

private:
    void showGpuTime(const PipelineStatus &status);
    void showTrace(const Trace &trace, const MissingSpans &missing);
    void showMachine(const Trace &trace, const std::string &powerMode);
    /// Without a trace: what was said of the former one is gone.
    void showNothing(const char *kind, const QString &text);
    void setState(const char *kind, const QString &text);

    QLabel *m_dot;
    QLabel *m_state;
    QLabel *m_device;
    QLabel *m_frames;
    QLabel *m_emulation;
    QLabel *m_recording;
    ShortenedLabel *m_machine; ///< Hidden while nothing is known of the machine.
    QToolButton *m_gpuTime;
    QToolButton *m_trace;
};

} // namespace jetscope
