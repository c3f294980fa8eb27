// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/gputimemenu.h"

#include "core/settings/pipelineconfig.h"
#include "gpu/pipeline/pipeline.h"
#include "ui/style/text.h"

#include <QActionGroup>

namespace jetscope {

GpuTimeMenu::GpuTimeMenu(QWidget *parent) : QMenu(tr("GPU times"), parent)
{
    setToolTipsVisible(true);
    auto *group = new QActionGroup(this);
    for (const Choice<GpuTime> &choice : choices<GpuTime>()) {
        QAction *action =
            addAction(toQString(choice.label), this, [this, value = choice.value] { emit chosen(value); });
        action->setObjectName(toQString(choice.name));
        action->setCheckable(true);
        action->setToolTip(toQString(choice.help));
        group->addAction(action);
        m_sources.append(action);
    }
}

void GpuTimeMenu::show(const PipelineStatus &status)
{
    const auto all = choices<GpuTime>();
    for (std::size_t i = 0; i < all.size(); ++i) {
        QAction *action = m_sources[static_cast<qsizetype>(i)];
        const Choice<GpuTime> &choice = all[i];
        const Availability available = availability(choice.value, status.config, status.facts);
        action->setEnabled(available.legal());
        action->setToolTip(toQString(available.legal() ? std::string(choice.help) : available.reason));
        action->setChecked(choice.value == status.config.gpuTime);
        const QString label = toQString(choice.label);
        action->setText(choice.value == status.gpuTime ? tr("%1 (in use)").arg(label) : label);
    }
}

} // namespace jetscope
