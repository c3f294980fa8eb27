// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QWidget>

namespace jetscope {

/// Marks the view or list that has the keyboard focus with a line along its edges. Buttons and boxes get none: the
/// style sheet draws their focus border.
class FocusRing : public QObject {
    Q_OBJECT
public:
    explicit FocusRing(QObject *parent);
    /// Widget with the ring; null for none.
    QWidget *target() const { return m_target; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void moveTo(QWidget *focus);
    void place();

    QPointer<QWidget> m_target;
    QList<QPointer<QWidget>> m_edges; ///< Children of the target: repainting four thin widgets costs nothing.
};

} // namespace jetscope
