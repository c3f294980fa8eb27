// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What became of the events of an imported file: for each kind, how many are shown and as what, and how many are left
/// out and why. An event is what the format counts: an element of traceEvents, a row of a table, a line of a log. Each
/// event is counted in exactly one row, so that shown + left out = read. Not thread-safe.
class ImportAccount {
public:
    struct Row {
        std::string kind;    ///< In the file's terms: "X events", "CUPTI_ACTIVITY_KIND_KERNEL".
        std::string shownAs; ///< "spans", "counters", "lane names"; empty for events that are left out.
        std::string reason;  ///< Why they are left out; empty for events that are shown.
        std::uint64_t events = 0;
    };
    using RowId = std::size_t;

    /// The row for these events, made when it is new. Look it up once per kind, not once per event.
    RowId rowShown(std::string_view kind, std::string_view shownAs);
    RowId rowLeftOut(std::string_view kind, std::string_view reason);
    void count(RowId row, std::uint64_t events = 1) { m_rows[row].events += events; }
    /// Moves events that were counted as shown: what the builder of the trace refused later.
    void move(RowId from, RowId to, std::uint64_t events = 1);

    /// How many events the reader saw, counted where the file is cut into events and not where they are used.
    void setRead(std::uint64_t events) { m_read = events; }

    std::uint64_t read() const { return m_read; }
    std::uint64_t shown() const;
    std::uint64_t leftOut() const;
    bool balances() const { return shown() + leftOut() == m_read; }
    /// Rows that have events, in the order in which they were made.
    std::vector<Row> rows() const;

private:
    RowId rowOf(std::string_view kind, std::string_view shownAs, std::string_view reason);

    std::vector<Row> m_rows;
    std::uint64_t m_read = 0;
};

/// The account in words, one line each: "events: 1204 read, 1180 shown, 24 left out", then the rows that are left out.
std::vector<std::string> accountText(const ImportAccount &account);

/// Appends a sentence with a number before it to the notes, unless the number is 0.
void addCount(std::vector<std::string> &notes, std::uint64_t number, std::string_view what);

} // namespace jetscope
