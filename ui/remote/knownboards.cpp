// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/knownboards.h"

#include "ui/session/settings.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace jetscope {

namespace {

constexpr const char *kBoardsKey = "remote/boards";
constexpr qsizetype kMostBoards = 20;

} // namespace

KnownBoards::KnownBoards(Settings &settings) : m_settings(settings)
{
    const QJsonArray rows = QJsonDocument::fromJson(m_settings.bytes(kBoardsKey)).array();
    for (const QJsonValue &row : rows) {
        const QString address = row["address"].toString();
        if (!address.isEmpty() && m_boards.size() < kMostBoards)
            m_boards.append(
                {address, row["about"].toString(), QDateTime::fromString(row["used"].toString(), Qt::ISODate)});
    }
}

void KnownBoards::addUsed(const KnownBoard &board)
{
    m_boards.removeIf([&](const KnownBoard &each) { return each.address == board.address; });
    m_boards.prepend(board);
    m_boards.resize(std::min(m_boards.size(), kMostBoards));
    save();
}

void KnownBoards::forget(const QString &address)
{
    m_boards.removeIf([&](const KnownBoard &each) { return each.address == address; });
    save();
}

void KnownBoards::save()
{
    QJsonArray rows;
    for (const KnownBoard &each : m_boards)
        rows.append(QJsonObject{
            {"address", each.address}, {"about", each.about}, {"used", each.lastUsed.toString(Qt::ISODate)}});
    m_settings.save(kBoardsKey, QJsonDocument(rows).toJson(QJsonDocument::Compact));
}

} // namespace jetscope
