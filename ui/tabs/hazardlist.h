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

/// Accesses that broke the documented rules: one row for each rule and way to break it, with the first and last frame
/// and a count. It unfolds into what happened, where, why that is wrong and the smallest fix.
class HazardList : public QWidget {
    Q_OBJECT
public:
    explicit HazardList(QWidget *parent = nullptr);
    /// `frame` is the source's number of the frame in which it was seen.
    void add(const PipelineNotice &violation, quint64 frame);
    void clear();
    int rows() const;

signals:
    void rowsChanged(int rows);

private:
    QTreeWidgetItem *addRow(const PipelineNotice &violation, quint64 frame);

    QHash<QString, QTreeWidgetItem *> m_rows; ///< By rule and way to break it.
    QTreeWidget *m_list;
    QLabel *m_empty;
};

} // namespace jetscope
