// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"
#include "ui/measure/measuringdialog.h"

#include <optional>

class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace jetscope {

/// The search for the best choices: how long it may take, what was tried and what it brought as it is measured, and the
/// result, which can be used.
class TuneDialog : public MeasuringDialog {
    Q_OBJECT
public:
    explicit TuneDialog(QWidget *parent = nullptr);

    /// A search begins at these choices.
    void begin(const PipelineConfig &from);
    void take(const QJsonObject &line) override;

    QTreeWidget *steps() const { return m_steps; }
    QPushButton *useButton() const { return m_use; }

signals:
    void started(int seconds);
    void used(const jetscope::PipelineConfig &config); ///< The user wants the result as the present choices.

private:
    void makeSteps();
    void showStep(const QJsonObject &step);
    void showBest(const QJsonObject &result);
    void wantStart() override;
    void showButtons() override;

    QSpinBox *m_seconds;
    QPushButton *m_use;
    QTreeWidget *m_steps;
    PipelineConfig m_from;
    std::optional<PipelineConfig> m_best; ///< The result, if it differs from the start.
};

} // namespace jetscope
