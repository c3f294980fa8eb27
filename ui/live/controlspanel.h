// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"
#include "ui/measure/baseline.h"

#include <QScrollArea>

class QLabel;
class QSpinBox;
class QVBoxLayout;

namespace jetscope {

class BaselineTable;
class ChoiceGrid;
class FilterEditor;
class MemoryCards;

/// All settings of the pipeline in one column. Shows a configuration and emits the one that the user wants instead.
class ControlsPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit ControlsPanel(QWidget *parent = nullptr);

    void setFacts(const DeviceFacts &facts);
    void setConfig(const PipelineConfig &config);
    void setWaitInForce(WaitPolicy policy);
    BaselineTable *baseline() const { return m_baseline; }
    FilterEditor *filters() const { return m_filters; }

    /// Fits the width of the choices in any font, so that they are never cut off at the side.
    QSize minimumSizeHint() const override;

signals:
    void wanted(const jetscope::PipelineConfig &config);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addSection(const QString &title, QWidget *content);
    QWidget *makeCounts();
    QSpinBox *makeCount(int maximum, const char *name, const QString &label, const QString &help);
    void connectChoices();
    void refreshAvailability();
    template <class T>
    void refreshGroup(class ChoiceGroup *group);
    template <class Change>
    void want(Change change);

    QVBoxLayout *m_column = nullptr;
    MemoryCards *m_memory;
    ChoiceGrid *m_output;
    ChoiceGrid *m_sync;
    ChoiceGrid *m_wait;
    QLabel *m_waitInForce;
    QSpinBox *m_frames = nullptr;
    QSpinBox *m_streams = nullptr;
    FilterEditor *m_filters;
    ChoiceGrid *m_placement;
    ChoiceGrid *m_work;
    BaselineTable *m_baseline;
    PipelineConfig m_config;
    DeviceFacts m_facts;
};

} // namespace jetscope
