// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <QWidget>

namespace jetscope {

/// The attachments of managed memory and what a change between them prefetches, as a diagram. The accessible
/// description says the same in words.
class AttachDiagram : public QWidget {
    Q_OBJECT
public:
    explicit AttachDiagram(QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int space() const;
    int boxWidth() const;
    int labelWidth() const;
    QRect hostBox() const;
    QRect rightBox(bool upper) const;
    void paintBox(QPainter &painter, const QRect &box, const QString &title, const QString &text) const;
    void paintArrow(QPainter &painter, QPoint from, QPoint to, const QString &label) const;
};

/// The diagram with a sentence above that says whether attachments matter on a device.
class AttachPage : public QWidget {
    Q_OBJECT
public:
    explicit AttachPage(const DeviceFacts &facts, QWidget *parent = nullptr);
};

} // namespace jetscope
