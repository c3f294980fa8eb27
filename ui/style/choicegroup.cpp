// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/choicegroup.h"

#include "ui/style/icons.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QGridLayout>
#include <QPushButton>

#include <algorithm>

namespace jetscope {

ChoiceGroup::ChoiceGroup(const SettingRow &setting, QWidget *parent)
    : QWidget(parent), m_setting(setting), m_group(new QButtonGroup(this))
{
    for (const SettingValue &value : setting.values())
        m_items.push_back(
            {static_cast<int>(m_items.size()), toQString(value.name), toQString(value.label), toQString(value.help)});
    setAccessibleName(toQString(setting.label));
    connect(m_group, &QButtonGroup::idClicked, this, &ChoiceGroup::chosen);
}

void ChoiceGroup::addButton(QAbstractButton *button, const ChoiceItem &item)
{
    button->setCheckable(true);
    button->setObjectName(item.name);
    button->setText(item.label);
    button->setAccessibleName(item.label);
    button->setFocusPolicy(Qt::StrongFocus);
    m_group->addButton(button, item.id);
    setAvailability(item.id, {});
}

void ChoiceGroup::showConfig(const PipelineConfig &config, const DeviceFacts &facts)
{
    const QString present = toQString(m_setting.text(config));
    for (const ChoiceItem &item : m_items) {
        PipelineConfig with = config;
        static_cast<void>(m_setting.set(with, item.name.toStdString())); // A value of the table.
        setAvailability(item.id, m_setting.availability(with, facts));
        if (item.name == present)
            button(item.id)->setChecked(true);
    }
    // Tab comes to the present value; arrows go on from there.
    for (QAbstractButton *each : m_group->buttons())
        each->setFocusPolicy(each->isChecked() || !m_group->checkedButton() ? Qt::StrongFocus : Qt::ClickFocus);
}

QAbstractButton *ChoiceGroup::button(int id) const
{
    return m_group->button(id);
}

QString ChoiceGroup::explanation(const QString &help, const Availability &availability)
{
    switch (availability.level) {
    case Availability::Level::Legal:
        return help;
    case Availability::Level::Unsafe:
        return tr("%1\nUnsafe: %2").arg(help, toQString(availability.reason));
    case Availability::Level::Unavailable:
        return tr("Not available: %1").arg(toQString(availability.reason));
    }
    return help;
}

QString ChoiceGroup::remark(int) const
{
    return {};
}

void ChoiceGroup::setAvailability(int id, const Availability &availability)
{
    QAbstractButton *wanted = m_group->button(id);
    const auto item = std::find_if(m_items.begin(), m_items.end(), [id](const ChoiceItem &i) { return i.id == id; });
    if (!wanted || item == m_items.end())
        return;
    const bool unsafe = availability.level == Availability::Level::Unsafe;
    const QString text = explanation(item->help, availability);
    const QString extra = remark(id);
    wanted->setEnabled(!availability.unavailable());
    wanted->setText(unsafe ? tr("%1 (unsafe)").arg(item->label) : item->label);
    wanted->setAccessibleName(wanted->text());
    wanted->setIcon(unsafe ? glyphIcon(Glyph::Warning) : QIcon());
    wanted->setToolTip(QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"))));
    wanted->setAccessibleDescription(extra.isEmpty() ? text : extra + QStringLiteral(". ") + text);
}

ChoiceGrid::ChoiceGrid(const SettingRow &setting, int columns, QWidget *parent) : ChoiceGroup(setting, parent)
{
    auto *grid = makeInnerLayout<QGridLayout>(this, 1);
    int place = 0;
    for (const ChoiceItem &item : this->items()) {
        auto *segment = new QPushButton(this);
        segment->setProperty("segment", true);
        addButton(segment, item);
        grid->addWidget(segment, place / columns, place % columns);
        grid->setColumnStretch(place % columns, 1);
        ++place;
    }
}

} // namespace jetscope
