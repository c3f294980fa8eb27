// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/settingtable.h"

#include <QWidget>

#include <vector>

class QAbstractButton;
class QButtonGroup;

namespace jetscope {

/// One value of a setting, as shown by a widget.
struct ChoiceItem {
    int id = 0;   ///< Its place among the values.
    QString name; ///< Value on the command line; object name of the button.
    QString label;
    QString help;
};

/// Exclusive buttons; arrow keys move between them. Unavailable values are disabled with the reason; unsafe ones are
/// marked with a sign and a word. Only choices of the user emit `chosen`.
class ChoiceGroup : public QWidget {
    Q_OBJECT
public:
    const SettingRow &setting() const { return m_setting; }
    const std::vector<ChoiceItem> &items() const { return m_items; }
    /// Shows the value of a configuration, and which others are available beside its other settings.
    void showConfig(const PipelineConfig &config, const DeviceFacts &facts);
    void setAvailability(int id, const Availability &availability);
    QAbstractButton *button(int id) const;

    /// Tooltip made of help text and availability, for other widgets with choices.
    static QString explanation(const QString &help, const Availability &availability);

signals:
    void chosen(int id);

protected:
    ChoiceGroup(const SettingRow &setting, QWidget *parent);
    void addButton(QAbstractButton *button, const ChoiceItem &item);
    /// Text to append to the accessible description of a button.
    virtual QString remark(int id) const;

private:
    const SettingRow &m_setting;
    std::vector<ChoiceItem> m_items;
    QButtonGroup *m_group;
};

/// Segmented buttons, `columns` per row.
class ChoiceGrid : public ChoiceGroup {
    Q_OBJECT
public:
    ChoiceGrid(const SettingRow &setting, int columns, QWidget *parent = nullptr);
};

} // namespace jetscope
