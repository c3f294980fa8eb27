// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/capturequery.h"

#include "core/capture/capturefile.h"
#include "core/capture/querytext.h"
#include "core/progress.h"

#include <sqlite3.h>

namespace jetscope {

namespace {

constexpr int kStepsBetweenLooks = 10'000;

int authorise(void *, int action, const char *first, const char *second, const char *, const char *)
{
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return std::string_view(second ? second : "") == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA: // table_info and the like, asked as pragma_table_info('spans'), too.
        return std::string_view(first ? first : "").starts_with("table_") ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

int isOver(void *goOn)
{
    return (*static_cast<const std::function<bool()> *>(goOn))() ? 0 : 1;
}

/// What SQLite says to a statement that is none, in one line.
Error refused(sqlite3 *handle)
{
    if (sqlite3_errcode(handle) == SQLITE_AUTH)
        return sentence("a query only reads: give one SELECT");
    std::string text = std::string("the query failed: ") + sqlite3_errmsg(handle);
    for (char &c : text)
        c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    constexpr std::size_t kMostBytes = 300;
    if (text.size() > kMostBytes)
        text = text.substr(0, kMostBytes) + "…";
    return sentence(text + "; the tables are spans, frames, counters, switches, hazards, marks, lanes, names, device");
}

/// Only one statement is executed: a second one would be forgotten in silence.
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
    if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
        return sentence("there is more than one statement: give one SELECT");
    return {};
}

} // namespace

Status queryCapture(const std::string &path, const std::string &sql, RowFormat format,
                    const std::function<bool(std::string_view)> &take, const std::function<bool()> &goOn)
{
    Result<CaptureFile> file = CaptureFile::open(path);
    if (!file.ok())
        return file.error();
    Database &database = file.value().database();
    sqlite3_set_authorizer(database.handle(), authorise, nullptr);
    sqlite3_progress_handler(database.handle(), kStepsBetweenLooks, isOver,
                             const_cast<void *>(static_cast<const void *>(&goOn)));
    JETSCOPE_TRY(checkAlone(database, sql));
    Result<Statement> query = database.prepare(sql);
    if (!query.ok())
        return query.error();
    QueryText text(format, query.value());
    bool wanted = take(text.head());
    while (wanted && query.value().next())
        wanted = take(text.row());
    if (!wanted)
        return {};
    const Status done = query.value().status();
    take(text.tail(done.ok()));
    return done.ok() || wasCancelled(done.error()) ? done : Status(refused(database.handle()));
}

} // namespace jetscope
