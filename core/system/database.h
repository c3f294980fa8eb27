// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace jetscope {

/// A prepared SQL statement. Columns count from 0, parameters from 1. Must be destroyed before its Database. Not
/// thread-safe.
class Statement {
public:
    /// Steps to the next row. Returns false at the end and on an error; `status` distinguishes the two.
    bool next();
    Status status() const;
    /// Executes a statement that returns no rows and resets it for new parameters. Returns false on an error.
    bool run();

    int columns() const;
    bool isNull(int column) const;
    bool isInteger(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    /// Valid until the next row.
    std::string_view text(int column) const;
    std::span<const std::byte> blob(int column) const;

    void bind(int parameter, std::int64_t value);
    void bind(int parameter, double value);
    void bindNull(int parameter);
    // The referenced data must stay valid until the statement has run.
    void bind(int parameter, std::string_view text);
    void bind(int parameter, std::span<const std::byte> blob);

    sqlite3_stmt *handle() const { return m_handle.get(); }

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt *handle) const;
    };
    Statement(sqlite3_stmt *handle, const std::string &fileName) : m_handle(handle), m_fileName(&fileName) {}

    std::unique_ptr<sqlite3_stmt, Finalize> m_handle;
    const std::string *m_fileName;
    int m_code = 0;
};

/// An open SQLite file. Every error is a sentence with the file's name and a remedy. One thread at a time.
class Database {
public:
    enum class Access { ReadOnly, ReadWrite };
    /// Opens an existing file. A file opened for reading is not trusted: functions and tables in its schema cannot
    /// access anything outside the file, it has no virtual tables but json_each, and values are limited to 64 MiB.
    /// Left-over -wal and -journal files of another database are not read (`note` says so); a file that is to be
    /// written is then refused. Errors use `name` as the file's name if it is given.
    static Result<Database> open(const std::string &path, Access access, const std::string &name = {});

    /// Executes one or more statements and discards their rows.
    Status run(const std::string &sql);
    Result<Statement> prepare(std::string_view sql);
    /// Whether the file has an ordinary table (no view, no virtual table) of this name with all of these columns (none
    /// of them generated).
    bool hasTable(std::string_view table, std::initializer_list<std::string_view> columns = {});
    bool hasColumn(std::string_view table, std::string_view column);

    /// Cancels statements (cancelledError) when `goOn` returns false. It is called now and then on the thread that runs
    /// them, and must live as long as statements run.
    void watch(std::function<bool()> goOn);

    /// Whether the file no longer exists under its path because it was removed or renamed.
    bool isGone() const;

    /// SQLite's extended code of the most recent call.
    int lastCode() const;
    /// A sentence for the user about left-over files that are not read; usually empty.
    const std::string &note() const { return m_note; }
    /// The file's name in errors.
    const std::string &name() const { return *m_name; }
    sqlite3 *handle() const { return m_handle.get(); }

private:
    struct Close {
        void operator()(sqlite3 *handle) const;
    };
    Database(sqlite3 *handle, std::string name);

    std::unique_ptr<std::string> m_name;           ///< On the heap: its address stays the same after a move.
    std::unique_ptr<std::function<bool()>> m_goOn; ///< At an address that SQLite keeps.
    std::unique_ptr<sqlite3, Close> m_handle;
    std::string m_note;
};

/// Translates an SQLite result code into an error for the user; `detail` is SQLite's own message.
Error databaseError(int code, const std::string &file, std::string_view detail);

} // namespace jetscope
