// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

/// A call of GL or EGL; `number` grows with each.
struct GlCall {
    const AttachEvent &event;
    std::int32_t pid = 0;
    std::uint32_t frame = 0;
    std::uint64_t number = 0;
};

/// Which commands of GL contexts come before those of others: fences, and the waits of contexts and of the CPU. What
/// one thread of the CPU knows, all threads of its process know, because how they hand it on is not seen. Memory is
/// bounded but for the contexts. Not thread-safe.
class GlSequence {
public:
    using ContextId = std::pair<std::int32_t, std::uint64_t>; ///< Process and handle.
    using Clock = std::map<ContextId, std::uint64_t>;         ///< Of contexts: commands so far.

    /// The commands of one context.
    struct Queue {
        struct Learned {
            std::uint64_t commands = 0;
            std::uint64_t at = 0; ///< Number of the call.
        };

        ContextId id;
        std::uint64_t commands = 0;
        Clock seen; ///< Commands of others that come before the next one of this context.
        std::map<ContextId, std::deque<Learned>> learned; ///< How it came to that.
        std::vector<std::uint64_t> unflushed;             ///< Fences.

        bool hasSeen(const ContextId &other, std::uint64_t command) const;
        /// When it came behind that command; 0 if that was forgotten.
        std::uint64_t learnedAt(const ContextId &other, std::uint64_t command) const;
    };
    /// A wait for a fence that may never be signaled, because the context that made it went on without a flush.
    struct EndlessWait {
        AttachEvent call;
        std::int32_t pid = 0;
        std::uint32_t frame = 0;
    };

    /// A context is made; one that had this handle before has none of it left but its commands. The queue stays there.
    Queue &make(const GlCall &call);
    /// A fence that ends, or a wait of the CPU; the thread that makes the call may have no context.
    void takeCpuWait(Queue *current, const GlCall &call);
    /// What a context does about the order.
    void take(Queue &queue, const GlCall &call);
    void flush(Queue &queue);
    /// The CPU waits for all commands of the context.
    void finish(Queue &queue, const GlCall &call);
    /// Calls were not recorded for a while.
    void interrupt();
    std::vector<EndlessWait> takeEndlessWaits() { return std::exchange(m_endlessWaits, {}); }

private:
    struct Fence {
        ContextId context;
        Clock behind;
        std::int64_t madeNs = 0;
        std::uint64_t at = 0;
        bool isFlushed = false;
        std::optional<AttachEvent> awaited; ///< Before it was flushed.
        std::uint32_t frame = 0;
    };
    using FenceId = std::pair<std::int32_t, std::uint64_t>; ///< Process and handle.

    void makeFence(Queue &queue, const GlCall &call);
    void endFence(const GlCall &call);
    void forgetOldFences();
    Fence *fenceOf(const GlCall &call);
    void waitFor(Queue &queue, const GlCall &call);
    static void learn(Queue &queue, const Clock &clock, std::uint64_t at);
    void cpuKnows(const Clock &clock, std::int32_t pid, std::uint64_t at);
    void finishAll(const GlCall &call);

    std::map<ContextId, Queue> m_queues;
    std::map<std::int32_t, Clock> m_known; ///< What the CPU knows, by process.
    std::map<FenceId, Fence> m_fences;
    std::vector<EndlessWait> m_endlessWaits;
    bool m_hasForgotFences = false; ///< Those that nobody has deleted for long.
};

} // namespace jetscope
