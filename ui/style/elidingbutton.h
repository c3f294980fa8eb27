// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QToolButton>

namespace jetscope {

/// A tool button that makes way for what stands beside it: where there is less room than its text needs, the text ends
/// in dots.
class ElidingButton : public QToolButton {
    Q_OBJECT
public:
    using QToolButton::QToolButton;

    /// Shown as it is: an ampersand is no mnemonic.
    void setFullText(const QString &text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    QString shownText() const { return text().replace(QStringLiteral("&&"), QStringLiteral("&")); }

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace jetscope
