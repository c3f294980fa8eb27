// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/kernel/engineline.h"
#include "core/attach/kernel/schedulerlanes.h"
#include "core/recording/span.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jetscope {

/// How much work an engine, or a channel of the GPU, was given by all programs.
struct EngineWork {
    std::string name;
    std::uint64_t submitted = 0;
    std::uint64_t complete = 0; ///< Of these the kernel told that they were.
};

/// Makes lanes of what the drivers of a Jetson's engines (host1x, nvhost, nvgpu) tell: a lane for each engine with the
/// work that it was given, and in the lanes of threads when they gave it. The work of an engine runs somewhere within
/// its span, which begins with the submission and ends when the kernel saw that the work was complete. Any events are
/// taken; memory is bounded. Not verified on hardware: tested with lines in the published formats. Not thread-safe.
class EngineTrace {
public:
    /// The thread that makes an event.
    struct Submitter {
        std::int32_t tid = 0;
        std::string name;           ///< Empty: not one of the program's threads with calls.
        std::optional<LaneId> lane; ///< Its own.
    };

    EngineTrace(SchedulerFrameAt frameAt, SchedulerNewLane newLane)
        : m_frameAt(std::move(frameAt)), m_newLane(std::move(newLane))
    {
    }

    /// Events in the order of their times. Appends the spans that ended.
    void take(const EngineEvent &event, std::int64_t ns, const Submitter &by, std::vector<Span> &out);
    /// Events are missing: of work in progress nothing more is known.
    void forget();

    /// By first submission.
    std::vector<EngineWork> work() const;

private:
    struct Job {
        std::optional<std::uint32_t> syncpoint;
        std::uint32_t value = 0;
        std::int64_t startNs = 0;
        std::uint32_t frame = kNoFrame;
        NameId name = 0;
        std::uint8_t depth = 0;
    };
    struct Engine {
        EngineWork work;
        std::optional<LaneId> lane;
        NameId submits = 0;
        NameId full = 0;
        std::deque<Job> jobs; ///< Not complete yet.
    };
    struct Submission {
        Engine *engine = nullptr;
        std::int64_t startNs = 0;
        std::optional<std::uint32_t> syncpoint;
        std::optional<std::int64_t> fillNs;
    };

    Engine *engineOf(const EngineEvent &event);
    NameId workOf(const std::string &thread);
    void takeSubmitted(Engine &engine, const EngineEvent &event, std::int64_t ns, const Submitter &by,
                       std::vector<Span> &out);
    template <class IsComplete>
    void complete(Engine &engine, std::int64_t ns, std::vector<Span> &out, IsComplete isComplete);
    void add(LaneId lane, NameId name, std::uint8_t depth, std::int64_t fromNs, std::int64_t toNs, std::uint32_t frame,
             std::vector<Span> &out) const;

    const SchedulerFrameAt m_frameAt;
    const SchedulerNewLane m_newLane;
    std::map<std::string, Engine, std::less<>> m_engines;
    std::vector<const Engine *> m_order;              ///< As they came.
    std::map<std::int32_t, Submission> m_submissions; ///< In progress, by thread.
    std::set<std::string> m_namedThreads;
};

} // namespace jetscope
