// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/awaitedwork.h"
#include "core/attach/finding.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Looks for waste in the calls of an inspected program. Memory is bounded. Not thread-safe.
class WasteFinder {
public:
    /// Calls in order of their ends, of a thread of a process, as the system numbers them; `frame` may be kNoFrame.
    void take(const AttachEvent &event, std::int32_t process, std::int32_t thread, std::uint32_t frame);

    /// Calls that were not recorded, wherever: the last ones have no call behind them that tells.
    void setLost(std::uint64_t calls) { m_lost = calls; }

    /// `periodsNs`: of these frames together.
    std::vector<WasteFinding> findings(std::uint32_t frames, std::int64_t periodsNs) const;
    /// Places of calls that were counted for the first time since the last call.
    std::vector<CallSite> takeNewSites() { return std::exchange(m_newSites, {}); }
    std::vector<WasteCheck> checks(std::uint32_t frames) const;

private:
    enum class Kind : std::uint8_t {
        Registration,
        Allocation,
        Finish,
        DeviceSync,
        WaitsForMore,
        DefaultStream,
        Pageable,
        ManagedCopy,
        Pool,
        RoundTrip,
    };
    static constexpr std::size_t kKinds = 10;
    struct Row;
    static const std::array<Row, kKinds> kRows;
    using Place = std::pair<std::int32_t, std::uint64_t>; ///< Process and address or handle.
    struct HostMemory {
        std::uint64_t bytes = 0;
        bool managed = false;
    };
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
    /// Memory that copies need not stage, around this place; null if there is none.
    const HostMemory *hostMemory(Place place) const;
    WasteFinding findingOf(const Row &row, const FindingTally &tally, std::uint32_t frames,
                           std::int64_t periodsNs) const;

    std::array<FindingTally, kKinds> m_tallies;
    std::map<Place, HostMemory> m_hostMemory;
    AwaitedWork m_awaited;
    bool m_poolKeeps = false;          ///< The program has told a pool to keep memory.
    std::deque<HostCopy> m_hostCopies; ///< The newest ones.
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
