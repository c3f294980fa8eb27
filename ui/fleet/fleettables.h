// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetopening.h"

#include <QTreeWidget>

namespace jetscope {

/// A list that is sorted by numbers where its cells have some. UI thread.
class SortedList : public QTreeWidget {
    Q_OBJECT
public:
    explicit SortedList(QWidget *parent = nullptr);
};

/// The results of a comparison: a row for each stratum and figure. What became worse comes first.
class StrataTable : public SortedList {
    Q_OBJECT
public:
    explicit StrataTable(QWidget *parent = nullptr);

    void show(const FleetComparison &comparison);
    /// Of the comparison's results; -1: none is chosen.
    int current() const;

signals:
    void currentChanged();
    void opened(); ///< By a double click or Enter.
};

/// The boards of a stratum by a figure, with their runs as small pictures. Those that changed most otherwise than the
/// rest come first.
class BoardsTable : public SortedList {
    Q_OBJECT
public:
    explicit BoardsTable(QWidget *parent = nullptr);

    /// `metric`: what the result was made of.
    void show(const FleetResult &result, const StratumMetric &metric);
    /// Its name; empty: none is chosen.
    QString current() const;

signals:
    void currentChanged();
    void opened();
};

} // namespace jetscope
