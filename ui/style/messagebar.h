// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;

namespace jetscope {

/// One message across the window, visible until it is closed or replaced. Never modal.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Info, Warning, Error };
    struct Action {
        QString text;
        std::function<void()> run;
    };

    explicit MessageBar(QWidget *parent = nullptr);
    void show(Kind kind, const QString &text, const Action &action = {});
    QString text() const;

signals:
    void shown(jetscope::MessageBar::Kind kind, const QString &text);

private:
    QLabel *m_icon;
    QLabel *m_text;
    QPushButton *m_action;
    std::function<void()> m_run;
};

} // namespace jetscope
