// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardevents.h"
#include "ui/board/boardtimes.h"

#include <QTreeWidget>

namespace jetscope {

/// What happened on the board: when, for how long, by what it was seen and how sure that is.
class BoardEventList : public QTreeWidget {
    Q_OBJECT
public:
    enum Column { At, For, What, SeenBy, Sure, Columns };
    explicit BoardEventList(QWidget *parent = nullptr);

    void show(const std::vector<BoardEvent> &events, const BoardTimes &times);
    void select(std::size_t index);

signals:
    void chosen(std::size_t index);
};

} // namespace jetscope
