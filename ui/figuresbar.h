// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/statistics.h"

#include <QWidget>

#include <array>

class QLabel;

namespace jetscope {

/// The five live figures: overlap, frames a second, latency p50 and p99, dropped frames.
class FiguresBar : public QWidget {
    Q_OBJECT
public:
    explicit FiguresBar(QWidget *parent = nullptr);
    void show(const RunFigures &figures, std::uint64_t droppedBySource, std::uint64_t droppedByView);
    QString text(int figure) const; ///< Of the figure with this place from the left.

private:
    void set(int figure, const QString &value);

    static constexpr std::size_t kFigures = 5;
    std::array<QLabel *, kFigures> m_values{};
};

} // namespace jetscope
