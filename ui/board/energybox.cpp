// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/energybox.h"

#include "core/board/boardevents.h"
#include "ui/style/style.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kEnergyMargin = 10;
constexpr int kEnergyBar = 20;
constexpr double kJoulesPerWattHour = 3600;

QString wattHours(double joules)
{
    return QString::number(joules / kJoulesPerWattHour, 'g', 3);
}

QColor readableOn(const QColor &fill)
{
    return fill.lightness() > 140 ? QColor(Qt::black) : QColor(Qt::white);
}

} // namespace

EnergyBox::EnergyBox(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("boardEnergy"));
    setAccessibleName(tr("Energy"));
    setAccessibleRole(this, QAccessible::StaticText);
}

QSize EnergyBox::sizeHint() const
{
    return {260, 2 * kEnergyMargin + kEnergyBar + line() * 4};
}

void EnergyBox::show(double joules, std::vector<Part> rails, std::vector<Line> lines)
{
    m_joules = joules;
    m_rails = std::move(rails);
    m_lines = std::move(lines);
    m_reason.clear();
    QStringList words = {tr("%1 = %2 Wh").arg(toQString(energyWords(joules)), wattHours(joules))};
    for (const Part &part : m_rails)
        words += part.name + QStringLiteral(": ") + toQString(energyWords(part.joules));
    for (const Line &each : m_lines)
        words += each.name + QStringLiteral(": ") + toQString(energyWords(each.joules));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    setToolTip(words.join(u'\n'));
    update();
}

void EnergyBox::showReason(const QString &reason)
{
    m_reason = reason;
    m_rails.clear();
    m_lines.clear();
    setAccessibleDescription(reason);
    setToolTip(reason);
    update();
}

void EnergyBox::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRect area = rect().adjusted(kEnergyMargin, kEnergyMargin / 2, -kEnergyMargin, -kEnergyMargin / 2);
    painter.fillRect(0, 0, 1, height(), theme().border);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme().text);
    painter.drawText(QRect(area.left(), area.top(), area.width(), line()), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Energy"));
    painter.setFont(font());
    if (!m_reason.isEmpty()) {
        painter.setPen(theme().muted);
        painter.drawText(area.adjusted(0, line(), 0, 0), Qt::TextWordWrap, m_reason);
        return;
    }
    painter.drawText(QRect(area.left(), area.top(), area.width(), line()), Qt::AlignRight | Qt::AlignVCenter,
                     tr("%1 = %2 Wh = 100 %").arg(toQString(energyWords(m_joules)), wattHours(m_joules)));
    int y = area.top() + line() + 2;
    double before = 0;
    double whole = 0;
    for (const Part &part : m_rails)
        whole += std::max(part.joules, 0.0);
    for (const Part &part : m_rails) {
        const int from = static_cast<int>(std::lround(before / std::max(whole, 1e-9) * area.width()));
        before += std::max(part.joules, 0.0);
        const int to = static_cast<int>(std::lround(before / std::max(whole, 1e-9) * area.width()));
        const QRect place(area.left() + from, y, std::max(0, to - from - 1), kEnergyBar);
        painter.fillRect(place, part.color);
        painter.setPen(readableOn(part.color));
        const QString words = part.name + u' ' + toQString(energyWords(part.joules));
        painter.drawText(place.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(words, Qt::ElideRight, std::max(0, place.width() - 6)));
    }
    y += kEnergyBar + 4;
    for (const Line &each : m_lines) {
        if (y + line() > height())
            break;
        const QRect place(area.left(), y, area.width(), line());
        painter.setPen(theme().muted);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, each.name);
        painter.setPen(theme().text);
        painter.drawText(place.adjusted(0, 0, -60, 0), Qt::AlignRight | Qt::AlignVCenter,
                         toQString(energyWords(each.joules)));
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter,
                         percentText(m_joules > 0 ? each.joules / m_joules : 0));
        y += line();
    }
}

} // namespace jetscope
