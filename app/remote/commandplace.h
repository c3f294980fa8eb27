// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/system/filedescriptor.h"

#include <string>

namespace jetscope {

/// Where the server of a command listens, with the files beside its socket. They are removed at the end; those of a
/// server that was killed, when the next one takes its place.
class CommandPlace {
public:
    /// What every such path ends with, before the command's id.
    static constexpr const char *kPrefix = "command-";

    static Result<CommandPlace> take(const std::string &path);
    ~CommandPlace();
    CommandPlace(CommandPlace &&) noexcept = default;
    CommandPlace &operator=(CommandPlace &&) = delete;

private:
    CommandPlace(std::string path, FileDescriptor lock) : m_path(std::move(path)), m_lock(std::move(lock)) {}

    std::string m_path;
    FileDescriptor m_lock; ///< Of its messages; the kernel gives it back when the server is killed.
};

} // namespace jetscope
