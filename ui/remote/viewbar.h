// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace jetscope {

class RemoteView;

/// Above a timeline of a capture that stays on its board: where it lies, what needs all of it, and why nothing more
/// comes. UI thread.
class ViewBar : public QWidget {
    Q_OBJECT
public:
    explicit ViewBar(QWidget *parent = nullptr);

    void show(const RemoteView &view);
    using QWidget::show;
    /// The selected span; empty for none. Rich text.
    void showSpan(const QString &text);
    /// Without it the capture cannot be fetched from here.
    void setFetchable(bool fetchable);

signals:
    void fetchWanted();

private:
    QLabel *m_text;
    QLabel *m_trouble;
    QLabel *m_span;
    QPushButton *m_fetch;
};

} // namespace jetscope
