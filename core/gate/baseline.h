// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Captures to compare later ones with, and why worse ones were accepted.
struct Baseline {
    std::string name;
    std::vector<std::string> captures; ///< Paths of its copies.
    std::vector<std::string> reasons;  ///< In the order in which they were given.
};

/// A folder of baselines, each in a folder of its name with copies of its captures.
class Baselines {
public:
    explicit Baselines(std::string folder) : m_folder(std::move(folder)) {}
    /// $XDG_DATA_HOME/jetscope/baselines, else ~/.local/share/jetscope/baselines; empty without both.
    static std::string folderOfThisUser();

    /// Replaces the one of this name, and keeps its reasons. `reason` may be empty.
    Status set(const std::string &name, const std::vector<std::string> &captures, const std::string &reason) const;
    /// A copy that is missing or was changed is an error.
    Result<Baseline> find(const std::string &name) const;
    std::vector<std::string> names() const;

private:
    std::string folderOf(const std::string &name) const { return m_folder + "/" + name; }

    std::string m_folder;
};

} // namespace jetscope
