// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazard.h"
#include "core/recording/lostframes.h"
#include "core/recording/span.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// An instant event of a trace.
struct TraceMark {
    enum class Kind : std::uint8_t {
        Switch, ///< A change of the configuration took effect.
        Drop,   ///< Frames are missing.
        Hazard, ///< An access violated the rules.
        Gap,    ///< The source was disconnected, or recording was paused.
        Other,  ///< An instant event of an imported trace.
    };
    Kind kind = Kind::Switch;
    std::int64_t timeNs = 0;
    std::uint32_t frame = kNoFrame;
    std::string text;                    ///< "sync: finish → eglsync"
    std::string rule;                    ///< For hazards, the rule "A1"; otherwise empty.
    std::string fix;                     ///< For hazards: the smallest change that makes the access legal.
    std::string memory{};                ///< For hazards: the memory concerned; empty if it is not known.
    std::optional<HazardAccess> first{}; ///< For hazards: the accesses that conflict, as far as they are known.
    std::optional<HazardAccess> second{};
    std::vector<LostFrames> lost{}; ///< For missing frames: which, and why.
};
inline constexpr int kMarkKindCount = static_cast<int>(enumCount<TraceMark::Kind>());
std::string_view markKindName(TraceMark::Kind kind);

/// The marks of a trace, sorted by time; late marks are inserted at their place. Bounded: the oldest marks are removed.
/// Not thread-safe.
class MarkList {
public:
    static constexpr std::size_t kMax = 100'000;

    void add(TraceMark mark);
    void dropBefore(std::int64_t ns);

    const std::deque<TraceMark> &all() const { return m_marks; }
    /// Indices [first, last) into all() of the marks within [fromNs, toNs).
    std::pair<std::size_t, std::size_t> range(std::int64_t fromNs, std::int64_t toNs) const;
    std::uint64_t discarded() const { return m_discarded; }

private:
    std::deque<TraceMark> m_marks;
    std::uint64_t m_discarded = 0;
};

} // namespace jetscope
