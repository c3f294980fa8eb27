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
    QString reason{}; ///< Why there is none; empty where there is one.
};
std::vector<FigureText> figureTexts(const RangeFigures &figures);

/// They on the screen: as many beside each other as have room for all their digits.
class FiguresGrid : public QWidget {
    Q_OBJECT
public:
    explicit FiguresGrid(QWidget *parent = nullptr);
    void show(const RangeFigures &figures);
    void clear();
    /// One below the other.
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
    QLabel *m_reason;  ///< Why there is no overlap; hidden where there is one.
};

} // namespace jetscope
