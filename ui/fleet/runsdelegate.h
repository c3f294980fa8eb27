// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetboards.h"

#include <QMetaType>
#include <QStyledItemDelegate>

namespace jetscope {

/// The runs of a board in a cell, on the axis that all boards of the table have.
struct ShownRuns {
    BuildValues values;
    double low = 0;
    double high = 1;
    bool isOut = false; ///< The board fell out.
};

/// Paints `ShownRuns`, the value of Qt::UserRole: the old runs above, the new ones below, a line at each median. UI
/// thread.
class RunsDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace jetscope

Q_DECLARE_METATYPE(jetscope::ShownRuns)
