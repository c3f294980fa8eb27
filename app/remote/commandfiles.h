// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/remote/messagepipe.h"
#include "core/system/regularfile.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace jetscope {

/// The folder of a command's files on its board, over all connections of its laptop.
class SharedFolder {
public:
    explicit SharedFolder(std::string path) : m_path(std::move(path)) {}

    const std::string &path() const { return m_path; }
    /// A file of it is now the same here and there.
    void share(const std::string &file);
    /// Whether all files of it are.
    bool isShared() const;

private:
    const std::string m_path;
    std::map<std::string, std::filesystem::file_time_type> m_shared; ///< When they had been changed last.
};

/// The files of a command on its board: a laptop writes and reads those of one folder, over one connection. One thread.
class CommandFiles {
public:
    /// The error of a FileEnd for a file that the command has not written.
    static constexpr const char *kMissing = "it was not written";

    /// Both must outlive it.
    CommandFiles(SharedFolder &folder, MessagePipe &pipe) : m_folder(folder), m_pipe(pipe) {}

    void read(const ReadFile &wish);
    void write(const WriteFile &wish);
    void take(const FileBlock &block);
    void finish(const FileEnd &end);
    /// Sends more of the file that is read, as far as the laptop takes it.
    void pass();

private:
    std::string fileAt(const std::string &path) const;

    SharedFolder &m_folder;
    MessagePipe &m_pipe;

    FileStream m_sent; ///< The file that is read, and its place.
    std::string m_sentPath;
    std::uint32_t m_sentId = 0;
    std::uint64_t m_sentSize = 0;
    std::uint64_t m_sentBytes = 0;

    FileStream m_taken; ///< The file that is written.
    std::string m_takenPath;
    std::uint64_t m_takenBytes = 0;
    std::string m_takenError;
};

} // namespace jetscope
