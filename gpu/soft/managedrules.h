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

/// Who may touch managed memory at the moment where concurrentManagedAccess = 0 (rules A1 to A5 of the CUDA for Tegra
/// note): after a launch the CPU may not, until it has observed by a synchronisation or a query that the work is done;
/// memory attached to one stream depends on that stream only; memory attached to the host is the CPU's once the attach
/// itself was observed. Enforced by page protection. Where concurrentManagedAccess = 1 everything is allowed. Any
/// thread.
class ManagedRules {
public:
    explicit ManagedRules(bool concurrentManagedAccess) : m_enforced(!concurrentManagedAccess) {}

    void add(SoftManagedBuffer &buffer);
    void remove(SoftManagedBuffer &buffer);

    void attached(Buffer &buffer, Attach target, std::uint64_t streamId, std::uint64_t sequence);
    /// A launch that uses these buffers (null ones count for nothing) became item `sequence` of a stream.
    void launched(std::uint64_t streamId, std::uint64_t sequence, std::initializer_list<const Buffer *> buffers);
    /// A CPU thread has seen that the stream is done up to `sequence`.
    void observed(std::uint64_t streamId, std::uint64_t sequence);

    /// The stream is done and gone.
    void ended(std::uint64_t streamId);

    std::vector<Violation> takeViolations();

private:
    struct State {
        Buffer *buffer = nullptr;
        Attach attach = Attach::Global;
        std::uint64_t stream = 0;         ///< Of the attach.
        std::uint64_t attachSequence = 0; ///< Where in that stream the attach stands.
        bool accessible = true;
    };
    bool cpuMayTouch(const State &state) const;
    void checkLaunch(const State &state, std::uint64_t streamId);

    const bool m_enforced;
    std::mutex m_mutex;
    std::vector<State> m_states;
    std::map<std::uint64_t, std::uint64_t> m_launched; ///< Last launch of each stream.
    std::map<std::uint64_t, std::uint64_t> m_observed; ///< How far each stream is known to be done.
    std::vector<Violation> m_violations;
};

} // namespace jetscope
