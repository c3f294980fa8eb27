// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jetscope {

/// Whether the driver lets users without administrator rights profile the GPU.
struct ProfilingAccess {
    enum class State : std::uint8_t { Open, AdminOnly, Unknown };
    State state = State::Unknown;
    std::string reason;  ///< Where it was read, or why it is unknown.
    std::string command; ///< The command that opens it, to be followed by a restart; empty if not needed or unknown.
};

/// Reads the driver's parameter RmProfilingAdminOnly, else NVreg_RestrictProfilingToAdminUsers of its configuration,
/// below `root`.
ProfilingAccess profilingAccess(const std::string &root);

} // namespace jetscope
