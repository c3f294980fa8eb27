// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/moduletable.h"
#include "core/attach/ringreader.h"
#include "core/enumtable.h"
#include "core/recording/span.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// How certain a finding is.
enum class FindingGrade : std::uint8_t {
    Seen,     ///< The arguments of the calls say so.
    Possible, ///< The order of the calls suggests it.
    Unknown,  ///< Calls were lost, so that it cannot be told.
};
std::string_view nameOf(FindingGrade grade);

/// A place in an inspected program that makes calls.
struct CallSite {
    std::int32_t process = 0;
    std::uint64_t address = 0; ///< Behind the call.
    std::uint64_t calls = 0;
    CodePlace place; ///< Empty if it is not known.
};

/// Work of an inspected program that it could save.
struct WasteFinding {
    std::string what; ///< Stable name for programs: "registration-per-frame".
    FindingGrade grade = FindingGrade::Seen;
    std::string text; ///< What was seen, and its fix.
    std::uint64_t calls = 0;
    std::uint64_t frames = 0; ///< Frames with such calls.
    /// CPU time inside of these calls, per frame with such calls; empty if the price is not in these calls.
    std::optional<double> msPerFrame;
    /// The most that its removal can bring, as a share of the period: all time inside of these calls. Empty if the
    /// price is not in these calls.
    std::optional<double> mostShare;
    std::vector<CallSite> sites; ///< The most frequent ones.
};

/// A kind of waste, and whether it was looked for.
struct WasteCheck {
    std::string what;
    std::string reason; ///< Why it could not be looked for; empty if it was.
};

/// Looks for waste in the calls of an inspected program. Memory is bounded. Not thread-safe.
class WasteFinder {
public:
    /// Calls in order of their ends; `process` is the caller's, `frame` may be kNoFrame.
    void take(const AttachEvent &event, std::int32_t process, std::uint32_t frame);

    /// Calls that were not recorded, wherever: the last ones have no call behind them that tells.
    void setLost(std::uint64_t calls) { m_lost = calls; }

    /// `periodsNs`: of these frames together.
    std::vector<WasteFinding> findings(std::uint32_t frames, std::int64_t periodsNs) const;
    /// Places of calls that were counted for the first time since the last call.
    std::vector<CallSite> takeNewSites() { return std::exchange(m_newSites, {}); }
    std::vector<WasteCheck> checks(std::uint32_t frames) const;

private:
    enum class Kind : std::uint8_t { Registration, Allocation, Finish, DeviceSync, DefaultStream, Pageable, RoundTrip };
    static constexpr std::size_t kKinds = 7;
    struct Row;
    static const std::array<Row, kKinds> kRows;
    struct Tally {
        std::uint64_t calls = 0;
        std::uint64_t frames = 0;
        std::int64_t ns = 0;
        std::uint32_t lastFrame = kNoFrame;
        std::array<std::uint64_t, JSA_MOST_CALLS> byCall{};
        std::map<std::pair<std::int32_t, std::uint64_t>, std::uint64_t> bySite; ///< By process and address.
    };
    using Place = std::pair<std::int32_t, std::uint64_t>; ///< Process and address or handle.
    /// Results of the GPU that were copied to host memory.
    struct HostCopy {
        Place place;
        std::uint64_t bytes = 0;
        std::uint32_t frame = kNoFrame;
        std::int64_t ns = 0; ///< That the copy took.
    };

    void count(Kind kind, const AttachEvent &event, std::int32_t process, std::uint32_t frame);
    void judgeHost(const AttachEvent &event, std::int32_t process, std::uint32_t frame);
    void follow(const AttachEvent &event, std::int32_t process);
    void judgeStream(const AttachEvent &event, std::int32_t process, std::uint32_t frame);
    void judgeCopy(const AttachEvent &event, std::int32_t process, std::uint32_t frame);
    bool isPinned(Place place) const;
    static std::vector<CallSite> sitesOf(const Tally &tally);
    WasteFinding findingOf(const Row &row, const Tally &tally, std::uint32_t frames, std::int64_t periodsNs) const;

    std::array<Tally, kKinds> m_tallies;
    std::map<Place, std::uint64_t> m_pinned; ///< Bytes of memory that copies need not stage.
    std::deque<HostCopy> m_hostCopies;       ///< The newest ones.
    std::vector<CallSite> m_newSites;
    std::map<Place, bool> m_blockingStreams; ///< Streams that the program made: whether stream 0 waits for them.
    std::uint32_t m_streamFrame = kNoFrame;
    bool m_legacyWork = false; ///< In m_streamFrame.
    bool m_streamWork = false;
    std::optional<AttachEvent> m_legacyEvent;
    std::uint64_t m_lost = 0;
    bool m_cuda = false;
    bool m_gl = false;
};

} // namespace jetscope
