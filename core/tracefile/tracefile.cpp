// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/tracefile.h"

#include "core/tracefile/filekind.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr const char *kCopy = "/copy";
constexpr const char *kLog = "-wal";

/// Whether the file is in WAL mode, in which SQLite creates a -shm file beside it: the read version in the header is 2.
bool hasLog(const std::string &path)
{
    constexpr std::streamoff kReadVersionAt = 19;
    std::ifstream file(path, std::ios::binary);
    return file.seekg(kReadVersionAt) && file.get() == 2;
}

bool mayWriteBeside(const std::string &path)
{
    const fs::path folder = fs::path(path).parent_path();
    return faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK, AT_EACCESS) == 0;
}

} // namespace

void TraceFile::RemoveFolder::operator()(const std::string *folder) const
{
    std::error_code ignored;
    fs::remove_all(*folder, ignored);
    delete folder;
}

Result<TraceFile::TemporaryFolder> TraceFile::copyOf(const std::string &path)
{
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "jetscope-XXXXXX").string();
    if (error || !mkdtemp(name.data()))
        return sentence("no folder for temporary files can be made, which reading " + path
                        + " needs: set TMPDIR to one that may be written to");
    TemporaryFolder folder(new std::string(std::move(name)));
    const auto copy = [&](const std::string &from, const std::string &to) {
        if (!error)
            fs::copy_file(from, to, error);
        if (!error) // copy_file also copies the permissions, which may prevent SQLite from creating the -shm file.
            fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write, error);
    };
    copy(path, *folder + kCopy);
    if (!error && fs::exists(path + kLog, error))
        copy(path + kLog, *folder + kCopy + kLog);
    if (error)
        return sentence("there is no room for a copy of " + path + " in " + fs::path(*folder).parent_path().string()
                        + ": set TMPDIR to a folder on a larger disk");
    return folder;
}

Result<TraceFile> TraceFile::open(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(path));
    if (kind != FileKind::Capture)
        return sentence(path + " is no Jetscope capture: \"jetscope convert\" makes one of a trace of another program");
    TemporaryFolder copy;
    if (hasLog(path) && !mayWriteBeside(path)) {
        JETSCOPE_TRY_ASSIGN(copy, copyOf(path));
    }
    JETSCOPE_TRY_ASSIGN(Database database,
                        Database::open(copy ? *copy + kCopy : path, Database::Access::ReadOnly, path));
    // The first access to the file: reports a lock or damage here.
    JETSCOPE_TRY(database.run("SELECT count(*) FROM sqlite_master"));
    return TraceFile(std::move(database), std::move(copy));
}

Result<std::string> captureFact(const std::string &path, std::string_view name)
{
    JETSCOPE_TRY_ASSIGN(TraceFile file, TraceFile::open(path));
    JETSCOPE_TRY_ASSIGN(Statement row, file.database().prepare("SELECT value FROM device WHERE name = ?"));
    row.bind(1, name);
    const bool found = row.next();
    JETSCOPE_TRY(row.status());
    return found ? std::string(row.text(0)) : std::string();
}

} // namespace jetscope
