// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/tracefilequery.h"

#include "core/progress.h"
#include "core/system/database.h"
#include "core/text/jsontext.h"
#include "core/text/utf8.h"
#include "core/tracefile/queryfunctions.h"
#include "core/tracefile/tracefile.h"
#include "core/tracefile/tracefileschema.h"

#include <cmath>
#include <span>
#include <sqlite3.h>

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

/// The result of a query as text in pieces: head, rows, tail. Each returned piece is valid until the next call. The
/// statement must outlive this object. Not thread-safe.
class QueryText {
public:
    QueryText(RowFormat format, const Statement &statement) : m_format(format), m_statement(statement) {}

    std::string_view head()
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

    /// The current row of the statement.
    std::string_view row()
    {
        m_text.clear();
        m_format == RowFormat::Lines ? addLine() : addArray();
        m_first = false;
        return m_text;
    }

    std::string_view tail(bool complete)
    {
        m_text.clear();
        if (m_format == RowFormat::Json)
            m_text = complete ? "],\"complete\":true}\n" : "],\"complete\":false}\n";
        return m_text;
    }

private:
    void addLine()
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

    void addArray()
    {
        m_text += m_first ? "[" : ",\n[";
        for (int column = 0; column < m_statement.columns(); ++column) {
            m_text += column > 0 ? "," : "";
            appendJson(m_text, m_statement, column);
        }
        m_text += ']';
    }

    const RowFormat m_format;
    const Statement &m_statement;
    std::string m_text;
    bool m_first = true;
};

using namespace std::string_view_literals;

constexpr int kStepsBetweenLooks = 10'000;
constexpr std::size_t kBytesBetweenLooks = 1 << 16; ///< Large values need few SQLite steps, so bytes are counted, too.
// A row is in memory as a whole. These limits apply per connection; SQLite's memory limit would apply to the whole
// process and could abort a concurrent recording.
constexpr int kMaxAnswerBytes = 8 << 20;
constexpr int kMaxColumns = 64;
constexpr int kMaxPatternBytes = 1000; ///< For LIKE and GLOB, whose time grows extremely with the pattern's length.

void limit(sqlite3 *handle)
{
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMaxAnswerBytes);
    sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, kMaxColumns);
    sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kMaxPatternBytes);
}

int authorise(void *, int action, const char *first, const char *second, const char *, const char *)
{
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION: // fts3_tokenizer exposes and accepts addresses of the program; json_patch cannot be
                          // interrupted.
        return second && (second == "load_extension"sv || second == "fts3_tokenizer"sv || second == "json_patch"sv)
            ? SQLITE_DENY
            : SQLITE_OK;
    case SQLITE_UPDATE: // Needed to declare the tables of pragma_table_info and json_each. The file itself is opened
                        // read-only.
        return first && (first == "sqlite_master"sv || first == "sqlite_schema"sv) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA: // table_info and similar, also as pragma_table_info('spans').
        return std::string_view(first ? first : "").starts_with("table_") ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

int isOver(void *goOn)
{
    return (*static_cast<const std::function<bool()> *>(goOn))() ? 0 : 1;
}

/// Error for invalid SQL: SQLite's message in one line.
Error refused(sqlite3 *handle)
{
    switch (sqlite3_errcode(handle)) {
    case SQLITE_AUTH:
        return sentence("a query only reads: give one SELECT");
    case SQLITE_TOOBIG:
        return sentence("the query makes a value of more than " + std::to_string(kMaxAnswerBytes >> 20)
                        + " MiB: take a part of it, as substr does");
    case SQLITE_NOMEM:
        return sentence("there is not enough memory for the query: ask for fewer or smaller values at a time");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return sentence("the capture is damaged or cut short: take another copy of it");
    default:
        break;
    }
    std::string text = std::string("the query failed: ") + sqlite3_errmsg(handle);
    for (char &c : text)
        c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    constexpr std::size_t kMaxErrorBytes = 300;
    if (text.size() > kMaxErrorBytes)
        text = text.substr(0, kMaxErrorBytes) + "…";
    const bool isOfNames = text.find("no such ") != std::string::npos || text.find("syntax") != std::string::npos;
    return sentence(text + (isOfNames ? "; the tables are " + std::string(kTraceFileTableNames) : ""));
}

/// Views that captures of before lack, for this connection alone: the file is not written.
Status addLaterViews(Database &database)
{
    JETSCOPE_TRY_ASSIGN(
        Statement found,
        database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = 'counter_intervals'"));
    const bool has = found.next();
    JETSCOPE_TRY(found.status());
    return has ? Status() : database.run(counterIntervalsView("temp"));
}

/// Rejects a second statement, which would otherwise be ignored silently.
Status checkAlone(const Database &database, const std::string &sql)
{
    sqlite3_stmt *statement = nullptr;
    const char *rest = nullptr;
    const int code =
        sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()) + 1, &statement, &rest);
    const bool isThere = statement != nullptr;
    sqlite3_finalize(statement);
    if (code != SQLITE_OK)
        return refused(database.handle());
    if (!isThere)
        return sentence("there is no statement: give one SELECT");
    // Blanks, semicolons and comments behind it are no statement.
    for (const char *next = rest; *next != '\0'; next = rest) {
        sqlite3_stmt *second = nullptr;
        const int found = sqlite3_prepare_v2(database.handle(), next, -1, &second, &rest);
        const bool isStatement = second != nullptr || found != SQLITE_OK;
        sqlite3_finalize(second);
        if (isStatement || rest == next)
            return isStatement ? Status(sentence("there is more than one statement: give one SELECT")) : Status();
    }
    return {};
}

} // namespace

Status queryTraceFile(const std::string &path, const std::string &sql, RowFormat format,
                      const std::function<bool(std::string_view)> &take, const std::function<bool()> &goOn)
{
    JETSCOPE_TRY_ASSIGN(TraceFile file, TraceFile::open(path));
    Database &database = file.database();
    JETSCOPE_TRY(addLaterViews(database));
    limit(database.handle());
    replaceSlowFunctions(database.handle(), goOn);
    sqlite3_set_authorizer(database.handle(), authorise, nullptr);
    sqlite3_progress_handler(database.handle(), kStepsBetweenLooks, isOver,
                             const_cast<void *>(static_cast<const void *>(&goOn)));
    JETSCOPE_TRY(checkAlone(database, sql));
    JETSCOPE_TRY_ASSIGN(Statement query, database.prepare(sql));
    QueryText text(format, query);
    bool wanted = take(text.head());
    bool cancelled = false;
    std::size_t unseen = 0; // Bytes since the last call of goOn.
    while (wanted && !cancelled && query.next()) {
        const std::string_view row = text.row();
        wanted = take(row);
        unseen += row.size();
        cancelled = unseen >= kBytesBetweenLooks && !goOn();
        unseen = unseen >= kBytesBetweenLooks ? 0 : unseen;
    }
    if (!wanted)
        return {};
    const Status done = cancelled ? Status(cancelledError()) : query.status();
    take(text.tail(done.ok()));
    return done.ok() || wasCancelled(done.error()) ? done : Status(refused(database.handle()));
}

} // namespace jetscope
