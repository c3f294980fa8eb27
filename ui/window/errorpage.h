// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace jetscope {

/// Replaces the picture while there is no pipeline: it is being opened, could not be opened, or needs the user's
/// confirmation.
class ErrorPage : public QWidget {
    Q_OBJECT
public:
    explicit ErrorPage(QWidget *parent = nullptr);
    void showOpening(const QString &what);
    /// Why the pipeline is closed on purpose.
    void showHeld(const QString &reason);
    void showError(const QString &text);
    void showNotStarted(const QString &text); ///< A program that is to be inspected.
    void showQuestion(const QString &text);   ///< Shows a question whether to open the pending source.

signals:
    void retry();
    void useSynthetic(); ///< Retry with the synthetic source, which always works.

private:
    void showChoice(const QString &title, const QString &text, const QString &retry, const QString &toolTip);

    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_retry;
    QPushButton *m_synthetic;
};

} // namespace jetscope
