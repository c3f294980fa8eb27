// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/flameview.h"

#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr int kLeastNamed = 24;          ///< Pixels.
constexpr std::size_t kMaxCopied = 2000; ///< Nodes.
constexpr int kFlameMargin = 4;

} // namespace

int FlameView::rowHeight()
{
    return fontScaled(18);
}

FlameView::FlameView(QWidget *parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Flame"));
    setAccessibleRole(this, QAccessible::Chart);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
}

void FlameView::show(std::shared_ptr<const Trace> trace, std::shared_ptr<const FlameTree> tree)
{
    m_trace = std::move(trace);
    m_tree = std::move(tree);
    m_zoomed = 0;
    m_current = 0;
    arrange();
    moveTo(0);
}

/// The boxes of the zoomed node and what is below it, and of the nodes above it in full width.
void FlameView::arrange()
{
    m_boxes.clear();
    int rows = 1;
    if (m_tree && m_tree->root().totalNs > 0) {
        const std::vector<FlameNode> &nodes = m_tree->nodes();
        const int width = std::max(1, viewport()->width() - 2 * kFlameMargin);
        const auto place = [](const FlameNode &node) { return node.depth * rowHeight(); };
        for (std::uint32_t above = m_zoomed; above != 0;) {
            above = nodes[above].parent;
            m_boxes.push_back({above, {kFlameMargin, place(nodes[above]), width, rowHeight()}});
        }
        m_boxes.push_back({m_zoomed, {kFlameMargin, place(nodes[m_zoomed]), width, rowHeight()}});
        const double perNs = width / static_cast<double>(std::max<std::int64_t>(nodes[m_zoomed].totalNs, 1));
        struct Open {
            std::uint32_t node;
            double left;
            double right;
        };
        std::vector<Open> open = {{m_zoomed, kFlameMargin, static_cast<double>(kFlameMargin + width)}};
        while (!open.empty()) {
            const auto [node, left, right] = open.back();
            open.pop_back();
            double x = left;
            const FlameNode &of = nodes[node];
            for (std::uint32_t child = of.firstChild; child < of.firstChild + of.children; ++child) {
                const double end = std::min(x + static_cast<double>(nodes[child].totalNs) * perNs, right);
                if (end - x < 1)
                    break; // The others are smaller.
                m_boxes.push_back(
                    {child, {qRound(x), place(nodes[child]), std::max(1, qRound(end) - qRound(x)), rowHeight()}});
                rows = std::max<int>(rows, nodes[child].depth + 1);
                open.push_back({child, x, end});
                x = end;
            }
        }
    }
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(rowHeight());
    verticalScrollBar()->setRange(0, std::max(0, rows * rowHeight() - viewport()->height()));
    viewport()->update();
}

QColor FlameView::colorOf(const FlameNode &node) const
{
    switch (node.kind) {
    case FlameNode::Kind::Name:
        return barColors(m_trace->names().category(node.name), theme()).fill;
    case FlameNode::Kind::All:
    case FlameNode::Kind::Lane:
    case FlameNode::Kind::Others:
        break;
    }
    return theme().hover;
}

void FlameView::paintBox(QPainter &painter, const Box &box) const
{
    const FlameNode &node = m_tree->nodes()[box.node];
    const QRect rect =
        box.rect.translated(0, -verticalScrollBar()->value()).adjusted(0, 0, box.rect.width() > 2 ? -1 : 0, -1);
    painter.fillRect(rect, colorOf(node));
    if (box.node == m_current && hasFocus()) {
        painter.setPen(theme().accentText);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
    if (rect.width() < kLeastNamed)
        return;
    painter.setPen(node.kind == FlameNode::Kind::Name ? barColors(m_trace->names().category(node.name), theme()).text
                                                      : theme().text);
    const QString text =
        QStringLiteral("%1 %2").arg(toQString(m_tree->textOf(box.node, *m_trace)), durationText(node.totalNs));
    painter.drawText(rect.adjusted(4, 0, -3, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text, Qt::ElideMiddle, rect.width() - 7));
}

void FlameView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().panel);
    const QFont small = paintedFont(font(), 11);
    painter.setFont(small);
    if (m_boxes.empty()) {
        painter.setPen(theme().muted);
        if (m_tree)
            painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
                             tr("No span of these lanes lies in this time."));
        return;
    }
    for (const Box &box : m_boxes)
        paintBox(painter, box);
}

const FlameView::Box *FlameView::boxAt(QPoint at) const
{
    const QPoint inContent = at + QPoint(0, verticalScrollBar()->value());
    const auto found =
        std::find_if(m_boxes.begin(), m_boxes.end(), [&](const Box &box) { return box.rect.contains(inContent); });
    return found == m_boxes.end() ? nullptr : &*found;
}

