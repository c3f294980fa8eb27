// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace jetscope {

/// In place of the picture while there is no pipeline: that it is being opened, or why it could not be.
class ErrorPage : public QWidget {
    Q_OBJECT
public:
    explicit ErrorPage(QWidget *parent = nullptr);
    void showOpening(const QString &what);
    void showError(const QString &text);

signals:
    void retry();
    void useSynthetic(); ///< Retry with the source that always works.

private:
    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_retry;
    QPushButton *m_synthetic;
};

} // namespace jetscope
