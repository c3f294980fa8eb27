// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/flametree.h"

#include <QAbstractScrollArea>

#include <memory>
#include <vector>

namespace jetscope {

/// Spans merged by name and nesting, each as wide as its time: the callers above, what they called below. A click or
/// Enter zooms to a node, Esc back; arrows move. UI thread.
class FlameView : public QAbstractScrollArea {
    Q_OBJECT
public:
    static int rowHeight(); ///< For the font that the application has.

    explicit FlameView(QWidget *parent = nullptr);
    void show(std::shared_ptr<const Trace> trace, std::shared_ptr<const FlameTree> tree);
    void clear() { show({}, {}); }
    const FlameTree *tree() const { return m_tree.get(); }

    /// The node that the keyboard is at, and the one that fills the width.
    std::uint32_t current() const { return m_current; }
    std::uint32_t zoomed() const { return m_zoomed; }
    void zoomTo(std::uint32_t node);
    /// "parse: 3.1 ms of 12.0 ms (26 %) in 41 spans, 2.0 ms own"
    QString textOf(std::uint32_t node) const;
    /// All nodes as indented lines; of many the largest.
    QString text() const;
    QRect rectOf(std::uint32_t node) const;

signals:
    /// What the mouse or the keyboard is at has changed.
    void described(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    struct Box {
        std::uint32_t node;
        QRect rect; ///< In the content.
    };

    void arrange();
    const Box *boxAt(QPoint at) const;
    void moveTo(std::uint32_t node);
    void paintBox(QPainter &painter, const Box &box) const;
    QColor colorOf(const FlameNode &node) const;

    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const FlameTree> m_tree;
    std::vector<Box> m_boxes; ///< Nodes that are at least a pixel wide.
    std::uint32_t m_zoomed = 0;
    std::uint32_t m_current = 0;
};

} // namespace jetscope
