// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace jetscope {

/// The energy of a time, divided among the rails that make the total, and parts of it.
class EnergyBox : public QWidget {
    Q_OBJECT
public:
    struct Part {
        QString name;
        QColor color;
        double joules = 0;
    };
    struct Line {
        QString name;
        double joules = 0;
    };
    explicit EnergyBox(QWidget *parent = nullptr);

    void show(double joules, std::vector<Part> rails, std::vector<Line> lines);
    /// Instead of an energy.
    void showReason(const QString &reason);
    QString text() const { return accessibleDescription(); }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int line() const { return fontMetrics().height() + 4; }

    double m_joules = 0;
    std::vector<Part> m_rails;
    std::vector<Line> m_lines;
    QString m_reason;
};

} // namespace jetscope
