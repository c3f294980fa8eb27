// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/choices.h"
#include "core/devicefacts.h"

#include <QWidget>

#include <vector>

class QListWidget;
class QToolButton;

namespace jetscope {

/// The filter chain as an ordered list: checked filters run from top to bottom. Entries can be added, removed, moved
/// (also by dragging), and switched off without losing their position.
class FilterEditor : public QWidget {
    Q_OBJECT
public:
    explicit FilterEditor(QWidget *parent = nullptr);

    /// Checked filters in order.
    std::vector<Filter> filters() const;
    /// Keeps unchecked entries if the checked ones already equal `filters`.
    void setFilters(const std::vector<Filter> &filters);

    /// Filters that this device does not have cannot be added; the menu says why.
    void setFacts(const DeviceFacts &facts);

signals:
    void changed(std::vector<jetscope::Filter> filters);

protected:
    bool event(QEvent *event) override;

private:
    void makeAddMenu();
    void append(Filter filter);
    void removeCurrent();
    void moveCurrent(int by);
    void announce();
    void updateButtons();
    void showAllRows();
    QToolButton *makeButton(int glyph, const QString &name, const QString &help);

    QListWidget *m_list;
    QToolButton *m_add;
    QToolButton *m_up;
    QToolButton *m_down;
    QToolButton *m_remove;
    bool m_filling = false;
};

} // namespace jetscope
