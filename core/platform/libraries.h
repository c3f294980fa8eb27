// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// A library or engine that a pipeline on a Jetson can use.
struct LibraryFact {
    enum class State : std::uint8_t {
        Found,
        Absent,
        Broken, ///< A file is there, but it is no library that can be loaded.
    };
    std::string name;    ///< "VPI 3"
    std::string purpose; ///< What it is for.
    State state = State::Absent;
    std::string path;    ///< Below the root: "/usr/lib/…"; empty if absent.
    std::string version; ///< From the name of the file; empty if it has none.
    std::string reason;  ///< Why it is absent or broken, or why its version is unknown.
};

/// Libraries in the folders of L4T 32 to JetPack 7 and of PCs below `root`. Only files are looked at, nothing is
/// loaded.
std::vector<LibraryFact> findLibraries(const std::string &root);

/// The number of deep-learning accelerators (DLA) in the device tree below `root` that the firmware left enabled.
struct DlaCount {
    std::optional<int> count;
    std::string reason; ///< Why it is unknown, or where it was read.
};
DlaCount countDlas(const std::string &root);

} // namespace jetscope
