// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/kernel/schedulerlanes.h"
#include "core/attach/kernel/tracedevents.h"
#include "core/recording/span.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// A moment of a switch between contexts of the GPU, or that some were lost.
struct ContextEvent {
    std::uint32_t context = 0;
    std::uint8_t tag = 0;   ///< jsa_context_tag, and others
    std::uint32_t lost = 0; ///< Then there is no context.
};

/// `arguments`: what stands behind the event's name in a line of jetscope-sched (core/attach/kernel/tracedevents.h).
/// Empty if the line is damaged.
std::optional<ContextEvent> parseContextEvent(std::string_view arguments);

/// How long a context of the GPU was loaded. It need not have had work: a GPU that nobody else wants keeps its context.
struct ContextTimes {
    std::int32_t pid = 0; ///< In the initial PID namespace; 0 if it is not known.
    std::uint32_t context = 0;
    std::string process; ///< Empty: not one of the inspected programs.
    std::int64_t loadedNs = 0;
    std::uint64_t times = 0;    ///< It was loaded.
    std::int64_t leavingNs = 0; ///< Of `loadedNs`: it had been asked to leave, and still ran.
};

/// Makes a lane of which context has a Jetson's GPU, as its driver nvgpu tells it, exactly: the context that is loaded,
/// how it left, and the switches between. Drawn, and never counted as work. Any events are taken; memory is bounded.
/// Not verified on hardware: tested with a stand-in for the driver. Not thread-safe.
class ContextTrace {
public:
    ContextTrace(SchedulerFrameAt frameAt, SchedulerNewLane newLane)
        : m_frameAt(std::move(frameAt)), m_newLane(std::move(newLane))
    {
    }

    /// In the order of their times. `process`: its name; empty if it is not one of the inspected programs. Appends the
    /// spans that ended.
    void take(const ContextEvent &event, std::int64_t ns, std::int32_t pid, const std::string &process,
              std::vector<Span> &out);
    /// Events are missing: it is not known any more which context is loaded.
    void forget();

    /// Of contexts that were loaded and have left, those with the most time first.
    std::vector<ContextTimes> contexts() const;
    std::int64_t switchingNs() const { return m_switchingNs; } ///< When none could run.
    std::uint64_t lost() const { return m_lost; }              ///< Events.

private:
    using Key = std::pair<std::int32_t, std::uint32_t>;
    struct Loaded {
        Key key;
        NameId name = 0;
        std::int64_t sinceNs = 0;
        std::optional<std::int64_t> askedNs;
    };

    void load(Key key, const std::string &process, std::int64_t ns, std::vector<Span> &out);
    void leave(std::uint8_t how, std::int64_t ns, std::vector<Span> &out);
    NameId nameOf(Key key, const std::string &process);
    void add(NameId name, std::uint8_t depth, std::int64_t fromNs, std::int64_t toNs, std::vector<Span> &out);

    const SchedulerFrameAt m_frameAt;
    const SchedulerNewLane m_newLane;
    std::optional<LaneId> m_lane;
    bool m_hasLane = false; ///< It was asked for.
    std::map<Key, ContextTimes> m_contexts;
    std::optional<Loaded> m_loaded;
    std::optional<std::int64_t> m_leftNs; ///< When the last one left; none is loaded since.
    std::int64_t m_switchingNs = 0;
    std::uint64_t m_lost = 0;
};

} // namespace jetscope
