// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturecomparison.h"

#include <QTreeWidget>

#include <optional>

namespace jetscope {

/// "✓ better", "✗ worse", "≈ unchanged", "not enough frames yet", …; empty for a figure that both sides lack.
QString rowVerdictText(const ComparedFigure &figure, ComparedSides sides);
/// Colour of a verdict in the present theme; the text says the same.
QColor rowVerdictColor(RowVerdict verdict);

/// The rows of a comparison: figures of the frames, pieces of the critical path and kinds of spans, each with A, now
/// (or B), the difference and the verdict. Selected, folded and scrolled rows stay while the figures change.
class ComparedTable : public QTreeWidget {
    Q_OBJECT
public:
    explicit ComparedTable(QWidget *parent = nullptr);

    void show(const std::optional<CaptureComparison> &comparison);
    using QTreeWidget::show;

protected:
    void changeEvent(QEvent *event) override;

private:
    enum Group { Frames, Path, Spans, Groups };
    struct Line;

    void fill(Group group, const std::vector<Line> &lines);
    void write(QTreeWidgetItem &item, const Line &line) const;
    void refresh();

    std::optional<CaptureComparison> m_shown;
    QTreeWidgetItem *m_groups[Groups];
};

} // namespace jetscope
