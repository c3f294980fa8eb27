// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"
#include "ui/session/childcommand.h"

#include <QDialog>

#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace jetscope {

/// The search for the best choices: how long it may take, what was tried and what it brought as it is measured, and the
/// result, which can be used. Knows no process: the owner passes on what the search says.
class TuneDialog : public QDialog {
    Q_OBJECT
public:
    explicit TuneDialog(QWidget *parent = nullptr);

    /// Whether a search can begin now; if not, the reason.
    void setPossible(bool possible, const QString &reason);
    /// A search begins at these choices.
    void begin(const PipelineConfig &from);
    void take(const QJsonObject &line);
    void end(const ChildEnding &ending);

    QString status() const;
    QTreeWidget *steps() const { return m_steps; }
    QPushButton *useButton() const { return m_use; }
    QPushButton *startButton() const { return m_start; }

signals:
    void started(int seconds);
    void cancelled();
    void used(const jetscope::PipelineConfig &config); ///< The user wants the result as the present choices.

private:
    void makeSteps();
    void showStep(const QJsonObject &step);
    void showResult(const QJsonObject &result);
    void showButtons();

    QSpinBox *m_seconds;
    QPushButton *m_start;
    QPushButton *m_use;
    QProgressBar *m_progress;
    QTreeWidget *m_steps;
    QLabel *m_status;
    bool m_running = false;
    bool m_possible = true;
    QString m_reason;
    PipelineConfig m_from;
    std::optional<PipelineConfig> m_best; ///< The result, if it differs from the start.
    bool m_hasResult = false;
};

} // namespace jetscope
