// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/tracefile.h"

#include "core/system/besidedatabase.h"
#include "core/tracefile/capturekind.h"

#include <sqlite3.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxCaptureFacts = 1000;
constexpr const char *kCopy = "/copy";
constexpr const char *kLog = "-wal";
constexpr const char *kJournal = "-journal";

/// Whether the file is in WAL mode, in which SQLite creates a -shm file beside it: the read version in the header is 2.
bool hasLog(const std::string &path)
{
    constexpr std::streamoff kReadVersionOffset = 19;
    std::ifstream file(path, std::ios::binary);
    return file.seekg(kReadVersionOffset) && file.get() == 2;
}

bool mayWriteBeside(const std::string &path)
{
    const fs::path folder = fs::path(path).parent_path();
    return faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK, AT_EACCESS) == 0;
}

} // namespace

Result<TemporaryFolder> TraceFile::copyOf(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(TemporaryFolder folder, TemporaryFolder::create());
    std::error_code error;
    const auto copy = [&](const std::string &from, const std::string &to) {
        if (!error)
            fs::copy_file(from, to, error);
        if (!error) // copy_file also copies the permissions, which may prevent SQLite from creating the -shm file.
            fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, error);
    };
    copy(path, folder.path() + kCopy);
    const ForeignFiles foreign = foreignFilesBeside(path);
    if (!foreign.log && !error && fs::exists(path + kLog, error))
        copy(path + kLog, folder.path() + kCopy + kLog);
    if (!foreign.journal && !error && fs::exists(path + kJournal, error))
        copy(path + kJournal, folder.path() + kCopy + kJournal);
    if (error)
        return sentence("there is no room for a copy of " + path + " in "
                        + fs::path(folder.path()).parent_path().string() + ": set TMPDIR to a folder on a larger disk");
    return folder;
}

namespace {

/// The first access to the file: reports a lock or damage here.
Status firstLook(Database &database)
{
    return database.run("SELECT count(*) FROM sqlite_master");
}

} // namespace

Result<TraceFile> TraceFile::open(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileBeginning beginning, beginningOf(path));
    bool capture = false;
    if (isDatabase(beginning.bytes)) {
        JETSCOPE_TRY_ASSIGN(capture, isCapture(path, beginning));
    }
    if (!capture)
        return sentence(path + " is no Jetscope capture: \"jetscope convert\" makes one of a trace of another program");
    return openDatabase(path);
}

Result<TraceFile> TraceFile::openDatabase(const std::string &path)
{
    std::optional<TemporaryFolder> copy;
    if (hasLog(path) && !mayWriteBeside(path) && !foreignFilesBeside(path).any()) {
        JETSCOPE_TRY_ASSIGN(copy, copyOf(path));
    }
    JETSCOPE_TRY_ASSIGN(Database database,
                        Database::open(copy ? copy->path() + kCopy : path, Database::Access::ReadOnly, path));
    const Status seen = firstLook(database);
    if (seen.ok())
        return TraceFile(std::move(database), std::move(copy));
    if (database.lastCode() != SQLITE_READONLY_ROLLBACK)
        return seen.error();
    // Whoever wrote it was killed within a change.
    JETSCOPE_TRY_ASSIGN(copy, copyOf(path));
    {
        JETSCOPE_TRY_ASSIGN(Database rolledBack,
                            Database::open(copy->path() + kCopy, Database::Access::ReadWrite, path));
        JETSCOPE_TRY(firstLook(rolledBack));
    }
    JETSCOPE_TRY_ASSIGN(Database whole, Database::open(copy->path() + kCopy, Database::Access::ReadOnly, path));
    JETSCOPE_TRY(firstLook(whole));
    return TraceFile(std::move(whole), std::move(copy));
}

Result<std::string> captureFact(const std::string &path, std::string_view name)
{
    JETSCOPE_TRY_ASSIGN(const auto facts, captureFacts(path));
    const auto fact = facts.find(std::string(name));
    return fact == facts.end() ? std::string() : fact->second;
}

Result<std::map<std::string, std::string>> captureFacts(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(TraceFile file, TraceFile::open(path));
    JETSCOPE_TRY_ASSIGN(Statement rows, file.database().prepare("SELECT name, value FROM device"));
    std::map<std::string, std::string> facts;
    while (facts.size() < kMaxCaptureFacts && rows.next())
        facts.emplace(rows.text(0), rows.text(1));
    JETSCOPE_TRY(rows.status());
    return facts;
}

} // namespace jetscope
