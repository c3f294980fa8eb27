// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/pipelineconfig.h"
#include "ui/measure/baseline.h"

#include <QScrollArea>
#include <QStringList>
#include <QTimer>

#include <string>
#include <vector>

class QLabel;
class QSpinBox;
class QVBoxLayout;

namespace jetscope {

class BaselineTable;
class ChoiceGroup;
class FilterEditor;
class FoldingGroup;
class MemoryCards;
struct SettingRow;

/// All settings of the pipeline in one column, in groups that fold to a line with their value. Shows a configuration
/// and emits the one that the user wants instead.
class ControlsPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit ControlsPanel(QWidget *parent = nullptr);

    void setFacts(const DeviceFacts &facts);
    void setConfig(const PipelineConfig &config);
    void setWaitInForce(WaitPolicy policy);
    BaselineTable *baseline() const { return m_baseline; }
    FilterEditor *filters() const { return m_filters; }
    /// Names of groups that are folded, to be remembered.
    QStringList folded() const;
    void setFolded(const QStringList &names);

    /// Fits the width of the choices in any font, so that they are never cut off at the side.
    QSize minimumSizeHint() const override;

signals:
    void wanted(const jetscope::PipelineConfig &config);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addSections();
    FoldingGroup *addSection(const char *name, const QString &title, QWidget *content);
    QWidget *makeWaits();
    QWidget *makeCounts();
    ChoiceGroup *addGroup(ChoiceGroup *group);
    ChoiceGroup *makeGrid(const char *key, int columns);
    QSpinBox *makeCount(const char *key, const QString &help);
    void refreshAvailability();
    void showValues();
    void want(const SettingRow &setting, const std::string &value);
    void want(const PipelineConfig &config);
    int widthOfContent() const;
    void settle();

    QVBoxLayout *m_column = nullptr;
    MemoryCards *m_memory;
    std::vector<ChoiceGroup *> m_groups; ///< All choices, in the order in which they are shown.
    std::vector<FoldingGroup *> m_sections;
    QLabel *m_waitInForce;
    QSpinBox *m_frames = nullptr;
    QSpinBox *m_streams = nullptr;
    FilterEditor *m_filters;
    BaselineTable *m_baseline;
    PipelineConfig m_config;
    DeviceFacts m_facts;
    mutable int m_minimumWidth = 0; ///< 0: not known yet.
    QTimer m_settled;               ///< When the layout of the content has changed.
};

} // namespace jetscope
