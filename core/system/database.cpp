// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/database.h"

#include "core/progress.h"
#include "core/system/besidedatabase.h"
#include "core/system/filelimit.h"
#include "core/system/newfile.h"

#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <sys/resource.h>
#include <sys/stat.h>

namespace jetscope {

namespace {

constexpr int kMaxValueBytes = 64 << 20;
constexpr int kBusyMs = 250;

/// Disables SQLite features that a malicious file could exploit. A virtual table, such as one for full-text search, may
/// take its rows from a view without an end.
void distrust(sqlite3 *handle)
{
    constexpr const char *kModulesKept[] = {"json_each", "json_tree", nullptr}; // pragma_… are made when they are used.
    sqlite3_drop_modules(handle, const_cast<const char **>(kModulesKept));
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
}

} // namespace

Error databaseError(int code, const std::string &file, std::string_view detail)
{
    switch (code & 0xff) {
    case SQLITE_INTERRUPT:
        return cancelledError();
    case SQLITE_FULL:
        return sentence("the disk with " + file + " is full: free some space, or take another disk");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return sentence(file + " is locked by another program: close it there, then try again");
    case SQLITE_CORRUPT:
        return sentence(file + " is damaged or cut short: take another copy of it");
    case SQLITE_NOTADB:
        return sentence(file + " is no SQLite database: take the file as it was written");
    case SQLITE_READONLY:
        if (code == SQLITE_READONLY_ROLLBACK)
            return sentence("the program that wrote " + file + " was ended within a change, which " + file
                            + "-journal takes back: copy both to a folder that may be written to, and open the copy");
        if (code == SQLITE_READONLY_RECOVERY || code == SQLITE_READONLY_CANTINIT || code == SQLITE_READONLY_CANTLOCK)
            return sentence("a part of " + file + " is in " + file
                            + "-wal, and reading it needs a folder that may be written to: copy both to one");
        [[fallthrough]];
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return sentence(file + " cannot be written: check its permissions and those of its folder");
    case SQLITE_CANTOPEN:
        return sentence(file + " cannot be opened: check the file and its permissions");
    case SQLITE_TOOBIG:
        return sentence(file + " holds a value of more than 64 MiB, which no trace has: it is damaged");
    case SQLITE_NOMEM:
        return sentence("there is not enough memory for " + file + ": close other programs, then try again");
    case SQLITE_IOERR:
        if (code == SQLITE_IOERR_SHORT_READ)
            return sentence(file + " is damaged or cut short: take another copy of it");
        return sentence("reading or writing " + file + " failed: check the disk (" + std::string(detail) + ")");
    default:
        return sentence(file + ": " + std::string(detail));
    }
}

namespace {

/// Whether the file, its journal or one of its -wal and -shm files has reached this process's file size limit. SQLite
/// reports a failed write without the system's reason.
bool reachesFileLimit(sqlite3 *handle)
{
    constexpr rlim_t kLargestWrite = 65536; // One page; the part that fits is still written.
    rlimit limit = {};
    const char *const path = sqlite3_db_filename(handle, "main");
    if (!path || getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return false;
    for (const char *suffix : {"", "-wal", "-shm", "-journal"}) {
        struct stat facts = {};
        if (stat((std::string(path) + suffix).c_str(), &facts) == 0
            && static_cast<rlim_t>(facts.st_size) + kLargestWrite > limit.rlim_cur)
            return true;
    }
    return false;
}

/// The most recent error of the connection.
Error lastError(sqlite3 *handle, const std::string &file)
{
    const int code = sqlite3_extended_errcode(handle);
    if ((code & 0xff) == SQLITE_IOERR && code != SQLITE_IOERR_SHORT_READ && reachesFileLimit(handle))
        return sentence(file + " cannot be written any further: " + kFileTooLarge);
    const int reason = sqlite3_system_errno(handle);
    if ((code & 0xff) == SQLITE_CANTOPEN && (reason == EMFILE || reason == ENFILE))
        return sentence(file + " cannot be opened: " + kNoFurtherFile);
    return databaseError(code, file, sqlite3_errmsg(handle));
}

} // namespace

void Statement::Finalize::operator()(sqlite3_stmt *handle) const
{
    sqlite3_finalize(handle);
}

bool Statement::next()
{
    m_code = sqlite3_step(m_handle.get());
    return m_code == SQLITE_ROW;
}

Status Statement::status() const
{
    if (m_code == SQLITE_OK || m_code == SQLITE_ROW || m_code == SQLITE_DONE)
        return {};
    return lastError(sqlite3_db_handle(m_handle.get()), *m_fileName);
}

bool Statement::run()
{
    m_code = sqlite3_step(m_handle.get());
    if (m_code != SQLITE_DONE && m_code != SQLITE_ROW)
        return false;
    sqlite3_reset(m_handle.get());
    return true;
}

int Statement::columns() const
{
    return sqlite3_column_count(m_handle.get());
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_handle.get(), column) == SQLITE_NULL;
}

bool Statement::isInteger(int column) const
{
    return sqlite3_column_type(m_handle.get(), column) == SQLITE_INTEGER;
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_handle.get(), column);
}

