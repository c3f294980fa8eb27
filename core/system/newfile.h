// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace jetscope {

/// Reason that follows "FILE could not be written: " when the system limits the size of files.
inline constexpr const char *kFileTooLarge =
    "a file may not grow larger than a limit allows (\"ulimit -f\" says which); raise it, or write less";

/// Why a file cannot be made, by errno, with the remedy.
Error cannotCreate(const std::string &path, int reason);
/// Whether a file of this path may be made as far as its name goes: nothing has it yet.
Status checkNewFile(const std::string &path);
/// A database must not get a name beside which another one's changes are left.
Status checkNothingBeside(const std::string &path);
/// Gives a file its name; never replaces an existing one.
Status renameToNew(const std::string &from, const std::string &to);

/// Removes a file that this process made, and SQLite's files beside it.
void removeNewFile(const std::string &path);

/// A new file that gets its name only when it is complete. Until then it is written as NAME.part in the same folder.
/// Without `publish` it is removed. An incomplete file never has the final name, even if the program is killed. Not
/// thread-safe.
class UnfinishedFile {
public:
    /// Never touches an existing file; the error then includes the remedy.
    static Result<UnfinishedFile> create(const std::string &path);
    /// For a database, which must not meet the left-over -wal or -journal file of an earlier one of its name: an error
    /// names them. Here and in `publish`; moveLeftOversAway makes room.
    static Result<UnfinishedFile> createDatabase(const std::string &path);
    ~UnfinishedFile();
    UnfinishedFile(UnfinishedFile &&other) noexcept;
    UnfinishedFile &operator=(UnfinishedFile &&) noexcept = delete;

    /// Path of the file while it is written. The file exists and is empty.
    const std::string &partPath() const { return m_partPath; }
    /// Gives the file its final name. All data must be written and the file closed.
    Status publish();

private:
    UnfinishedFile(std::string path, std::string partPath) : m_path(std::move(path)), m_partPath(std::move(partPath)) {}

    std::string m_path;
    std::string m_partPath; ///< Empty when no file has to be removed.
    bool m_isDatabase = false;
};

/// Calls `write` to create a new file at a temporary path, then renames it to `path`. An existing file is replaced only
/// after the new one is complete.
Status replaceFile(const std::string &path, const std::function<Status(const std::string &place)> &write);
/// The same for a database. What is beside the earlier one is moved away; the sentence returned says so (see
/// moveBesideAway). A database that another program uses is not replaced.
Result<std::string> replaceDatabase(const std::string &path,
                                    const std::function<Status(const std::string &place)> &write);

/// A new file that is written sequentially. It is removed unless `finish` succeeds. Not thread-safe.
class OutputFile {
public:
    static Result<OutputFile> create(const std::string &path);
    OutputFile(OutputFile &&) noexcept = default;
    OutputFile &operator=(OutputFile &&) noexcept = delete;

    /// Does nothing after an error; `finish` returns that error.
    void write(std::string_view bytes);
    bool failed() const { return m_reason != 0; }
    Status finish();

private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    OutputFile(UnfinishedFile unfinished, std::FILE *file, std::string path)
        : m_unfinished(std::move(unfinished)), m_file(file), m_path(std::move(path))
    {
    }
    Error failure(int reason) const;

    UnfinishedFile m_unfinished; ///< Declared before the stream, so that the stream is closed first.
    std::unique_ptr<std::FILE, Close> m_file;
    std::string m_path;
    int m_reason = 0; ///< errno of the first failure.
};

} // namespace jetscope
