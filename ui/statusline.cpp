// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/statusline.h"

#include "ui/style.h"
#include "ui/text.h"

#include <QLabel>

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

} // namespace

StatusLine::StatusLine(QWidget *parent)
    : QStatusBar(parent),
      m_dot(new QLabel(QStringLiteral("●"), this)),
      m_state(new QLabel(this)),
      m_device(new QLabel(this)),
      m_frames(new QLabel(this)),
      m_emulation(new QLabel(this)),
      m_trace(new QLabel(this))
{
    setSizeGripEnabled(false);
    m_dot->setObjectName(QStringLiteral("stateDot"));
    m_state->setObjectName(QStringLiteral("state"));
    m_state->setAccessibleName(tr("State"));
    for (QLabel *label : {m_dot, m_state, m_device, m_frames, m_emulation})
        addWidget(label);
    m_trace->setToolTip(tr("Spans that were recorded but could not be kept"));
    addPermanentWidget(m_trace);
    showOpening();
}

void StatusLine::setState(const char *kind, const QString &text)
{
    setStyleKind(m_dot, "state", kind);
    m_state->setText(text);
}

void StatusLine::showOpening()
{
    setState("idle", tr("Opening"));
}

void StatusLine::showFailed()
{
    setState("failed", tr("Not open"));
}

void StatusLine::show(const PipelineStatus &status, std::uint64_t spansLost, std::uint64_t spansLate)
{
    const StateText state = stateText(status.state);
    setState(state.kind, state.text);
    m_device->setText(toQString(status.facts.name));
    m_frames->setText(tr("%1 frames").arg(status.frames));
    m_emulation->setVisible(status.facts.software);
    if (status.facts.software) {
        const double perFrame =
            status.frames > 0 ? static_cast<double>(status.emulationBytes) / static_cast<double>(status.frames) : 0;
        m_emulation->setText(
            perFrame > 0 ? tr("executed on the CPU · %1 a frame moved to reach textures").arg(bytesText(perFrame))
                         : tr("executed on the CPU"));
    }
    m_trace->setText(spansLate > 0 ? tr("trace: %1 spans lost, %2 late").arg(spansLost).arg(spansLate)
                                   : tr("trace: %1 spans lost").arg(spansLost));
}

} // namespace jetscope
