// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/database.h"
#include "core/tracefile/tracefilequery.h"

#include <string>
#include <string_view>

namespace jetscope {

/// The answer of a query as text, a piece at a time: head, rows, tail. What is returned is valid until the next call.
/// The statement outlives it. One thread.
class QueryText {
public:
    QueryText(RowFormat format, const Statement &statement) : m_format(format), m_statement(statement) {}

    std::string_view head();
    /// The row that the statement stands on.
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
