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

/// Shows the figures of a range, in as many columns as have room for all digits.
class FiguresGrid : public QWidget {
    Q_OBJECT
public:
    explicit FiguresGrid(QWidget *parent = nullptr);
    void show(const RangeFigures &figures);
    void clear();
    /// Wide enough for one column.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    int widthOf(int columns) const;
    void fit();
    void arrange(int columns);

    std::vector<QLabel *> m_names;
    std::vector<QLabel *> m_values;
    int m_columns = 0; ///< Of names and their values.
    QLabel *m_reason;  ///< Why there is no overlap; hidden if there is one.
};

} // namespace jetscope
