// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <optional>
#include <string>

namespace jetscope {

/// Machine code of own kernels that passed its trial, in files named after what decides it. A file holds the whole
/// identity, which must match, so that a file of another source or a damaged one is never used. Any thread; several
/// programs may share the folder.
class KernelCache {
public:
    /// $XDG_CACHE_HOME/jetscope/kernels, else ~/.cache/jetscope/kernels; no folder without both.
    static KernelCache ofThisUser();
    explicit KernelCache(std::string folder) : m_folder(std::move(folder)) {}

    std::optional<std::string> find(const std::string &identity) const;
    /// A failure only costs time at the next start. Keeps the newest 64 files.
    void store(const std::string &identity, const std::string &cubin) const;
    const std::string &folder() const { return m_folder; }

private:
    std::string fileOf(const std::string &identity) const;
    void prune() const;

    std::string m_folder; ///< Empty for no cache.
};

} // namespace jetscope
