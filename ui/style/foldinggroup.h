// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPushButton>
#include <QWidget>

class QLabel;

namespace jetscope {

/// The title of a group: a button in one line, with the value of the group while that is folded.
class FoldTitle : public QPushButton {
    Q_OBJECT
public:
    explicit FoldTitle(const QString &title, QWidget *parent = nullptr);

    void showState(bool isFolded, const QString &value);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void foldWanted(bool all); ///< `all`: the Alt key was held.

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    const QString m_title;
    QLabel *m_value;
    bool m_isFolded = false;
    bool m_all = false;
};

/// A part of a column that folds to one line with its value: by a click on its title, or with Space or Enter.
class FoldingGroup : public QWidget {
    Q_OBJECT
public:
    /// `name`: for the settings.
    FoldingGroup(const QString &name, const QString &title, QWidget *content, QWidget *parent = nullptr);

    QString name() const { return objectName(); }
    FoldTitle *title() const { return m_title; }
    bool isFolded() const { return m_isFolded; }
    void setFolded(bool folded);
    /// What the title says while the group is folded.
    void setValue(const QString &value);
    const QString &value() const { return m_value; }

signals:
    /// By the user. `all`: the other groups are to do the same.
    void toggled(bool folded, bool all);

private:
    FoldTitle *m_title;
    QWidget *m_content;
    QString m_value;
    bool m_isFolded = false;
};

} // namespace jetscope
