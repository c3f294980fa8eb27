// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/selection/wheretable.h"

#include <QWidget>

#include <array>

class QLabel;
class QTableView;

namespace jetscope {

/// Where a time went: a sentence, the critical path and the GPU as bars of one width, and the list of all parts.
class WhereView : public QWidget {
    Q_OBJECT
public:
    explicit WhereView(QWidget *parent = nullptr);
    void show(const WhereTimes &times, const Trace &trace);
    void clear();
    const WhereTable &table() const { return *m_table; }
    QString text() const;

signals:
    /// The user wants to see the longest place of a row.
    void placeWanted(Interval time);

private:
    void showBars();
    void choose(const QModelIndex &index);

    WhereTable *m_table;
    QLabel *m_sentence;
    ShareBar *m_path;
    std::array<ShareBar *, 4> m_gpus{}; ///< More GPUs are in the list only.
    QTableView *m_view;
};

} // namespace jetscope
