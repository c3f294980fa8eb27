// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/icons.h"

#include <QTabBar>
#include <QWidget>

#include <vector>

class QHBoxLayout;

namespace jetscope {

class WorkspaceTools;

/// Tabs with icon, name and, where there is room, a line of what is open.
class WorkspaceTabs : public QTabBar {
    Q_OBJECT
public:
    explicit WorkspaceTabs(QWidget *parent = nullptr);

    void setDetail(int index, const QString &detail);
    QString detail(int index) const;
    /// Compact tabs have no second line, those with icons no name either.
    enum class Look { Whole, Compact, Icons };
    void setLook(Look look);
    bool isCompact() const { return m_look != Look::Whole; }
    int widthWith(Look look) const;

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
    void paintEvent(QPaintEvent *event) override;

private:
    QSize sizeOf(int index, Look look) const;
    QFont nameFont() const;

    Look m_look = Look::Whole;
};

/// The workspaces as tabs, with the tools and figures of the shown one beside them. In a narrow window the tools show
/// icons only, then the tabs lose their second line, then their names; figures are never cut off.
class WorkspaceBar : public QWidget {
    Q_OBJECT
public:
    explicit WorkspaceBar(QWidget *parent = nullptr);

    /// `tools` may be null.
    void add(Glyph icon, const QString &name, const QString &help, WorkspaceTools *tools);
    void setCurrent(int index);
    /// The window has another height, which decides, too.
    void fit();
    WorkspaceTabs *tabs() const { return m_tabs; }

    /// Width of the narrowest arrangement, whatever the present one is.
    QSize minimumSizeHint() const override;

signals:
    void chosen(int index); ///< By the user or `setCurrent`.

protected:
    bool event(QEvent *event) override;

private:
    /// From wide to narrow.
    enum class Arrangement { Whole, Icons, Compact, Least };
    WorkspaceTabs::Look lookIn(Arrangement arrangement) const;
    int leastWidth(Arrangement arrangement) const;
    void showTools(int index);

    WorkspaceTabs *m_tabs;
    QHBoxLayout *m_row;
    std::vector<WorkspaceTools *> m_tools;
    Arrangement m_arrangement = Arrangement::Whole;
    WorkspaceTabs::Look m_look = WorkspaceTabs::Look::Whole;
};

} // namespace jetscope
