// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace jetscope {

/// A new file of packed lines, which has its name only when it is whole. Not thread-safe.
class GzipFile {
public:
    static Result<GzipFile> create(const std::string &path);
    ~GzipFile();
    GzipFile(GzipFile &&) noexcept;
    GzipFile &operator=(GzipFile &&) noexcept = delete;

    /// Does nothing after an error; `finish` returns that error.
    void write(std::string_view text);
    Status finish();

private:
    struct Parts;
    explicit GzipFile(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

/// Calls `take` with each line of a packed file. A file that ends within its packed data, or within a line, is an error
/// that names it. `take` ends the reading by an error, which is returned with file and line before it.
Status readGzipLines(const std::string &path, const std::function<Status(std::string_view line)> &take);

/// Whether a file is packed text to its end, which not all readers notice.
Status checkGzipLines(const std::string &path);

} // namespace jetscope
