// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/arrowchoice.h"

#include "ui/style/text.h"

#include <QActionGroup>

#include <array>

namespace jetscope {

QString ArrowChoice::toText() const
{
    return kind == Kind::Off     ? QStringLiteral("off")
        : kind == Kind::Selected ? QStringLiteral("selected")
                                 : QString::number(atLeastNs);
}

ArrowChoice ArrowChoice::fromText(const QString &text)
{
    bool isNumber = false;
    const qlonglong ns = text.toLongLong(&isNumber);
    if (isNumber && ns > 0)
        return {Kind::All, ns};
    return {text == QStringLiteral("off") ? Kind::Off : Kind::Selected};
}

ArrowMenu::ArrowMenu(QWidget *parent) : QMenu(tr("Arrows"), parent), m_group(new QActionGroup(this))
{
    setToolTipsVisible(true);
    add(tr("None"), {ArrowChoice::Kind::Off});
    add(tr("Of the selected span"), {ArrowChoice::Kind::Selected});
    static constexpr std::array<std::int64_t, 6> kDurations = {10'000,    100'000,   500'000,
                                                               1'000'000, 5'000'000, 20'000'000};
    for (const std::int64_t ns : kDurations)
        add(tr("To all that take %1 or more").arg(durationText(ns)), {ArrowChoice::Kind::All, ns});
}

void ArrowMenu::add(const QString &text, const ArrowChoice &choice)
{
    QAction *action = addAction(text, this, [this, choice] { emit chosen(choice); });
    action->setObjectName(choice.toText());
    action->setCheckable(true);
    action->setToolTip(tr("From a launch to its kernel or copy, and from there to the wait that it ended"));
    m_group->addAction(action);
}

void ArrowMenu::setCurrent(const ArrowChoice &choice)
{
    for (QAction *action : m_group->actions())
        action->setChecked(action->objectName() == choice.toText());
}

} // namespace jetscope
