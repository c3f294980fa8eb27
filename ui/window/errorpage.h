// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace jetscope {

/// Takes the place of the picture while there is none: why, and what to do about it.
class ErrorPage : public QWidget {
    Q_OBJECT
public:
    explicit ErrorPage(QWidget *parent = nullptr);

    void showIdle(const QString &what);
    void showOpening(const QString &what);
    void showHeld(const QString &reason);       ///< The pipeline is closed for a measurement.
    void showNoPictures(const QString &reason); ///< The pipeline runs, and its pictures cannot be shown.
    void showError(const QString &title, const QString &text);
    void showQuestion(const QString &text); ///< Whether to open what the last session had.

signals:
    void retry();
    void otherWanted(); ///< The synthetic camera.

private:
    void showChoice(const QString &title, const QString &text, const QString &retry, const QString &toolTip);

    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_retry;
    QPushButton *m_synthetic;
};

} // namespace jetscope
