// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace jetscope {

/// In place of the picture while there is no pipeline: that it is being opened, why it could not be, or whether it
/// shall be.
class ErrorPage : public QWidget {
    Q_OBJECT
public:
    explicit ErrorPage(QWidget *parent = nullptr);
    void showOpening(const QString &what);
    void showError(const QString &text);
    void showQuestion(const QString &text); ///< Whether to open what waits to be opened.

signals:
    void retry();
    void useSynthetic(); ///< Retry with the source that always works.

private:
    void showChoice(const QString &title, const QString &text, const QString &retry, const QString &toolTip);

    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_retry;
    QPushButton *m_synthetic;
};

} // namespace jetscope
