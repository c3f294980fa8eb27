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

/// What follows "FILE could not be written: " where the system limits how large files may be.
inline constexpr const char *kFileTooLarge =
    "a file may not grow larger than a limit allows (\"ulimit -f\" says which); raise it, or write less";

/// Makes an empty file. One that exists is never touched; the error says what to do instead.
Status createNewFile(const std::string &path);
/// Removes it again, with what SQLite may have put beside it.
void removeNewFile(const std::string &path);

/// A new file that gets its name when it is whole: until then it stands beside its place as NAME.part. Without
/// `publish` it is removed, so that nobody, not even a killed program, leaves half a file under the name. One thread.
class UnfinishedFile {
public:
    /// One that exists is never touched; the error says what to do instead.
    static Result<UnfinishedFile> create(const std::string &path);
    ~UnfinishedFile();
    UnfinishedFile(UnfinishedFile &&other) noexcept;
    UnfinishedFile &operator=(UnfinishedFile &&) noexcept = delete;

    /// Where it is written meanwhile. The file is there, and empty.
    const std::string &partPath() const { return m_partPath; }
    /// Everything is written and closed.
    Status publish();

private:
    UnfinishedFile(std::string path, std::string partPath) : m_path(std::move(path)), m_partPath(std::move(partPath)) {}

    std::string m_path;
    std::string m_partPath; ///< Empty when there is nothing to remove.
};

/// Has `write` make a new file at a place of its choice, and gives that this name. A file of the name goes only when
/// the new one is whole.
Status replaceFile(const std::string &path, const std::function<Status(const std::string &place)> &write);

/// A new file written from beginning to end. Without `finish` there is none. One thread.
class OutputFile {
public:
    static Result<OutputFile> create(const std::string &path);
    OutputFile(OutputFile &&) noexcept = default;
    OutputFile &operator=(OutputFile &&) noexcept = delete;

    /// After an error it does nothing; `finish` tells.
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

    UnfinishedFile m_unfinished; ///< Before the stream, which is closed first.
    std::unique_ptr<std::FILE, Close> m_file;
    std::string m_path;
    int m_reason = 0; ///< Of the first failure, as errno has it.
};

} // namespace jetscope
