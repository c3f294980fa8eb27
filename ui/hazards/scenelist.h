// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"

#include <QDialog>

#include <optional>

namespace jetscope {

/// The choices and the device with which a mistake would run.
struct SceneChoices {
    PipelineConfig config;
    DeviceFacts facts;
};

/// The classic mistakes that can be shown; those that the device cannot show say why.
class SceneList : public QDialog {
    Q_OBJECT
public:
    /// Without choices no scene is excluded.
    explicit SceneList(const std::optional<SceneChoices> &choices, QWidget *parent = nullptr);

signals:
    void chosen(const QString &name);

private:
    QWidget *makeRows(const std::optional<SceneChoices> &choices);
};

} // namespace jetscope
