// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

namespace jetscope {

/// Covers the window while a file is dragged over it, and says what will happen when it is dropped.
class DropTarget : public QWidget {
    Q_OBJECT
public:
    explicit DropTarget(QWidget *window);

    void showFor(const QString &text);
    QString text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
};

} // namespace jetscope
