// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/comparedtable.h"

#include "core/tracefile/tracefileschema.h"

#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

enum ComparedColumn { What, BeforeValue, NowValue, Change, RowResult, RowInterval };

QString boundedText(const std::optional<double> &most, const std::optional<double> &least, FigureUnit unit)
{
    const QString text = toQString(figureText(unit, most));
    const bool isBound = least && most && toQString(figureText(unit, least)) != text;
    return isBound ? QStringLiteral("≤ ") + text : text;
}

QString explanationOf(const ComparedFigure &figure, FigureUnit unit)
{
    const Estimate &estimate = figure.difference.difference;
    if (!std::isfinite(estimate.atLeast) || !std::isfinite(estimate.atMost))
        return ComparedTable::tr("The interval of the difference is not known yet.");
    return ComparedTable::tr("The difference lies between %1 and %2 (with the noise of both sides).")
        .arg(toQString(figureText(unit, estimate.atLeast)), toQString(figureText(unit, estimate.atMost)));
}

/// The running pipeline has no such figure yet, but may have it.
bool isTooEarly(const ComparedFigure &figure, const CaptureComparison &comparison)
{
    constexpr std::uint64_t kMinFrames = 50; // Four batches behind the warm-up.
    return comparison.sides == ComparedSides::Running && figure.verdict == RowVerdict::Unknown
        && std::min(comparison.framesA, comparison.framesB) < kMinFrames;
}

} // namespace

QString rowVerdictText(const ComparedFigure &figure, ComparedSides sides)
{
    const bool running = sides == ComparedSides::Running;
    switch (figure.verdict) {
    case RowVerdict::Better:
        return ComparedTable::tr("✓ better");
    case RowVerdict::Worse:
        return ComparedTable::tr("✗ worse");
    case RowVerdict::Unchanged:
        return ComparedTable::tr("≈ unchanged");
    case RowVerdict::TooFewFrames:
        return running ? ComparedTable::tr("not enough frames yet") : ComparedTable::tr("too few frames");
    case RowVerdict::NotComparable:
        return ComparedTable::tr("not comparable");
    case RowVerdict::Unknown:
        break;
    }
    return figure.a || figure.b ? ComparedTable::tr("one side has no such figure") : QString();
}

QColor rowVerdictColor(RowVerdict verdict)
{
    switch (verdict) {
    case RowVerdict::Better:
        return theme().good;
    case RowVerdict::Worse:
        return theme().bad;
    default:
        return theme().muted;
    }
}

/// One row, before it has a place.
struct ComparedTable::Line {
    QString name;
    FigureUnit unit;
    const ComparedFigure *figure;
    QString tip = {};
};

ComparedTable::ComparedTable(QWidget *parent) : QTreeWidget(parent)
{
    setObjectName(QStringLiteral("comparedTable"));
    setAccessibleName(tr("Comparison"));
    setToolTip(tr("Every figure of A and of what it is compared with; a difference counts only beyond the noise"));
    setAlternatingRowColors(true);
    setUniformRowHeights(true);
    setIndentation(14);
    setHeaderLabels({tr("Figure"), tr("A"), tr("now"), tr("difference (of A)"), tr("result"), tr("interval")});
    header()->setStretchLastSection(true);
    header()->setSectionResizeMode(What, QHeaderView::Interactive);
    header()->resizeSection(What, 180);
    header()->resizeSection(RowResult, 130);
    for (const int column : {BeforeValue, NowValue, Change}) {
        header()->resizeSection(column, column == Change ? 154 : 75);
        headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    const char *const titles[] = {QT_TR_NOOP("Frames"), QT_TR_NOOP("Critical path, per frame"),
                                  QT_TR_NOOP("Spans, per frame")};
    for (const Group group : {Frames, Path, Spans}) {
        m_groups[group] = new QTreeWidgetItem(this, {tr(titles[group])});
        m_groups[group]->setFirstColumnSpanned(true);
        m_groups[group]->setExpanded(true);
        m_groups[group]->setHidden(true);
    }
}

void ComparedTable::changeEvent(QEvent *event)
{
    QTreeWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange)
        refresh(); // Colours of the verdicts.
}

void ComparedTable::show(const std::optional<CaptureComparison> &comparison)
{
    m_shown = comparison;
    refresh();
}

