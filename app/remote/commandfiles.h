// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/remote/messagepipe.h"
#include "core/system/regularfile.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// The files of a command on its board: a laptop writes and reads those of one folder, over one connection. One thread.
class CommandFiles {
public:
    /// The error of a FileEnd for a file that the command has not written.
    static constexpr const char *kMissing = "it was not written";

    /// Both must outlive it.
    CommandFiles(const std::string &folder, MessagePipe &pipe) : m_folder(folder), m_pipe(pipe) {}

    void read(const ReadFile &wish);
    void write(const WriteFile &wish);
    void take(const FileBlock &block);
    void finish(const FileEnd &end);
    /// Sends more of the file that is read, as far as the laptop takes it.
    void pass();

private:
    std::string fileAt(const std::string &path) const;

    const std::string &m_folder;
    MessagePipe &m_pipe;

    FileStream m_sent; ///< The file that is read, and its place.
    std::uint32_t m_sentId = 0;
    std::uint64_t m_sentSize = 0;
    std::uint64_t m_sentBytes = 0;

    FileStream m_taken; ///< The file that is written.
    std::uint64_t m_takenBytes = 0;
    std::string m_takenError;
};

} // namespace jetscope
