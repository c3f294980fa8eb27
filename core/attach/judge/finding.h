// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/callstack.h"
#include "core/attach/read/moduletable.h"
#include "core/attach/read/ringreader.h"
#include "core/recording/span.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// How certain a finding is.
enum class FindingGrade : std::uint8_t {
    Seen,     ///< The arguments of the calls say so.
    Possible, ///< The order of the calls suggests it.
    Unknown,  ///< Calls were not seen, so that it cannot be told.
};
std::string_view nameOf(FindingGrade grade);

/// A place in an inspected program that makes calls.
struct CallSite {
    std::int32_t process = 0;
    std::uint64_t address = 0; ///< Behind the call.
    std::uint64_t calls = 0;
    CodePlace place; ///< Empty if it is not known.
    /// Stacks of some of the calls, and the files in the process's memory; null if they are not known.
    std::vector<CallStack> stacks{};
    std::shared_ptr<const std::vector<CodeMapping>> mappings{};
};

/// Work of an inspected program that it could save, or a rule that it breaks.
struct WasteFinding {
    std::string what; ///< Stable name for programs: "registration-per-frame", "hazard-A11".
    FindingGrade grade = FindingGrade::Seen;
    std::string text; ///< What was seen, and its fix.
    std::uint64_t calls = 0;
    std::uint64_t frames = 0; ///< Frames with such calls.
    /// CPU time inside of these calls, per frame with such calls; of the default stream, time in which work on the GPU
    /// waited. Empty if the price is not known.
    std::optional<double> msPerFrame;
    /// The most that its removal can bring, as a share of the period: all of that time. Empty if it is not known.
    std::optional<double> mostShare;
    std::vector<CallSite> sites; ///< The most frequent ones.
};

/// The finding whose places are those of accesses, not of calls.
inline constexpr const char *kCpuReadFinding = "hazard-cpu-read";

/// A kind of finding, and whether it was looked for.
struct WasteCheck {
    std::string what;
    std::string reason; ///< Why it could not be looked for; empty if it was.
};

/// Calls that no record tells of, on all threads, although they are of functions that are recorded.
struct UnseenCalls {
    std::uint64_t lost = 0;     ///< Their records were lost or damaged, or their thread found no ring.
    std::uint64_t unhooked = 0; ///< How often the program got a function without a hook; each may make any calls.

    bool any() const { return lost > 0 || unhooked > 0; }
    /// "7 calls were lost"; empty if there are none.
    std::string text() const;
};

/// Work whose accesses to memory are not followed.
struct UnseenAccesses {
    bool copies = false; ///< In CUDA arrays, which have no addresses, or of boxes whose rows are not equally far apart.
    bool graphs = false;

    void take(const AttachEvent &event);
    /// Why what is about such accesses was not checked in full; empty if there are none.
    std::string reason() const;
};

/// Setting up belongs to the first frames.
inline constexpr std::uint32_t kFramesOfSetUp = 10;
/// Of frames with a finding that the order of calls suggests, or that costs in every frame: so many at least, and at
/// least half of the frames behind those of setting up.
inline constexpr std::uint64_t kMinFramesWithFinding = 3;
std::uint32_t framesBehindSetUp(std::uint32_t frames);

/// The calls of one finding. Memory is bounded.
struct FindingTally {
    std::uint64_t calls = 0;
    std::uint64_t frames = 0;
    std::int64_t ns = 0;
    std::uint32_t lastFrame = kNoFrame;
    std::array<std::uint64_t, JSA_MOST_CALLS> byCall{};
    using Site = std::pair<std::int32_t, std::uint64_t>; ///< Process and address.
    std::map<Site, std::uint64_t> bySite;
    std::map<Site, std::deque<CallStack>> stacks; ///< The newest of some sites.

    /// Appends its place to `newSites` if that was not known.
    void add(const AttachEvent &event, std::int32_t process, std::uint32_t frame, std::vector<CallSite> &newSites);
    /// Whether it is in so many frames that it belongs to the program's loop.
    bool isFrequent(std::uint32_t ofFrames) const;
    /// The name of its most frequent call.
    std::string_view callName() const;
    std::vector<CallSite> sites() const;
};

/// "TEXT; 3 times in 2 of 40 frames (glFlush): FIX", with the grade that holds if all calls were seen.
WasteFinding findingOf(const FindingTally &tally, std::string what, FindingGrade grade, std::string_view text,
                       std::string_view fix, std::uint32_t frames, const UnseenCalls &unseen);

} // namespace jetscope
