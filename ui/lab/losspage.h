// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/lostframes.h"

#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <vector>

class QButtonGroup;
class QLabel;
class QTreeWidget;

namespace jetscope {

class Session;
class Trace;

/// Which frames are missing, and why: a row for each run of numbers with one
/// cause, and a button for each cause that shows only its rows. UI thread; the
/// session outlives it.
class LossPage : public QWidget {
    Q_OBJECT
public:
    explicit LossPage(Session &session, QWidget *parent = nullptr);

    /// "37"; empty if none is missing.
    QString result() const;
    const LossCounts &counts() const { return m_counts; }
    QTreeWidget *list() const { return m_list; }
    QButtonGroup *causes() const { return m_causes; }
    /// The sentence below the rows, with the sum.
    QLabel *sum() const { return m_sum; }

signals:
    void resultChanged();
    void timeWanted(std::int64_t ns); ///< The user wants to see on the timeline
                                      ///< when a frame was lost.

private:
    void restart();
    void add(const std::vector<LostFrames> &lost);
    void show();
    void addRow(const LostFrames &lost);
    QString sumText() const;

    Session &m_session;
    std::vector<LostFrames> m_rows; ///< The newest kMostListed.
    LossCounts m_counts;
    QButtonGroup *m_causes;
    QTreeWidget *m_list;
    QLabel *m_sum;
    QLabel *m_empty;
    QTimer m_due; ///< When the list is made anew.
};

} // namespace jetscope
