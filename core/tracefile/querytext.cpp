// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/querytext.h"

#include "core/text/jsontext.h"
#include "core/text/utf8.h"

#include <sqlite3.h>

#include <cmath>
#include <span>

namespace jetscope {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

void appendByte(std::string &to, char c)
{
    const auto byte = static_cast<unsigned char>(c);
    to += kDigits[byte >> 4U];
    to += kDigits[byte & 0xfU];
}

void appendControl(std::string &to, std::string_view character)
{
    if (character == "\t")
        to += "\\t";
    else if (character == "\n")
        to += "\\n";
    else if (character == "\r")
        to += "\\r";
    else if (character.size() == 1)
        appendByte(to.append("\\x"), character.back());
    else {
        const std::uint32_t number = codePointOf(character);
        appendByte(to.append("\\u"), static_cast<char>(number >> 8U));
        appendByte(to, static_cast<char>(number));
    }
}

/// Escapes everything but printable characters, for terminals.
void appendEscaped(std::string &to, std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        const std::string_view character = text.substr(0, length);
        if (length == 0)
            appendByte(to.append("\\x"), text.front());
        else if (isControl(character))
            appendControl(to, character);
        else if (character == "\\")
            to += "\\\\";
        else
            to += character;
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

void appendHex(std::string &to, std::span<const std::byte> blob)
{
    to += "x'";
    for (const std::byte byte : blob)
        appendByte(to, static_cast<char>(byte));
    to += '\'';
}

void appendJson(std::string &to, const Statement &row, int column)
{
    switch (sqlite3_column_type(row.handle(), column)) {
    case SQLITE_INTEGER:
        appendNumber(to, row.integer(column));
        return;
    case SQLITE_FLOAT:
        if (std::isfinite(row.real(column)))
            appendNumber(to, row.real(column));
        else
            to += "null";
        return;
    case SQLITE_TEXT:
        appendJsonText(to, row.text(column));
        return;
    case SQLITE_BLOB:
        to += '"';
        appendHex(to, row.blob(column));
        to += '"';
        return;
    default:
        to += "null";
    }
}

} // namespace

std::string_view QueryText::head()
{
    m_text.clear();
    if (m_format == RowFormat::Lines)
        return m_text;
    m_text = "{\"columns\":[";
    for (int column = 0; column < m_statement.columns(); ++column) {
        const char *name = sqlite3_column_name(m_statement.handle(), column);
        m_text += column > 0 ? "," : "";
        appendJsonText(m_text, name ? name : "");
    }
    m_text += "],\"rows\":[";
    return m_text;
}

std::string_view QueryText::row()
{
    m_text.clear();
    m_format == RowFormat::Lines ? addLine() : addArray();
    m_first = false;
    return m_text;
}

void QueryText::addLine()
{
    for (int column = 0; column < m_statement.columns(); ++column) {
        m_text += column > 0 ? "\t" : "";
        if (sqlite3_column_type(m_statement.handle(), column) == SQLITE_BLOB)
            appendHex(m_text, m_statement.blob(column));
        else
            appendEscaped(m_text, m_statement.text(column));
    }
    m_text += '\n';
}

void QueryText::addArray()
{
    m_text += m_first ? "[" : ",\n[";
    for (int column = 0; column < m_statement.columns(); ++column) {
        m_text += column > 0 ? "," : "";
        appendJson(m_text, m_statement, column);
    }
    m_text += ']';
}

std::string_view QueryText::tail(bool complete)
{
    m_text.clear();
    if (m_format == RowFormat::Json)
        m_text = complete ? "],\"complete\":true}\n" : "],\"complete\":false}\n";
    return m_text;
}

} // namespace jetscope
