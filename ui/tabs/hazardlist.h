// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline.h"

#include <QWidget>

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace jetscope {

/// Accesses that broke the documented rules: one row per text, with the first and last frame and a count.
class HazardList : public QWidget {
    Q_OBJECT
public:
    explicit HazardList(QWidget *parent = nullptr);
    void add(const PipelineNotice &violation);
    void clear();
    int rows() const;

signals:
    void rowsChanged(int rows);

private:
    QTreeWidgetItem *rowOf(const QString &text) const;

    QTreeWidget *m_list;
    QLabel *m_empty;
};

} // namespace jetscope
