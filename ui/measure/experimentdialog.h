// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/measure/measuringdialog.h"

class QComboBox;
class QLabel;
class QTextBrowser;

namespace jetscope {

/// The ready-made experiments: what each asks, its progress, and its figures with the conclusion in words.
class ExperimentDialog : public MeasuringDialog {
    Q_OBJECT
public:
    explicit ExperimentDialog(QWidget *parent = nullptr);

    void begin();
    void take(const QJsonObject &line) override;

    QTextBrowser *result() const { return m_result; }
    QComboBox *names() const { return m_names; }

signals:
    void started(const QString &experiment);

private:
    void describe();
    void wantStart() override;
    void showButtons() override;

    QComboBox *m_names;
    QLabel *m_about;
    QTextBrowser *m_result;
};

} // namespace jetscope
