// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/moduletable.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace jetscope {

/// The place of an inspected program at which a call ends a frame, as the user names it (FrameWish::Kind::Site): which
/// addresses of its processes are there. Not thread-safe.
class FrameSite {
public:
    using PlaceNames = std::function<std::string(const CodePlace &)>;

    /// `modules` outlives it.
    FrameSite(ModuleTable &modules, std::string wish) : m_modules(modules), m_wish(std::move(wish)) {}

    /// What tells where the code at a place is, as users name it.
    void setPlaceNames(PlaceNames names) { m_placeNames = std::move(names); }
    bool has(std::int32_t process, std::uint64_t address, std::int64_t nowNs);

private:
    ModuleTable &m_modules;
    const std::string m_wish;
    PlaceNames m_placeNames;
    std::map<std::pair<std::int32_t, std::uint64_t>, bool> m_known;
};

} // namespace jetscope
