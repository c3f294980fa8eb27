// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/tracepaths.h"
#include "core/path/wheretimes.h"
#include "ui/selection/sharebar.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace jetscope {

/// One line of the list.
struct WhereRow {
    enum class Group { Path, Gpu, Thread, Frames };
    enum class Look { Cause, Idle, Nothing };
    Group group = Group::Path;
    std::size_t gpu = 0; ///< Place of the GPU, of Group::Gpu.
    bool heading = false;
    QString what;
    QString lane; ///< Empty if it belongs to none.
    Look look = Look::Cause;
    PathCause cause = PathCause::Unknown;
    std::int64_t ns = 0;
    std::int64_t wholeNs = 0; ///< What the rows of the group add up to.
    Interval longest;         ///< The longest place; empty if there is none.

    QString text() const;
};

/// Table model: what made the time this long, group by group. The rows of each group add up to the time in its heading.
class WhereTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { What, Time, Share, Columns };
    static constexpr std::size_t kMaxRows = 12; ///< Of a group; the rest is one row.
    static constexpr std::size_t kMaxGpus = 16; ///< That are listed.

    explicit WhereTable(QObject *parent = nullptr) : QAbstractTableModel(parent) {}
    void show(const WhereTimes &times, const Trace &trace);
    void clear();
    const std::vector<WhereRow> &rows() const { return m_rows; }
    /// "Mostly kernel blur on stream 0: 3.1 ms of 5.0 ms (62 %), then …"
    const QString &sentence() const { return m_sentence; }
    std::vector<SharePart> parts(WhereRow::Group group, std::size_t gpu = 0) const;
    /// What the parts of a GPU are of: "GPU 1 in the same time".
    static QString titleOf(const GpuTimes &gpu);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<WhereRow> m_rows;
    QString m_sentence;
};

} // namespace jetscope
