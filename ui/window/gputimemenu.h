// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"

#include <QMenu>

namespace jetscope {

struct PipelineStatus;

/// Sources of device times, with the current one marked; unavailable sources show the reason.
class GpuTimeMenu : public QMenu {
    Q_OBJECT
public:
    explicit GpuTimeMenu(QWidget *parent);

    void show(const PipelineStatus &status);

signals:
    void chosen(jetscope::GpuTime source);

private:
    QList<QAction *> m_sources; ///< Same order as choices<GpuTime>().
};

} // namespace jetscope
