// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

namespace jetscope {

/// A new folder for temporary files that only this user may read. It is removed at the end with everything in it; one
/// that a killed program left, when the next one is made.
class TemporaryFolder {
public:
    /// The error names the remedy.
    static Result<TemporaryFolder> create();
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder &&other) noexcept;
    TemporaryFolder &operator=(TemporaryFolder &&other) noexcept;

    const std::string &path() const { return m_path; }

private:
    TemporaryFolder(std::string path, int lock) : m_path(std::move(path)), m_lock(lock) {}

    std::string m_path; ///< Empty after a move.
    int m_lock = -1;    ///< Held while the folder is in use.
};

} // namespace jetscope
