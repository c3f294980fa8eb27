// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"
#include "ui/hazards/foundhazards.h"

#include <QTreeWidget>

#include <array>
#include <optional>
#include <vector>

namespace jetscope {

class HazardDetails;

/// The rows of hazards, grouped by level. A row unfolds into its details.
class HazardTree : public QTreeWidget {
    Q_OBJECT
public:
    enum Column { What, RuleName, Count, FirstFrame, LastFrame, Columns };

    explicit HazardTree(const FoundHazards &hazards, QWidget *parent = nullptr);

    /// A hazard was added or counted again.
    void showHazard(std::size_t index);
    void restart();
    /// The choices of the pipeline, for which fixes are offered; none without a pipeline.
    void setChoices(const std::optional<PipelineConfig> &config, const DeviceFacts &facts);

signals:
    void chosen(std::size_t index); ///< The user selected a row.
    void opened(std::size_t index); ///< The user wants to see its first occurrence on the timeline.
    void remedyWanted(const jetscope::PipelineConfig &config);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Row {
        QTreeWidgetItem *item = nullptr;
        QTreeWidgetItem *place = nullptr; ///< Child that the details fill.
        HazardDetails *details = nullptr; ///< Made when the row is unfolded for the first time.
    };
    QTreeWidgetItem *groupItem(HazardGroup group);
    void addRow(std::size_t index);
    std::optional<std::size_t> indexOf(const QTreeWidgetItem *item) const;
    void makeDetails(std::size_t index);
    void showDetails(std::size_t index);
    void showRemedy(const FoundHazard &hazard, HazardDetails &details) const;
    void fitDetails();

    const FoundHazards &m_hazards;
    std::array<QTreeWidgetItem *, kHazardGroups> m_groups{};
    std::vector<Row> m_rows; ///< As in FoundHazards::all().
    std::optional<PipelineConfig> m_config;
    DeviceFacts m_facts;
};

} // namespace jetscope
