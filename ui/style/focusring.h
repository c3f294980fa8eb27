// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QWidget>

namespace jetscope {

/// Shows which view or list has the keys: a line along the edges of the widget that has the focus. Buttons and boxes,
/// which the style sheet draws with a border of their own, get none.
class FocusRing : public QObject {
    Q_OBJECT
public:
    explicit FocusRing(QObject *parent);
    /// What the ring is around; null for nothing.
    QWidget *target() const { return m_target; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void moveTo(QWidget *focus);
    void place();

    QPointer<QWidget> m_target;
    QList<QPointer<QWidget>> m_edges; ///< Children of the target: four thin widgets cost nothing where it is repainted.
};

} // namespace jetscope
