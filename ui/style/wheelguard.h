// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace jetscope {

/// Reserves the wheel for scrolling in the whole program: a box or slider handles it only while it has the focus, and
/// the wheel alone never sets the focus. Without this, scrolling a panel changes values that slide under the mouse.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    explicit WheelGuard(QObject *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace jetscope
