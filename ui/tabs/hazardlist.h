// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipeline.h"

#include <QHash>
#include <QWidget>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace jetscope {

/// Accesses that broke the documented rules: one row per rule and kind of violation, with first frame, last frame and
/// count. A row expands to what happened, where, why that is wrong, and the smallest fix.
class HazardList : public QWidget {
    Q_OBJECT
public:
    explicit HazardList(QWidget *parent = nullptr);
    /// `frame`: the source's number of the frame in which the hazard was detected.
    void add(const PipelineNotice &violation, quint64 frame);
    void clear();
    int rows() const;

signals:
    void rowsChanged(int rows);

private:
    QTreeWidgetItem *addRow(const PipelineNotice &violation, quint64 frame);

    QHash<QString, QTreeWidgetItem *> m_rows; ///< Key: rule and kind of violation.
    QTreeWidget *m_list;
    QLabel *m_empty;
};

} // namespace jetscope
