// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

namespace jetscope {

/// A new folder for temporary files that only this user may read. It is removed at the end with everything in it.
class TemporaryFolder {
public:
    /// The error names the remedy.
    static Result<TemporaryFolder> create();
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder &&other) noexcept;
    TemporaryFolder &operator=(TemporaryFolder &&) noexcept = delete;

    const std::string &path() const { return m_path; }

private:
    explicit TemporaryFolder(std::string path) : m_path(std::move(path)) {}

    std::string m_path; ///< Empty after a move.
};

} // namespace jetscope
