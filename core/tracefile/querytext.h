// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/database.h"
#include "core/tracefile/tracefilequery.h"

#include <string>
#include <string_view>

namespace jetscope {

/// The result of a query as text in pieces: head, rows, tail. Each returned piece is valid until the next call. The
/// statement must outlive this object. Not thread-safe.
class QueryText {
public:
    QueryText(RowFormat format, const Statement &statement) : m_format(format), m_statement(statement) {}

    std::string_view head();
    /// The current row of the statement.
    std::string_view row();
    std::string_view tail(bool complete);

private:
    void addLine();
    void addArray();

    const RowFormat m_format;
    const Statement &m_statement;
    std::string m_text;
    bool m_first = true;
};

} // namespace jetscope
