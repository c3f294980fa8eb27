// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QScrollArea>

class QDialog;

namespace jetscope {

/// A dialog's content that is as high as it wants to be, and scrolls on a screen that is lower. It scrolls in height
/// only: it is never narrower than its content.
class FittingScroll : public QScrollArea {
    Q_OBJECT
public:
    explicit FittingScroll(QWidget *content, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

/// The size that a dialog wants, as far as its screen has room; Qt by itself takes two thirds of the screen at most.
QSize sizeOnScreen(const QDialog &dialog);

} // namespace jetscope
