// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace jetscope {

class SoftManagedBuffer;

/// Access rules for managed memory where concurrentManagedAccess = 0 (rules A1 to A5 of the CUDA for Tegra note). After
/// a launch the CPU may not access it until a synchronization or a query has shown that the work is complete. Memory
/// attached to one stream depends only on that stream. Memory attached to the host belongs to the CPU once the attach
/// itself is known to be complete. Page protection enforces the rules. Where concurrentManagedAccess = 1 every access
/// is allowed. Any thread.
class ManagedRules {
public:
    explicit ManagedRules(bool concurrentManagedAccess) : m_enforced(!concurrentManagedAccess) {}

    void add(SoftManagedBuffer &buffer);
    void remove(SoftManagedBuffer &buffer);

    void attached(Buffer &buffer, Attach target, std::uint64_t streamId, std::uint64_t sequence);
    /// A launch became item `sequence` of a stream.
    void launched(std::uint64_t streamId, std::uint64_t sequence);
    /// A CPU thread has seen that the stream is done up to `sequence`.
    void observed(std::uint64_t streamId, std::uint64_t sequence);

    /// Reports that the stream is complete and destroyed.
    void ended(std::uint64_t streamId);

    /// The accesses that page protection caught since the last call.
    std::vector<Hazard> takeHazards();

private:
    struct State {
        Buffer *buffer = nullptr;
        Attach attach = Attach::Global;
        std::uint64_t stream = 0;         ///< The stream of the attach.
        std::uint64_t attachSequence = 0; ///< The position of the attach in that stream.
        bool accessible = true;
    };
    bool cpuMayTouch(const State &state) const;

    const bool m_enforced;
    std::mutex m_mutex;
    std::vector<State> m_states;
    std::map<std::uint64_t, std::uint64_t> m_launched; ///< The last launch of each stream.
    std::map<std::uint64_t, std::uint64_t> m_observed; ///< The last item of each stream that is known to be complete.
};

} // namespace jetscope
