// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/memorycards.h"

#include "core/platform/memorytable.h"
#include "core/settings/memorykinds.h"
#include "ui/style/layouts.h"
#include "ui/style/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace jetscope {

namespace {

constexpr int kCardMargin = 10;
constexpr int kBadgeSpacing = 4;

} // namespace

MemoryCards::MemoryCards(QWidget *parent) : ChoiceGroup(*settingRow("memory"), parent), m_others(new QPushButton(this))
{
    auto *column = makeInnerLayout<QVBoxLayout>(this, 3);
    for (const ChoiceItem &item : items())
        column->addWidget(makeCard(item));
    m_others->setObjectName(QStringLiteral("otherMemory"));
    m_others->setProperty("flat", true);
    m_others->setCheckable(true);
    m_others->setToolTip(tr("Each of them says why the device does not have it."));
    column->addWidget(m_others, 0, Qt::AlignLeft);
    connect(m_others, &QPushButton::toggled, this, &MemoryCards::showCards);
    for (const ChoiceItem &item : items())
        connect(button(item.id), &QPushButton::toggled, this, &MemoryCards::showCards);
    setFacts({});
}

QPushButton *MemoryCards::makeCard(const ChoiceItem &item)
{
    auto *card = new QPushButton(this);
    card->setProperty("card", true);
    auto *row = new QHBoxLayout(card);
    row->setContentsMargins(kCardMargin, 0, kCardMargin, 0);
    row->setSpacing(kBadgeSpacing);
    row->addStretch();
    Badges badges{new QLabel(card), new QLabel(card)};
    for (QLabel *badge : {badges.cpu, badges.gpu}) {
        badge->setAttribute(Qt::WA_TransparentForMouseEvents);
        QSizePolicy policy = badge->sizePolicy();
        policy.setRetainSizeWhenHidden(true); // Or else the width would depend on what is hidden for want of it.
        badge->setSizePolicy(policy);
        row->addWidget(badge, 0, Qt::AlignVCenter);
    }
    m_badges[item.id] = badges;
    addButton(card, item);
    return card;
}

void MemoryCards::setFacts(const DeviceFacts &facts)
{
    m_isKnown = !facts.id.empty();
    if (m_isKnown)
        m_lacking.clear();
    for (const auto &[id, badges] : m_badges) {
        const auto kind = static_cast<MemoryKind>(id);
        const MemoryCaching caches = documentedCaching(kind, facts);
        badges.cpu->setText(caches.cpu ? tr("CPU cached") : tr("CPU uncached"));
        badges.gpu->setText(caches.gpu ? tr("GPU cached") : tr("GPU uncached"));
        setStyleKind(badges.cpu, "badge", caches.cpu ? "good" : "warn");
        setStyleKind(badges.gpu, "badge", caches.gpu ? "good" : "warn");
        const Capability DeviceFacts::*needs = memoryKind(kind).needs;
        if (m_isKnown && needs && !(facts.*needs).available)
            m_lacking.insert(id);
    }
    showCards();
    fitBadges();
}

void MemoryCards::showCards()
{
    int hidden = 0;
    for (const auto &[id, badges] : m_badges) {
        const bool isShown = m_others->isChecked() || !m_lacking.contains(id) || button(id)->isChecked();
        button(id)->setVisible(isShown);
        hidden += isShown ? 0 : 1;
    }
    m_others->setVisible(!m_lacking.empty());
    m_others->setText(m_others->isChecked() ? tr("Hide what this device lacks")
                                            : tr("%n more that this device lacks…", nullptr, hidden));
}

void MemoryCards::resizeEvent(QResizeEvent *event)
{
    ChoiceGroup::resizeEvent(event);
    fitBadges();
}

/// Badges are hidden while the device is unknown, and where they would cover the name.
void MemoryCards::fitBadges()
{
    for (const auto &[id, badges] : m_badges) {
        const auto *card = static_cast<const QPushButton *>(badges.cpu->parentWidget());
        const int icon = card->icon().isNull() ? 0 : card->iconSize().width() + kBadgeSpacing;
        const int wanted = 2 * kCardMargin + icon + card->fontMetrics().horizontalAdvance(card->text())
            + 3 * kBadgeSpacing + badges.cpu->sizeHint().width() + badges.gpu->sizeHint().width();
        for (QLabel *badge : {badges.cpu, badges.gpu})
            badge->setVisible(m_isKnown && wanted <= card->width());
    }
}

QString MemoryCards::remark(int id) const
{
    const auto badges = m_badges.find(id);
    return badges == m_badges.end() ? QString()
                                    : badges->second.cpu->text() + QStringLiteral(", ") + badges->second.gpu->text();
}

} // namespace jetscope
