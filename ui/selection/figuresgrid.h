// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/rangestatistics.h"

#include <QString>
#include <QWidget>

#include <vector>

class QLabel;

namespace jetscope {

/// One figure of a range.
struct FigureText {
    QString name;
    QString value;
    QString reason{}; ///< Why there is no value; empty if there is one.
};
std::vector<FigureText> figureTexts(const RangeFigures &figures);

/// Shows the figures of a range.
class FiguresGrid : public QWidget {
    Q_OBJECT
public:
    explicit FiguresGrid(QWidget *parent = nullptr);
    void show(const RangeFigures &figures);
    void clear();

private:
    std::vector<QLabel *> m_values;
    QLabel *m_reason; ///< Why there is no overlap; hidden if there is one.
};

} // namespace jetscope
