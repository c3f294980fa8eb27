// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/linkmeter.h"

#include "ui/style/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace jetscope {

namespace {

constexpr double kBitsPerByte = 8;
constexpr double kPercent = 100;

QString words(const char *text)
{
    return QCoreApplication::translate("jetscope::LinkMeter", text);
}

double costPercent(const WatchCost &cost)
{
    return std::round((cost.frameRatio - 1) * kPercent * 10) / 10 + 0.0; // The sum avoids "-0.0".
}

std::uint64_t notSentOf(const RemoteState &state, MessageClass messageClass)
{
    return state.notSent.messages[static_cast<std::size_t>(messageClass)];
}

} // namespace

QString awayText(std::chrono::milliseconds away)
{
    constexpr qint64 kMinute = 60;
    const qint64 seconds = std::chrono::duration_cast<std::chrono::seconds>(away).count();
    if (seconds < kMinute)
        return words("%1 s").arg(seconds);
    if (seconds < kMinute * kMinute)
        return words("%1 min").arg(seconds / kMinute);
    return words("%1 h %2 min").arg(seconds / kMinute / kMinute).arg(seconds / kMinute % kMinute);
}

bool LinkMeter::add(const RemoteState &state, std::int64_t nowNs)
{
    const bool isBack = m_state && state.isConnected && (!m_state->isConnected || m_state->cuts < state.cuts);
    const bool isSame = m_state && m_state->isConnected && state.isConnected && m_state->cuts == state.cuts;
    if (!isSame)
        m_megabits.reset();
    else if (nowNs > m_atNs && state.bytesRead >= m_state->bytesRead)
        m_megabits = static_cast<double>(state.bytesRead - m_state->bytesRead) * kBitsPerByte * 1e3
            / static_cast<double>(nowNs - m_atNs);
    m_state = state;
    m_atNs = nowNs;
    return isBack;
}

QString LinkMeter::text() const
{
    if (!m_state)
        return {};
    if (!m_state->isConnected)
        return words("away for %1").arg(awayText(m_state->away));
    QStringList parts;
    if (m_state->watchCost && m_state->watchCost->rounds > 0) // First: a narrow window cuts the end off.
        parts.append(words("costs %1 %").arg(costPercent(*m_state->watchCost), 0, 'f', 1));
    if (m_state->clockOffset)
        parts.append(millisText(static_cast<double>(2 * m_state->clockOffset->boundNs) / 1e6));
    if (m_megabits)
        parts.append(words("%1 Mbit/s").arg(*m_megabits, 0, 'f', 1));
    if (!m_state->givesOrders)
        parts.append(words("watching"));
    return parts.isEmpty() ? words("connected") : parts.join(QStringLiteral(" · "));
}

QString LinkMeter::cost() const
{
    if (!m_state || !m_state->watchCost)
        return {};
    const WatchCost &cost = *m_state->watchCost;
    if (cost.rounds == 0)
        return words("what watching costs is not measured yet");
    return words("watching costs %1 % (±%2)").arg(costPercent(cost), 0, 'f', 1).arg(cost.noise * kPercent, 0, 'f', 1);
}

QString LinkMeter::costDetails() const
{
    const QString board = m_board.isEmpty() ? words("the board") : m_board;
    const WatchCost &cost = *m_state->watchCost;
    if (cost.rounds == 0)
        return words("What watching costs the pipeline on %1 is not measured yet: that takes about half a minute.")
            .arg(board);
    return words("Frames on %1 take %2 times as long (±%3) as while nothing is sent, measured there by turns of half a "
                 "second, %4 of each. What is kept back in one comes after it.")
        .arg(board)
        .arg(cost.frameRatio, 0, 'f', 3)
        .arg(cost.noise, 0, 'f', 3)
        .arg(cost.rounds);
}

QString LinkMeter::details() const
{
    if (!m_state)
        return {};
    QStringList lines;
    if (!m_state->isConnected)
        lines.append(
            words("The connection was cut: %1 It is made again as soon as the board answers; the pipeline there "
                  "goes on.")
                .arg(toQString(m_state->trouble)));
    if (m_state->isConnected && !m_state->givesOrders)
        lines.append(words("Another laptop gives the orders; this one watches."));
    if (m_state->clockOffset)
        lines.append(
            words("Round trip %1; the board's clock is known within ±%2.")
                .arg(durationText(2 * m_state->clockOffset->boundNs), durationText(m_state->clockOffset->boundNs)));
    if (m_state->watchCost)
        lines.append(costDetails());
    const std::uint64_t spans = notSentOf(*m_state, MessageClass::Spans);
    const std::uint64_t figures = notSentOf(*m_state, MessageClass::Figures);
    const std::uint64_t pictures = notSentOf(*m_state, MessageClass::Pictures);
    if (spans + figures + pictures > 0)
        lines.append(words("Not sent for want of room on the link: %L1 updates of spans, %L2 of figures, %L3 pictures.")
                         .arg(spans)
                         .arg(figures)
                         .arg(pictures));
    if (m_state->cuts > 0)
        lines.append(countText(m_state->cuts, words("The connection was cut once."), words("It was cut %L1 times."))
                     + words(" The board was away for %1 the last time.").arg(awayText(m_state->away)));
    return lines.join(u'\n');
}

bool LinkMeter::isTrouble() const
{
    return m_state && (!m_state->isConnected || !m_state->givesOrders);
}

} // namespace jetscope
