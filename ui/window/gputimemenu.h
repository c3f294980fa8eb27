// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"

#include <QMenu>

namespace jetscope {

struct PipelineStatus;

/// Where the times of device work come from, with the source in use marked; those that the device does not have say
/// why.
class GpuTimeMenu : public QMenu {
    Q_OBJECT
public:
    explicit GpuTimeMenu(QWidget *parent);

    void show(const PipelineStatus &status);

signals:
    void chosen(jetscope::GpuTime source);

private:
    QList<QAction *> m_sources; ///< In the order of choices<GpuTime>().
};

} // namespace jetscope
