// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/statusline.h"

#include "core/board/boardlayout.h"
#include "core/board/boardwords.h"
#include "core/board/energy.h"
#include "core/board/machinechanges.h"
#include "core/figures/gputimetext.h"
#include "ui/session/spanlimit.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/style.h"
#include "ui/style/text.h"

#include <QCoreApplication>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QStringList>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace jetscope {

namespace {

struct StateText {
    const char *kind;
    QString text;
};

StateText stateText(PipelineState state)
{
    switch (state) {
    case PipelineState::Idle:
        return {"idle", StatusLine::tr("Starting")};
    case PipelineState::Running:
        return {"live", StatusLine::tr("Live")};
    case PipelineState::Paused:
        return {"idle", StatusLine::tr("Paused")};
    case PipelineState::Ended:
        return {"idle", StatusLine::tr("Ended")};
    case PipelineState::Failed:
        return {"failed", StatusLine::tr("Stopped by an error")};
    }
    return {"idle", {}};
}

QString translated(const char *text)
{
    return QCoreApplication::translate("jetscope::MachineText", text);
}

/// The newest value of a counter of the machine; empty if it is unknown, or a counter of a lane or queue.
std::optional<double> newestOf(const CounterTrack &track)
{
    const CounterInfo &info = track.info();
    const bool isOther = info.lane || info.unit == "frames" || info.unit == "ms" || info.unit == "ns";
    if (isOther || track.endIndex() == track.firstIndex())
        return std::nullopt;
    const double value = track.at(track.endIndex() - 1).second;
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

} // namespace

StatusLine::StatusLine(QWidget *parent)
    : QStatusBar(parent),
      m_dot(new QLabel(QStringLiteral("●"), this)),
      m_state(new QLabel(this)),
      m_device(new ShortenedLabel(this)),
      m_frames(new QLabel(this)),
      m_emulation(new ShortenedLabel(this)),
      m_recording(new QLabel(this)),
      m_machine(new ShortenedLabel(this)),
      m_gpuTime(new QToolButton(this)),
      m_trace(new QToolButton(this))
{
    setSizeGripEnabled(false);
    m_dot->setObjectName(QStringLiteral("stateDot"));
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setAccessibleName(tr("State"));
    for (QLabel *label : {m_dot, m_state, m_device, m_frames, m_emulation})
        addWidget(label);
    m_trace->setObjectName(QStringLiteral("traceState"));
    m_trace->setAccessibleName(tr("Spans of the trace"));
    m_trace->setPopupMode(QToolButton::InstantPopup);
    m_gpuTime->setObjectName(QStringLiteral("gpuTime"));
    m_gpuTime->setAccessibleName(tr("Where the times of device work come from"));
    m_gpuTime->setPopupMode(QToolButton::InstantPopup);
    m_gpuTime->hide();
    m_recording->setObjectName(QStringLiteral("recording"));
    m_recording->setAccessibleName(tr("Recording"));
    m_recording->hide();
    m_machine->setObjectName(QStringLiteral("machine"));
    m_machine->setAccessibleName(tr("State of the machine"));
    m_machine->hide();
    addPermanentWidget(m_recording);
    addPermanentWidget(m_machine);
    addPermanentWidget(m_gpuTime);
    addPermanentWidget(m_trace);
    showOpening();
}

void StatusLine::setMenus(QMenu *spanLimit, QMenu *gpuTimes)
{
    m_trace->setMenu(spanLimit);
    m_gpuTime->setMenu(gpuTimes);
}

void StatusLine::setState(const char *kind, const QString &text)
{
    setStyleKind(m_dot, "state", kind);
    m_state->setText(text);
}

void StatusLine::showNothing(const char *kind, const QString &text)
{
    setState(kind, text);
    for (QLabel *label : {m_device, m_frames}) {
        label->clear();
        label->setToolTip({});
    }
    for (QWidget *widget : std::initializer_list<QWidget *>{m_emulation, m_machine, m_gpuTime, m_trace})
        widget->hide();
}

void StatusLine::showIdle()
{
    showNothing("idle", tr("Nothing open"));
}

void StatusLine::showOpening()
{
    showNothing("idle", tr("Opening"));
}

void StatusLine::showFailed()
{
    showNothing("failed", tr("Not open"));
}

void StatusLine::showHeld()
{
    showNothing("idle", tr("Measuring"));
}

void StatusLine::showBoard(const QString &text)
{
    showNothing("idle", tr("Board"));
    m_device->setText(text);
    m_device->setToolTip(text);
}

void StatusLine::showFile(const Trace &trace)
{
    setState("idle", tr("File"));
    m_machine->hide(); // The timeline has its counters.
    m_gpuTime->hide(); // The lanes of the trace show the source of their times.
    m_device->setText(toQString(trace.origin().device));
    m_device->setToolTip(m_device->text());
    m_frames->setText(tr("%L1 frames").arg(trace.frameCount()));
    m_emulation->hide();
    showTrace(trace, {});
}

void StatusLine::showRecording(const QString &text)
{
    m_recording->setText(tr("● Recording %1").arg(text));
    m_recording->setVisible(!text.isEmpty());
}

void StatusLine::showTrace(const Trace &trace, const MissingSpans &missing)
{
    const std::uint64_t bytes =
        trace.memoryBytes() - trace.thumbnails().memoryBytes(); // Thumbnails have a separate limit.
    QString text = tr("trace: %L1 spans, %2, %L3 lost")
                       .arg(trace.spanCount())
                       .arg(bytesText(static_cast<double>(bytes)))
                       .arg(missing.lost);
    if (missing.notInFigures > 0)
        text += tr(", %L1 not in figures").arg(missing.notInFigures);
    if (trace.lateSpans() > 0)
        text += tr(", %L1 late").arg(trace.lateSpans());
    if (trace.droppedSpans() > 0)
        text += tr(", %L1 discarded").arg(trace.droppedSpans());
    m_trace->show();
    m_trace->setText(text);
    m_trace->setAccessibleDescription(text);
    m_trace->setToolTip(
        tr("Spans in the trace and their memory; %L1 million at most, which is ≈ %2 (click to change "
           "that); lost: never received; not in figures: received after the figures of their frame "
           "were made, or too many to keep; late: received after a later span of their lane; discarded: "
           "the oldest, beyond the limit")
            .arg(static_cast<double>(trace.mostSpans()) / 1e6)
            .arg(bytesText(bytesPerSpan(trace) * static_cast<double>(trace.mostSpans()))));
}

void StatusLine::showMachine(const Trace &trace, const std::string &powerMode)
{
    const QString text = machineSummary(trace, powerMode);
    m_machine->setVisible(!text.isEmpty());
    if (text.isEmpty())
        return;
    m_machine->setText(text);
    m_machine->setToolTip(machineDetails(trace, powerMode));
}

void StatusLine::showGpuTime(const PipelineStatus &status)
{
    QString text = tr("GPU times: %1").arg(toQString(gpuTimeText(status.gpuTime, status.gpuTimeUnseenNs)));
    if (status.traceCost)
        text += tr(" · tracing %1").arg(toQString(traceCostFigure(*status.traceCost)));
    m_gpuTime->setText(text);
    const QString why =
        status.gpuTimeReason.empty() ? QString() : QStringLiteral("\n") + toQString(status.gpuTimeReason);
    const QString cost = toQString(traceCostSentence(status.traceCost));
    m_gpuTime->setToolTip(toQString(choiceOf(status.gpuTime).help) + why + QStringLiteral("\n") + cost);
    m_gpuTime->setAccessibleDescription(text + QStringLiteral("; ") + cost);
    m_gpuTime->setVisible(status.state != PipelineState::Idle && !status.inspected);
}

void StatusLine::show(const PipelineStatus &status, const SettingCounts &counts, const Trace &trace,
                      const MissingSpans &missing)
{
    showGpuTime(status);
    const StateText state = stateText(status.state);
    setState(state.kind, state.text);
    m_device->setText(toQString(status.facts.name));
    m_device->setToolTip(m_device->text());
    m_frames->setText(countText(status.frames, tr("1 frame"), tr("%1 frames")));
    m_emulation->setVisible(status.facts.software);
    if (status.facts.software) {
        const double perFrame =
            counts.frames > 0 ? static_cast<double>(counts.emulationBytes) / static_cast<double>(counts.frames) : 0;
        m_emulation->setText(
            perFrame > 0
                ? tr("the CPU does the GPU's work · copies to and from textures: %1 a frame").arg(bytesText(perFrame))
                : tr("the CPU does the GPU's work"));
        m_emulation->setToolTip(m_emulation->text());
    }
    showMachine(trace, status.powerMode);
    showTrace(trace, missing);
}

QString machineSummary(const Trace &trace, const std::string &powerMode)
{
    QStringList parts;
    if (!powerMode.empty())
        parts.append(toQString(powerMode));
    std::optional<double> hottest;
    bool isLimited = false;
    QString power;
    for (const CounterTrack &track : trace.counters()) {
        const std::optional<double> value = newestOf(track);
        if (!value)
            continue;
        const CounterInfo &info = track.info();
        if (info.name == kGpuClockCounter)
            parts.append(translated("GPU %1").arg(toQString(valueText(*value, info.unit))));
        else if (info.unit == "°C")
            hottest = std::max(hottest.value_or(*value), *value);
        else if (isInputRail(info.name) || info.name == kSumOfRailsCounter || info.name == kGpuPowerCounter)
            power = toQString(valueText(*value, info.unit));
        isLimited = isLimited || (isLimitCounter(info.name) && *value > 0);
    }
    if (hottest)
        parts.append(toQString(valueText(*hottest, "°C")));
    if (!power.isEmpty())
        parts.append(power);
    if (isLimited)
        parts.append(translated("limited"));
    return parts.join(QStringLiteral(" · "));
}

QString machineDetails(const Trace &trace, const std::string &powerMode)
{
    QStringList lines;
    for (const CounterTrack &track : trace.counters())
        if (const std::optional<double> value = newestOf(track)) {
            const CounterInfo &info = track.info();
            const bool isMode = info.name == kPowerModeCounter && !powerMode.empty();
            lines.append(QStringLiteral("%1: %2").arg(toQString(info.name),
                                                      toQString(isMode ? powerMode : valueText(*value, info.unit))));
        }
    return lines.join(u'\n');
}

} // namespace jetscope
