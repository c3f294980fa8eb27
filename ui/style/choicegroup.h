// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"
#include "core/settings/pipelineconfig.h"

#include <QWidget>

#include <vector>

class QAbstractButton;
class QButtonGroup;

namespace jetscope {

/// One value of a choice, as shown by a widget.
struct ChoiceItem {
    int id = 0;
    QString name; ///< Value on the command line; object name of the button.
    QString label;
    QString help;
};

template <class T>
std::vector<ChoiceItem> choiceItems()
{
    std::vector<ChoiceItem> items;
    for (const Choice<T> &choice : choices<T>())
        items.push_back({static_cast<int>(choice.value),
                         QString::fromUtf8(choice.name.data(), static_cast<qsizetype>(choice.name.size())),
                         QString::fromUtf8(choice.label.data(), static_cast<qsizetype>(choice.label.size())),
                         QString::fromUtf8(choice.help.data(), static_cast<qsizetype>(choice.help.size()))});
    return items;
}

/// Exclusive buttons; arrow keys move between them. Unavailable values are disabled with the reason; unsafe ones are
/// marked with a sign and a word. Only choices of the user emit `chosen`.
class ChoiceGroup : public QWidget {
    Q_OBJECT
public:
    int current() const;
    void setCurrent(int id);
    void setAvailability(int id, const Availability &availability);
    QAbstractButton *button(int id) const;

    /// Tooltip made of help text and availability, for other widgets with choices.
    static QString explanation(const QString &help, const Availability &availability);

signals:
    void chosen(int id);

protected:
    ChoiceGroup(const QString &accessibleName, std::vector<ChoiceItem> items, QWidget *parent);
    void addButton(QAbstractButton *button, const ChoiceItem &item);
    const std::vector<ChoiceItem> &items() const { return m_items; }
    /// Text to append to the accessible description of a button.
    virtual QString remark(int id) const;

private:
    std::vector<ChoiceItem> m_items;
    QButtonGroup *m_group;
};

/// Segmented buttons, `columns` per row.
class ChoiceGrid : public ChoiceGroup {
    Q_OBJECT
public:
    ChoiceGrid(const QString &accessibleName, std::vector<ChoiceItem> items, int columns, QWidget *parent = nullptr);
};

} // namespace jetscope
