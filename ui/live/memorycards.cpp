// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/memorycards.h"

#include "core/platform/memorytable.h"
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

MemoryCards::MemoryCards(QWidget *parent) : ChoiceGroup(*settingRow("memory"), parent)
{
    auto *column = makeInnerLayout<QVBoxLayout>(this, 3);
    for (const ChoiceItem &item : items()) {
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
        column->addWidget(card);
    }
    setFacts({});
}

void MemoryCards::setFacts(const DeviceFacts &facts)
{
    for (const auto &[id, badges] : m_badges) {
        const MemoryCaching caches = documentedCaching(static_cast<MemoryKind>(id), facts);
        badges.cpu->setText(caches.cpu ? tr("CPU cached") : tr("CPU uncached"));
        badges.gpu->setText(caches.gpu ? tr("GPU cached") : tr("GPU uncached"));
        setStyleKind(badges.cpu, "badge", caches.cpu ? "good" : "warn");
        setStyleKind(badges.gpu, "badge", caches.gpu ? "good" : "warn");
    }
    m_isKnown = !facts.id.empty();
    fitBadges();
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
