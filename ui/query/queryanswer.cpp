// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/query/queryanswer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <limits>

namespace jetscope {

namespace {

/// Keeps integers as integers: times have more digits than a double can hold.
QVariant valueOf(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::Double: {
        const QVariant number = value.toVariant();
        return number.typeId() == QMetaType::Double ? number : QVariant(number.toLongLong());
    }
    case QJsonValue::Bool:
    case QJsonValue::String:
        return value.toVariant();
    default:
        return {};
    }
}

std::optional<std::int64_t> wholeNumber(const QueryAnswer &answer, std::size_t row, const char *column)
{
    const int place = answer.columnOf(column);
    if (place < 0)
        return std::nullopt;
    const QVariant &value = answer.rows[row][static_cast<std::size_t>(place)];
    return value.typeId() == QMetaType::LongLong ? std::optional<std::int64_t>(value.toLongLong()) : std::nullopt;
}

QString textAt(const QueryAnswer &answer, std::size_t row, const char *column)
{
    const int place = answer.columnOf(column);
    return place < 0 ? QString() : answer.rows[row][static_cast<std::size_t>(place)].toString();
}

} // namespace

bool QueryAnswerReader::take(std::string_view piece)
{
    if (!m_hasHead) {
        m_hasHead = true;
        const QByteArray whole = QByteArray(piece.data(), static_cast<qsizetype>(piece.size())) + "]}";
        for (const QJsonValue &name :
             QJsonDocument::fromJson(whole).object().value(QStringLiteral("columns")).toArray())
            m_answer.columns.append(name.toString());
        return true;
    }
    const std::size_t begin = piece.find('[');
    if (begin == std::string_view::npos || piece.front() == ']')
        return true; // End of the rows.
    if (m_answer.rows.size() == QueryAnswer::kMaxRows || m_bytes + piece.size() > QueryAnswer::kMaxBytes) {
        m_answer.isCut = true;
        return false;
    }
    m_bytes += piece.size();
    piece.remove_prefix(begin);
    const QByteArray text(piece.data(), static_cast<qsizetype>(piece.size()));
    std::vector<QVariant> row;
    for (const QJsonValue &value : QJsonDocument::fromJson(text).array())
        row.push_back(valueOf(value));
    row.resize(static_cast<std::size_t>(m_answer.columns.size()));
    m_answer.rows.push_back(std::move(row));
    return true;
}

QueryTarget targetOf(const QueryAnswer &answer, std::size_t row)
{
    QueryTarget target;
    if (row >= answer.rows.size())
        return target;
    target.startNs = wholeNumber(answer, row, "start_ns");
    if (!target.startNs)
        target.startNs = wholeNumber(answer, row, "time_ns");
    target.durationNs = std::max<std::int64_t>(0, wholeNumber(answer, row, "duration_ns").value_or(0));
    const auto frame = wholeNumber(answer, row, "frame");
    if (frame && *frame >= 0 && *frame <= std::numeric_limits<std::uint32_t>::max())
        target.frame = static_cast<std::uint32_t>(*frame);
    target.lane = textAt(answer, row, "lane");
    target.name = textAt(answer, row, "name");
    return target;
}

} // namespace jetscope
