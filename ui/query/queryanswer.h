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

/// What a query found, as far as there is room for it.
struct QueryAnswer {
    static constexpr std::size_t kMostRows = 100'000;
    static constexpr std::size_t kMostBytes = 64 << 20; ///< Of the rows as text.

    QStringList columns;
    /// Whole numbers, numbers, texts, or null; as many as there are columns.
    std::vector<std::vector<QVariant>> rows;
    bool isCut = false; ///< There is more than there is room for.
    bool isCancelled = false;
    QString error; ///< One sentence; empty when all is well.
    std::int64_t tookNs = 0;

    int columnOf(const char *name) const { return static_cast<int>(columns.indexOf(QLatin1String(name))); }
};

/// Takes an answer as `queryTraceFile` hands it out in RowFormat::Json, piece by piece.
class QueryAnswerReader {
public:
    explicit QueryAnswerReader(QueryAnswer &answer) : m_answer(answer) {}
    /// False when there is no more room.
    bool take(std::string_view piece);

private:
    QueryAnswer &m_answer;
    std::size_t m_bytes = 0;
    bool m_hasHead = false;
};

/// What a row of an answer is about, by the names of its columns.
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