double Statement::real(int column) const
{
    return sqlite3_column_double(m_handle.get(), column);
}

std::string_view Statement::text(int column) const
{
    const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(m_handle.get(), column));
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_handle.get(), column)))
                 : std::string_view();
}

std::span<const std::byte> Statement::blob(int column) const
{
    const auto *bytes = static_cast<const std::byte *>(sqlite3_column_blob(m_handle.get(), column));
    if (!bytes)
        return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_handle.get(), column))};
}

void Statement::bind(int parameter, std::int64_t value)
{
    sqlite3_bind_int64(m_handle.get(), parameter, value);
}

void Statement::bind(int parameter, double value)
{
    sqlite3_bind_double(m_handle.get(), parameter, value);
}

void Statement::bindNull(int parameter)
{
    sqlite3_bind_null(m_handle.get(), parameter);
}

void Statement::bind(int parameter, std::string_view text)
{
    // A null pointer would bind NULL instead of an empty text.
    sqlite3_bind_text64(m_handle.get(), parameter, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
}

void Statement::bind(int parameter, std::span<const std::byte> blob)
{
    sqlite3_bind_blob64(m_handle.get(), parameter, blob.empty() ? "" : static_cast<const void *>(blob.data()),
                        blob.size(), SQLITE_STATIC);
}

Database::Database(sqlite3 *handle, std::string name)
    : m_name(std::make_unique<std::string>(std::move(name))), m_handle(handle)
{
}

void Database::Close::operator()(sqlite3 *handle) const
{
    sqlite3_close_v2(handle);
}

namespace {

/// The address of a file that is read without what is beside it.
std::string addressAlone(const std::string &path)
{
    constexpr std::string_view kAddressDigits = "0123456789ABCDEF";
    std::string address = "file:";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '/' || c == '.' || c == '-' || c == '_')
            address += c;
        else
            address.append(1, '%').append(1, kAddressDigits[byte >> 4U]).append(1, kAddressDigits[byte & 0xfU]);
    }
    return address + "?immutable=1";
}

} // namespace

Result<Database> Database::open(const std::string &path, Access access, const std::string &name)
{
    const std::string &shown = name.empty() ? path : name;
    const std::string note = textOfForeignFiles(path, foreignFilesBeside(path));
    if (!note.empty() && access == Access::ReadWrite)
        return Error{{}, 0, note};
    const int flags = SQLITE_OPEN_NOMUTEX | (access == Access::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
    sqlite3 *handle = nullptr;
    // SQLite does not treat ":memory:", the empty name and "file:…" as plain file names.
    const std::string plain = path.starts_with('/') ? path : "./" + path;
    const int code = note.empty()
        ? sqlite3_open_v2(plain.c_str(), &handle, flags, nullptr)
        : sqlite3_open_v2(addressAlone(plain).c_str(), &handle, flags | SQLITE_OPEN_URI, nullptr);
    Database database(handle, shown);
    database.m_note = note;
    if (code != SQLITE_OK)
        return handle ? lastError(handle, database.name()) : databaseError(code, database.name(), sqlite3_errstr(code));
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyMs);
    if (access == Access::ReadOnly)
        distrust(handle);
    return database;
}

Status Database::run(const std::string &sql)
{
    if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK)
        return {};
    return lastError(handle(), name());
}

Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt *statement = nullptr;
    const int size = static_cast<int>(std::min<std::size_t>(sql.size(), INT_MAX));
    if (sqlite3_prepare_v2(handle(), sql.data(), size, &statement, nullptr) != SQLITE_OK)
        return lastError(handle(), name());
    return Statement(statement, name());
}

void Database::watch(std::function<bool()> goOn)
{
    constexpr int kStepsBetweenLooks = 1'000'000; // Some hundredths of a second.
    m_goOn = std::make_unique<std::function<bool()>>(std::move(goOn));
    sqlite3_progress_handler(
        handle(), kStepsBetweenLooks,
        [](void *goesOn) { return (*static_cast<std::function<bool()> *>(goesOn))() ? 0 : 1; }, m_goOn.get());
}

int Database::lastCode() const
{
    return sqlite3_extended_errcode(handle());
}

bool Database::isGone() const
{
    int moved = 0;
    return sqlite3_file_control(handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

bool Database::hasTable(std::string_view table, std::initializer_list<std::string_view> columns)
{
    // By the parsed schema: a damaged sqlite_master may call anything a table.
    Result<Statement> found = prepare("SELECT 1 FROM pragma_table_list(?) WHERE schema = 'main' AND type = 'table'");
    if (!found.ok())
        return false;
    found.value().bind(1, table);
    if (!found.value().next())
        return false;
    for (const std::string_view column : columns)
        if (!hasColumn(table, column))
            return false;
    return true;
}

bool Database::hasColumn(std::string_view table, std::string_view column)
{
    Result<Statement> found = prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ? AND hidden = 0");
    if (!found.ok())
        return false;
    found.value().bind(1, table);
    found.value().bind(2, column);
    return found.value().next();
}

} // namespace jetscope
