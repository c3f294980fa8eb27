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
/// The CPU's own accesses are not seen, so that findings are possible only: a buffer is mapped for reading, an engine
/// writes it again and again, and there was never a SyncForCpu of that mapping. Programs that synchronize some of the
/// time are believed, and which planes they synchronize is not looked at. A buffer that was mapped to be written stays
/// in the cache when it is unmapped. An engine that was only asked to write (NvBufSurfTransformAsync) has done so when
/// the CPU has waited for it: a SyncForCpu before that is too early. Memory that CPU and device keep coherent (CUDA's
/// and that of the system) needs neither. Memory is bounded. Not thread-safe.
class NvBufSync {
public:
    /// Calls in order of their ends.
    void take(const AttachEvent &event, std::int32_t pid, std::uint32_t frame);
    void interrupt() { m_buffers.clear(); }

    std::vector<WasteFinding> findings(std::uint32_t frames, const UnseenCalls &unseen) const;
    std::vector<WasteCheck> checks(const UnseenCalls &unseen) const;
    std::vector<CallSite> takeNewSites() { return std::exchange(m_newSites, {}); }

private:
    struct Buffer {
        int mappings = 0;
        bool cpuReads = false;      ///< A mapping says so; of the ones below the same.
        bool cpuWritesOnly = false; ///< Nothing but writes, so that an engine is to read it.
        bool syncedForCpu = false;  ///< Since it was mapped.
        bool syncedForDevice = false;
        bool isWritten = false; ///< By an engine, since it was last synchronized.
        bool isPending = false; ///< An engine was asked to write it, and nobody has waited.
        bool isInCache = false; ///< What was written to a mapping that is gone.
        AttachEvent writer;
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
    FindingTally m_tooEarly;
    std::vector<CallSite> m_newSites;
    bool m_sawBuffers = false;
    bool m_tooMany = false;
};

} // namespace jetscope
