// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QToolButton>

namespace jetscope {

/// A tool button that yields space to its neighbours: text that does not fit is elided.
class ElidingButton : public QToolButton {
    Q_OBJECT
public:
    using QToolButton::QToolButton;

    /// Ampersands are shown literally, not used as mnemonics.
    void setFullText(const QString &text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    QString shownText() const { return text().replace(QStringLiteral("&&"), QStringLiteral("&")); }

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace jetscope
