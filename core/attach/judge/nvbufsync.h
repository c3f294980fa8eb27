// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/finding.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace jetscope {

/// Follows NvBuf buffers (NvBufSurface, NvBuffer) that a program has mapped and that an engine writes or reads: the
/// CPU's cache must be made invalid before the CPU reads (SyncForCpu), and written back before an engine reads
/// (SyncForDevice).
///
/// The CPU's own accesses are not seen, so that findings are possible only. A mapping is taken to be used in the way
/// that it was asked for, and its end to come behind the use: what an engine wrote between the last SyncForCpu and the
/// end was read too early. A mapping that is kept may rest: if it was synchronized once, it is doubtful until it ends,
/// and believed if it is synchronized again behind an engine's access, because that program knows when. A mapping to
/// read and write counts as written only if it was not synchronized for the CPU either, which one of the two needs.
/// Which planes are synchronized is not looked at. A buffer that was mapped to be written stays in the cache when it is
/// unmapped. An engine that was only asked to write (NvBufSurfTransformAsync) has done so when the CPU has waited for
/// it: a SyncForCpu before that is too early. Memory that CPU and device keep coherent (CUDA's and that of the system)
/// needs neither. Memory is bounded. Not thread-safe.
class NvBufSync {
public:
    /// Calls in order of their ends.
    void take(const AttachEvent &event, std::int32_t pid, std::uint32_t frame);
    void interrupt() { m_buffers.clear(); }

    std::vector<WasteFinding> findings(std::uint32_t frames, const UnseenCalls &unseen) const;
    std::vector<WasteCheck> checks(const UnseenCalls &unseen) const;
    std::vector<CallSite> takeNewSites() { return std::exchange(m_newSites, {}); }

private:
    /// What an engine did with a mapping that was synchronized once: wrong if the CPU has used it since.
    struct Doubt {
        std::uint64_t calls = 0;
        std::uint64_t frames = 0;
        std::uint32_t lastFrame = kNoFrame;
    };
    /// One direction of a mapping that is there.
    struct Direction {
        bool isSynced = false;
        bool isSyncedAgain = false; ///< Behind an engine's access.
        std::uint32_t syncFrame = kNoFrame;
        Doubt doubt;
    };
    struct Buffer {
        int mappings = 0;
        bool cpuReads = false; ///< A mapping says so; of the ones below the same.
        bool cpuWrites = false;
        bool cpuWritesOnly = false; ///< Nothing but writes, so that an engine is to read it.
        Direction forCpu;
        Direction forDevice;
        bool isWritten = false; ///< By an engine, since it was last synchronized.
        bool isRead = false;    ///< By an engine, since the mapping was last synchronized.
        bool isPending = false; ///< An engine was asked to write it, and nobody has waited.
        bool isInCache = false; ///< What was written to a mapping that is gone.
        AttachEvent writer;

        bool isWrittenByCpu() const { return cpuWrites && (cpuWritesOnly || !forCpu.isSynced); }
    };
    /// All that is doubtful, and how much of that is a finding, because its mapping ended.
    struct KeptTally {
        FindingTally doubtful;
        std::uint64_t calls = 0;
        std::uint64_t frames = 0;

        void add(Doubt &doubt, const AttachEvent &event, std::int32_t process, std::uint32_t frame,
                 std::vector<CallSite> &newSites);
        void confirm(const Doubt &doubt);
        /// The tally with more frames.
        FindingTally most(const FindingTally &certain) const;
    };
    using Key = std::pair<std::int32_t, std::uint64_t>; ///< Process and handle.

    void map(const Key &key, std::uint64_t mode, std::uint64_t kind);
    void unmap(const Key &key, std::uint32_t frame);
    void sync(const Key &key, const AttachEvent &event, std::uint32_t frame);
    void wait(std::int32_t pid);
    void write(const Key &key, const AttachEvent &event, std::uint32_t frame);
    void read(const Key &key, const AttachEvent &event, std::uint32_t frame);

    std::map<Key, Buffer> m_buffers;
    FindingTally m_forCpu;
    FindingTally m_forDevice;
    KeptTally m_keptForCpu;
    KeptTally m_keptForDevice;
    FindingTally m_tooEarly;
    std::vector<CallSite> m_newSites;
    bool m_sawBuffers = false;
    bool m_tooMany = false;
};

} // namespace jetscope
