// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace jetscope {

/// Results that take long to make, in files named after what decides them. A file holds the whole identity, which must
/// match, so that a file of another identity or a damaged one is never used. Any thread; several programs may share the
/// folder.
class FileCache {
public:
    /// $XDG_CACHE_HOME/jetscope/NAME, else ~/.cache/jetscope/NAME; empty without both.
    static std::string folderOfThisUser(const std::string &name);
    /// `suffix`: of the files, with its dot. An empty folder keeps nothing.
    FileCache(std::string folder, std::string suffix) : m_folder(std::move(folder)), m_suffix(std::move(suffix)) {}

    std::optional<std::string> find(const std::string &identity) const;
    /// A failure only costs time at the next start. Keeps the newest 64 files.
    void store(const std::string &identity, const std::string &content) const;
    const std::string &folder() const { return m_folder; }

private:
    std::string fileOf(const std::string &identity) const;
    void prune() const;

    std::string m_folder;
    std::string m_suffix;
};

} // namespace jetscope
