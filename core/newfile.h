// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace jetscope {

/// Makes an empty file. One that exists is never touched; the error says what to do instead.
Status createNewFile(const std::string &path);
/// Removes it again, with what SQLite may have put beside it.
void removeNewFile(const std::string &path);

/// A new file written from beginning to end. Without `finish` it is removed: there are no half files. One thread.
class OutputFile {
public:
    static Result<OutputFile> create(const std::string &path);
    ~OutputFile();
    OutputFile(OutputFile &&) noexcept = default;
    OutputFile &operator=(OutputFile &&) noexcept = delete;

    /// After an error it does nothing; `finish` tells.
    void write(std::string_view bytes);
    bool failed() const { return m_failed; }
    Status finish();

private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    OutputFile(std::FILE *file, std::string path) : m_file(file), m_path(std::move(path)) {}

    std::unique_ptr<std::FILE, Close> m_file;
    std::string m_path;
    bool m_failed = false;
};

} // namespace jetscope
