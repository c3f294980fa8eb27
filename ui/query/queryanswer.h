// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jetscope {

/// Result of a query, cut at kMaxRows or kMaxBytes.
struct QueryAnswer {
    static constexpr std::size_t kMaxRows = 100'000;
    static constexpr std::size_t kMaxBytes = 64 << 20; ///< Bytes of the rows as text.

    QStringList columns;
    /// Integers, numbers, texts or null; one value per column.
    std::vector<std::vector<QVariant>> rows;
    bool isCut = false; ///< The result had more rows.
    bool isCancelled = false;
    QString error; ///< One sentence; empty on success.
    std::int64_t tookNs = 0;

    int columnOf(const char *name) const { return static_cast<int>(columns.indexOf(QLatin1String(name))); }
};

/// Parses the output of `queryTraceFile` in RowFormat::Json, piece by piece.
class QueryAnswerReader {
public:
    explicit QueryAnswerReader(QueryAnswer &answer) : m_answer(answer) {}
    /// False when the limits are reached.
    bool take(std::string_view piece);

private:
    QueryAnswer &m_answer;
    std::size_t m_bytes = 0;
    bool m_hasHead = false;
};

/// What a result row refers to, taken from columns by name.
struct QueryTarget {
    std::optional<std::int64_t> startNs; ///< start_ns, time_ns
    std::int64_t durationNs = 0;
    std::optional<std::uint32_t> frame;
    QString lane;
    QString name;

    bool isEmpty() const { return !startNs && !frame; }
};
QueryTarget targetOf(const QueryAnswer &answer, std::size_t row);

} // namespace jetscope