QRect FlameView::rectOf(std::uint32_t node) const
{
    const auto found = std::find_if(m_boxes.begin(), m_boxes.end(), [&](const Box &box) { return box.node == node; });
    return found == m_boxes.end() ? QRect() : found->rect.translated(0, -verticalScrollBar()->value());
}

QString FlameView::textOf(std::uint32_t node) const
{
    if (!m_tree || m_tree->root().totalNs <= 0)
        return {};
    const FlameNode &of = m_tree->nodes()[node];
    const std::int64_t wholeNs = m_tree->root().totalNs;
    const QString amount = node == 0
        ? tr("%1 recorded = 100 %").arg(durationText(wholeNs))
        : tr("%1 of %2 (%3)")
              .arg(durationText(of.totalNs), durationText(wholeNs),
                   percentText(static_cast<double>(of.totalNs) / static_cast<double>(wholeNs)));
    QString text = tr("%1: %2").arg(toQString(m_tree->textOf(node, *m_trace)), amount);
    if (of.kind == FlameNode::Kind::Name)
        text += of.count == 1 ? tr(" in 1 span") : tr(" in %L1 spans").arg(of.count);
    if (of.kind == FlameNode::Kind::Name && of.children > 0)
        text += tr(", %1 own").arg(durationText(of.ownNs));
    return text;
}

void FlameView::moveTo(std::uint32_t node)
{
    m_current = node;
    const QString text = textOf(node);
    setAccessibleDescription(text);
    emit described(text);
    if (const QRect rect = rectOf(node); rect.isValid()) {
        QScrollBar *bar = verticalScrollBar();
        if (rect.top() < 0)
            bar->setValue(bar->value() + rect.top());
        else if (rect.bottom() >= viewport()->height())
            bar->setValue(bar->value() + rect.bottom() + 1 - viewport()->height());
    }
    viewport()->update();
}

void FlameView::zoomTo(std::uint32_t node)
{
    if (!m_tree || node >= m_tree->nodes().size())
        return;
    m_zoomed = node;
    arrange();
    moveTo(node);
}

void FlameView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void FlameView::mousePressEvent(QMouseEvent *event)
{
    const Box *box = event->button() == Qt::LeftButton ? boxAt(event->pos()) : nullptr;
    if (box)
        zoomTo(box->node);
}

void FlameView::mouseMoveEvent(QMouseEvent *event)
{
    const Box *box = boxAt(event->pos());
    emit described(textOf(box ? box->node : m_current));
}

bool FlameView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        emit described(textOf(m_current));
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const Box *box = boxAt(help->pos());
    QToolTip::showText(help->globalPos(), box ? textOf(box->node) : QString(), this);
    return true;
}

void FlameView::keyPressEvent(QKeyEvent *event)
{
    if (!m_tree)
        return QAbstractScrollArea::keyPressEvent(event);
    const std::vector<FlameNode> &nodes = m_tree->nodes();
    const FlameNode &at = nodes[m_current];
    const FlameNode &parent = nodes[at.parent];
    switch (event->key()) {
    case Qt::Key_Up:
        return moveTo(at.parent);
    case Qt::Key_Down:
        return moveTo(at.children > 0 ? at.firstChild : m_current);
    case Qt::Key_Left:
        return moveTo(m_current > parent.firstChild && m_current != 0 ? m_current - 1 : m_current);
    case Qt::Key_Right:
        return moveTo(m_current + 1 < parent.firstChild + parent.children && m_current != 0 ? m_current + 1
                                                                                            : m_current);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return zoomTo(m_current);
    case Qt::Key_Escape:
        if (m_zoomed == 0)
            break;
        return zoomTo(nodes[m_zoomed].parent);
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

QString FlameView::text() const
{
    if (!m_tree)
        return {};
    const std::vector<FlameNode> &nodes = m_tree->nodes();
    QString text = tr("name\ttime\town\tspans") + u'\n';
    std::vector<std::uint32_t> open = {0};
    for (std::size_t written = 0; !open.empty() && written < kMaxCopied; ++written) {
        const std::uint32_t node = open.back();
        open.pop_back();
        const FlameNode &of = nodes[node];
        text += QString(2 * of.depth, u' ') + toQString(m_tree->textOf(node, *m_trace)) + u'\t'
            + durationText(of.totalNs) + u'\t' + durationText(of.ownNs) + u'\t' + QString::number(of.count) + u'\n';
        for (std::uint32_t child = of.firstChild + of.children; child-- > of.firstChild;)
            open.push_back(child);
    }
    return text;
}

} // namespace jetscope
