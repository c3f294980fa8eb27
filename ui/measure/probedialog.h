// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"
#include "ui/measure/measuringdialog.h"

class QTextBrowser;

namespace jetscope {

/// The probe of the pipeline's device: what it measures, its progress, and what it found in words.
class ProbeDialog : public MeasuringDialog {
    Q_OBJECT
public:
    explicit ProbeDialog(QWidget *parent = nullptr);

    void begin();
    void take(const QJsonObject &line) override;

    QTextBrowser *result() const { return m_result; }

signals:
    void started();
    void measured(const jetscope::ProbeTable &table);

private:
    void wantStart() override { emit started(); }

    QTextBrowser *m_result;
};

} // namespace jetscope
