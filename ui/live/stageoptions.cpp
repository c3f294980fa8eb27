// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/stageoptions.h"

#include "gpu/stages/stageoptions.h"
#include "ui/style/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>

namespace jetscope {

namespace {

constexpr double kPagesOfRange = 100; ///< Steps of a box whose option takes any number.

QString boxName(const FilterOption &option)
{
    return QStringLiteral("option-") + toQString(option.name);
}

/// The other options decide which words a stage can take.
void showWords(QComboBox &box, const FilterOption &option)
{
    box.setCurrentIndex(static_cast<int>(option.value));
    const auto *const items = qobject_cast<QStandardItemModel *>(box.model());
    for (std::size_t i = 0; i < option.choices.size(); ++i) {
        QStandardItem *const item = items->item(static_cast<int>(i));
        const Capability &capability = option.choices[i].capability;
        item->setEnabled(capability.available);
        item->setToolTip(toQString(capability.reason));
        item->setAccessibleDescription(item->toolTip());
    }
}

std::string_view withoutOptions(const std::string &name)
{
    return std::string_view(name).substr(0, name.find('?'));
}

} // namespace

StageOptions::StageOptions(QWidget *parent) : QWidget(parent), m_rows(new QFormLayout(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setVerticalSpacing(4);
    setVisible(false);
}

bool StageOptions::isShown(const FilterRow &row) const
{
    return withoutOptions(m_row.name) == withoutOptions(row.name)
        && std::equal(m_row.options.begin(), m_row.options.end(), row.options.begin(), row.options.end(),
                      [](const FilterOption &a, const FilterOption &b) {
                          return a.name == b.name && a.least == b.least && a.most == b.most && a.step == b.step
                              && std::equal(a.choices.begin(), a.choices.end(), b.choices.begin(), b.choices.end(),
                                            [](const auto &one, const auto &other) { return one.name == other.name; });
                      });
}

void StageOptions::show(std::optional<Filter> filter)
{
    const FilterRow *const found = filter ? filterRow(*filter) : nullptr;
    const FilterRow row = found ? *found : FilterRow();
    const bool kept = isShown(row);
    m_row = row;
    if (!kept) {
        while (m_rows->rowCount() > 0)
            m_rows->removeRow(0);
        for (std::size_t i = 0; i < row.options.size(); ++i) {
            QWidget *const box = makeBox(i);
            auto *label = new QLabel(toQString(row.options[i].name));
            label->setBuddy(box);
            label->setToolTip(box->toolTip());
            m_rows->addRow(label, box);
        }
    }
    setValues();
    setVisible(!row.options.empty());
}

QWidget *StageOptions::makeBox(std::size_t option)
{
    const FilterOption &row = m_row.options[option];
    QWidget *const box = row.choices.empty() ? makeNumberBox(option) : makeWordBox(option);
    box->setObjectName(boxName(row));
    box->setAccessibleName(tr("%1 of %2").arg(toQString(row.name), toQString(m_row.label)));
    box->setAccessibleDescription(box->toolTip());
    return box;
}

QWidget *StageOptions::makeWordBox(std::size_t option)
{
    const FilterOption &row = m_row.options[option];
    auto *box = new QComboBox;
    for (const OptionChoice &choice : row.choices)
        box->addItem(toQString(choice.name));
    box->setToolTip(tr("%1 Usually %2.").arg(toQString(row.help), box->itemText(static_cast<int>(row.usual))));
    connect(box, &QComboBox::activated, this, [this, option](int place) { want(option, place); });
    return box;
}

QWidget *StageOptions::makeNumberBox(std::size_t option)
{
    const FilterOption &row = m_row.options[option];
    auto *box = new QDoubleSpinBox;
    box->setDecimals(decimalsOf(row));
    box->setRange(row.least, row.most);
    box->setSingleStep(row.step > 0 ? row.step : (row.most - row.least) / kPagesOfRange);
    box->setKeyboardTracking(false); // A number is wanted when it is complete.
    box->setSpecialValueText(toQString(row.leastMeans));
    const bool isMeaning = row.usual == row.least && !row.leastMeans.empty();
    box->setToolTip(tr("%1 From %2 to %3, usually %4.")
                        .arg(toQString(row.help), box->textFromValue(row.least), box->textFromValue(row.most),
                             isMeaning ? toQString(row.leastMeans) : box->textFromValue(row.usual)));
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, option](double value) { want(option, value); });
    return box;
}

void StageOptions::setValues()
{
    for (const FilterOption &option : m_row.options) {
        if (auto *const words = findChild<QComboBox *>(boxName(option))) {
            showWords(*words, option);
            continue;
        }
        auto *box = findChild<QDoubleSpinBox *>(boxName(option));
        const QSignalBlocker quiet(box);
        box->setValue(option.value);
    }
}

/// Values that were set one soon after another belong to one wish: the row has all of them.
void StageOptions::want(std::size_t option, double value)
{
    const std::string name = stageNameWith(m_row, option, value);
    m_row.options[option].value = value;
    m_row.name = name;
    emit wanted(name);
}

} // namespace jetscope