void ComparedTable::refresh()
{
    if (!m_groups[Frames])
        return; // A style that is set while the table is made.
    std::vector<Line> lines[Groups];
    if (m_shown) {
        const bool running = m_shown->sides == ComparedSides::Running;
        setHeaderLabels({tr("Figure"), toQString(m_shown->nameA), running ? tr("now") : tr("B"),
                         tr("difference (of %1)").arg(toQString(m_shown->nameA)), tr("result"), tr("interval")});
        m_groups[Spans]->setText(What, m_shown->perFrame ? tr("Spans, per frame") : tr("Spans, per second"));
        for (const ComparedMetric &metric : m_shown->metrics)
            if (metric.figure.a || metric.figure.b)
                lines[Frames].push_back(
                    {toQString(rowOf(metric.metric).label), rowOf(metric.metric).unit, &metric.figure});
        for (const ComparedPiece &piece : m_shown->path)
            lines[Path].push_back({toQString(piece.kind.what), FigureUnit::Milliseconds, &piece.ms,
                                   toQString(laneRoleName(piece.kind.role))});
        for (const ComparedSpans &spans : m_shown->spans)
            lines[Spans].push_back({toQString(spans.kind.name), FigureUnit::Milliseconds, &spans.totalMs,
                                    tr("%1; one span: %2 and %3 (median)")
                                        .arg(toQString(laneRoleName(spans.kind.role)),
                                             toQString(figureText(FigureUnit::Milliseconds, spans.medianMs.a)),
                                             toQString(figureText(FigureUnit::Milliseconds, spans.medianMs.b)))});
    }
    const int scrolled = verticalScrollBar()->value();
    for (const Group group : {Frames, Path, Spans})
        fill(group, lines[group]);
    verticalScrollBar()->setValue(scrolled);
}

/// Rows change their order with the figures; a selected row keeps its name.
void ComparedTable::fill(Group group, const std::vector<Line> &lines)
{
    QTreeWidgetItem *const head = m_groups[group];
    head->setHidden(lines.empty());
    const QTreeWidgetItem *const current = currentItem() && currentItem()->parent() == head ? currentItem() : nullptr;
    const QString chosen = current ? current->text(What) : QString();
    while (head->childCount() > static_cast<int>(lines.size()))
        delete head->takeChild(head->childCount() - 1);
    while (head->childCount() < static_cast<int>(lines.size())) {
        auto *item = new QTreeWidgetItem(head);
        for (const int column : {BeforeValue, NowValue, Change})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        QTreeWidgetItem &item = *head->child(static_cast<int>(i));
        write(item, lines[i]);
        if (!chosen.isEmpty() && lines[i].name == chosen && currentItem() != &item)
            setCurrentItem(&item);
    }
}

void ComparedTable::write(QTreeWidgetItem &item, const Line &line) const
{
    const ComparedFigure &figure = *line.figure;
    const QString verdict =
        isTooEarly(figure, *m_shown) ? tr("not enough frames yet") : rowVerdictText(figure, m_shown->sides);
    item.setText(What, line.name);
    item.setToolTip(What, line.tip.isEmpty() ? line.name : line.name + u'\n' + line.tip);
    item.setText(BeforeValue, boundedText(figure.a, figure.aAtLeast, line.unit));
    item.setText(NowValue, boundedText(figure.b, figure.bAtLeast, line.unit));
    item.setText(Change, toQString(differenceText(figure, line.unit)));
    item.setToolTip(Change, explanationOf(figure, line.unit));
    item.setText(RowInterval, toQString(intervalText(figure, line.unit)));
    item.setToolTip(RowInterval, item.toolTip(Change));
    item.setText(RowResult, verdict);
    item.setToolTip(RowResult, figure.verdict == RowVerdict::NotComparable ? toQString(m_shown->noVerdict) : verdict);
    item.setForeground(RowResult, rowVerdictColor(figure.verdict));
    item.setData(What, Qt::AccessibleTextRole,
                 tr("%1: %2 %3, %4 %5, %6")
                     .arg(line.name, toQString(m_shown->nameA), item.text(BeforeValue), headerItem()->text(NowValue),
                          item.text(NowValue), verdict));
}

} // namespace jetscope
