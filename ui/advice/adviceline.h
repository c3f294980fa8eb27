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

/// One choice as it is shown.
struct AdviceRow {
    QString text;
    QString details; ///< For its tooltip.
};

/// What is advised, and the buttons to try it; beside the verdict. Shows what it is told and says what was pressed.
class AdviceLine : public QWidget {
    Q_OBJECT
public:
    explicit AdviceLine(QWidget *parent = nullptr);

    /// `advice`: the place in `rows` of what is advised, -1 for nothing. `blocked`: why nothing can be tried now;
    /// empty: it can.
    void showAdvice(const QList<AdviceRow> &rows, int advice, const QString &blocked);
    void showTrying(const QString &what);
    void setProgress(double progress); ///< 0..1
    /// `helps`: it can be kept.
    void showOutcome(const QString &text, const QString &details, bool helps);

    /// As high whatever it shows: nothing below may move when advice comes and goes.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    QString text() const;
    /// The menu is open: the rows stay those that it shows.
    bool isChoosing() const;

signals:
    void tryWanted(int row);
    void cancelWanted();
    void keepWanted();
    void dismissed(); ///< The outcome was read, and nothing is to be changed.

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
