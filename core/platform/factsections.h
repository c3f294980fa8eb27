// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/platform/platformfacts.h"
#include "core/settings/devicefacts.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// One fact as `doctor` prints it and as the tab Device shows it. Texts have no full stop at the end.
struct FactRow {
    enum class State : std::uint8_t {
        Plain,
        Good,    ///< Available, allowed, supported.
        Bad,     ///< Missing, denied, not supported.
        Unknown, ///< It could not be read; `detail` says why.
    };
    std::string name;
    std::string value;
    State state = State::Plain;
    std::string detail;  ///< Why, or what it is for.
    std::string command; ///< A command that mends it; empty if there is none.
    std::string source;  ///< The document that states it; empty for what was read here.
};

struct FactSection {
    std::string_view id;    ///< The key of `doctor --json`.
    std::string_view title; ///< As shown.
    std::string note;       ///< A sentence about the whole section; may be empty.
    std::vector<FactRow> rows;
};

// Of the machine.
FactSection identitySection(const BoardIdentity &board);
FactSection permissionSection(const PlatformFacts &platform);
FactSection profilingSection(const PlatformFacts &platform);
FactSection librarySection(const PlatformFacts &platform);
/// Ways to share frames between processes. `eglExtensions` are those of the display, separated by blanks.
FactSection sharingSection(const PlatformFacts &platform, std::string_view eglExtensions);

// Of a device.
FactSection attributeSection(const DeviceFacts &facts);
FactSection limitSection(const DeviceFacts &facts, const PlatformFacts &platform);
FactSection featureSection(const DeviceFacts &facts);

} // namespace jetscope
