// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/rangestatistics.h"

#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

class QLabel;

namespace jetscope {

/// The figures of a range as names and values.
std::vector<std::pair<QString, QString>> figureTexts(const RangeFigures &figures);

/// They on the screen.
class FiguresGrid : public QWidget {
    Q_OBJECT
public:
    explicit FiguresGrid(QWidget *parent = nullptr);
    void show(const RangeFigures &figures);
    void clear();

private:
    std::vector<QLabel *> m_values;
};

} // namespace jetscope
