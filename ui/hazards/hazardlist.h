// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"
#include "ui/hazards/coverageline.h"
#include "ui/hazards/foundhazards.h"

#include <QByteArray>
#include <QString>
#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;

namespace jetscope {

/// Everything that an export of the tab contains.
struct HazardReport {
    const FoundHazards &hazards;
    QString coverage;                    ///< The sentence above the rows.
    std::optional<CoverageCounts> rules; ///< None if it is unknown which rules were checked.
};

QString hazardReportText(const HazardReport &report);
/// The rows have the keys of `jetscope run --hazards --json`.
QByteArray hazardReportJson(const HazardReport &report);

class HazardTree;

/// The tab of hazards: what was checked, the rows, their export, and the mistakes that can be shown.
class HazardList : public QWidget {
    Q_OBJECT
public:
    explicit HazardList(QWidget *parent = nullptr);

    void add(const PipelineNotice &violation, const FrameNumbers &numbers);
    /// All hazards of a capture.
    void addMarks(const MarkList &marks, const FrameNumbers &numbers);
    void clear();
    void setChecked(const CheckedRun &run);
    /// Mistakes on purpose need a pipeline of our own; they are offered at first.
    void setScenesOffered(bool offered);
    /// Whether the pipeline makes a mistake on purpose.
    void setSceneRuns(bool runs);

    const FoundHazards &hazards() const { return m_hazards; }
    int rows() const { return static_cast<int>(m_hazards.all().size()); }
    HazardTree *tree() const { return m_tree; }
    HazardReport report() const;
    void copy() const;

signals:
    void rowsChanged();
    void saveWanted();
    void scenesWanted();
    void sceneStopWanted();

private:
    QWidget *makeHead();
    void showCount();

    FoundHazards m_hazards;
    CoverageLine *m_coverage;
    HazardTree *m_tree;
    QLabel *m_empty;
    QLabel *m_leftOut;
    QPushButton *m_export;
    QPushButton *m_scenes;
    bool m_sceneRuns = false;
};

} // namespace jetscope
