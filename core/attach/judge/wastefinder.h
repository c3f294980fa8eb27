// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/defaultstreamwaits.h"
#include "core/attach/judge/finding.h"
#include "core/attach/judge/unawaitedevents.h"
#include "core/attach/model/awaitedwork.h"
#include "core/attach/model/programmodel.h"
#include "core/hazards/accesshistory.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Looks for waste in the calls of an inspected program. Memory is bounded. Not thread-safe.
class WasteFinder {
public:
    explicit WasteFinder(const ProgramModel &model) : m_model(model) {}

    /// Calls that the model has taken, with the same numbers; `frame` may be kNoFrame.
    void take(const AttachEvent &event, std::int32_t process, std::int32_t thread, std::uint32_t frame);
    /// Calls were left out.
    void interrupt();

    void setUnseen(const UnseenCalls &unseen) { m_unseen = unseen; }

    /// `periodsNs`: of these frames together.
    std::vector<WasteFinding> findings(std::uint32_t frames, std::int64_t periodsNs,
                                       const DefaultStreamWaits &waits = {}) const;
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
        Unawaited,
    };
    static constexpr std::size_t kKinds = 11;
    struct Row;
    static const std::array<Row, kKinds> kRows;
    /// Submissions of a process in a frame: the legacy default stream and others wait for each other.
    struct DefaultStream {
        std::uint32_t frame = kNoFrame;
        bool hasStreamWork = false;
        std::optional<AttachEvent> legacyEvent; ///< That does not count yet.
    };
    /// Results of the GPU that were copied to host memory.
    struct HostCopy {
        std::int32_t process = 0;
        MemoryAccess bytes; ///< By address.
        std::uint32_t frame = kNoFrame;
        std::int64_t ns = 0; ///< That the copy took.
    };

    /// `bytes`: what it is about, if that is known.
    void count(Kind kind, const AttachEvent &event, std::int32_t process, std::uint32_t frame,
               const MemoryAccess &bytes = {});
    void judgeHost(const AttachEvent &event, std::int32_t process, std::uint32_t frame);
    bool isKeptByPool(const AttachEvent &event, std::int32_t process) const;
    void judgeStream(const AttachEvent &event, std::int32_t process, StreamRole role, std::uint32_t frame);
    void judgeCopy(const AttachEvent &event, std::int32_t process, std::uint32_t frame);
    std::string copiesReason() const;
    WasteFinding findingOf(const Row &row, const FindingTally &tally, std::uint32_t frames, std::int64_t periodsNs,
                           const DefaultStreamWaits &waits) const;

    const ProgramModel &m_model;
    std::array<FindingTally, kKinds> m_tallies;
    std::array<std::set<std::string>, kKinds> m_named; ///< Names of memory that each is about; a few.
    AwaitedWork m_awaited;
    UnawaitedEvents m_unawaited;
    std::map<std::int32_t, std::uint64_t> m_poolKeeps; ///< Bytes that processes have told a pool to keep.
    std::deque<HostCopy> m_hostCopies;                 ///< The newest ones.
    std::vector<CallSite> m_newSites;
    std::map<std::int32_t, DefaultStream> m_defaultStreams; ///< By process.
    UnseenCalls m_unseen;
    bool m_graphs = false;
    bool m_undirected = false; ///< Copies of which it is not known where they go.
    bool m_cuda = false;
    bool m_gl = false;
};

} // namespace jetscope
