// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace jetscope {

/// One candidate as a menu row.
struct AdviceRow {
    QString text;
    QString details; ///< Tooltip.
};

/// Advice beside the verdict, with the buttons to try it. Displays its input and emits a signal for each button.
class AdviceLine : public QWidget {
    Q_OBJECT
public:
    explicit AdviceLine(QWidget *parent = nullptr);

    /// `advice`: index of the advised row in `rows`, -1 for no advice. `blocked`: the reason why no trial can start
    /// now; empty if one can.
    void showAdvice(const QList<AdviceRow> &rows, int advice, const QString &blocked);
    void showTrying(const QString &what);
    void setProgress(double progress); ///< 0..1
    /// `helps`: the tried choice is faster, and "Keep it" is offered.
    void showOutcome(const QString &text, const QString &details, bool helps);

    /// Constant height, so that nothing below moves when advice appears or disappears.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    QString text() const;
    /// True while the menu is open; the rows must not change meanwhile.
    bool isChoosing() const;

signals:
    void tryWanted(int row);
    void cancelWanted();
    void keepWanted();
    void dismissed(); ///< The user leaves the outcome without keeping the tried choice.

private:
    QPushButton *makeButton(const char *name, const QString &text, const QString &help);
    void setText(const QString &text, const QString &details);
    QSize withFullHeight(QSize size) const;
    void fillMenu(const QList<AdviceRow> &rows, bool enabled);

    QLabel *m_text;
    QProgressBar *m_progress;
    QPushButton *m_try;
    QPushButton *m_cancel;
    QPushButton *m_keep;
    QPushButton *m_back;
    QToolButton *m_more;
    QMenu *m_menu;
    int m_advice = -1;
    QStringList m_shownRows;
};

} // namespace jetscope
