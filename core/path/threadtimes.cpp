// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/threadtimes.h"

#include "core/path/owntimes.h"

#include <algorithm>
#include <map>

namespace jetscope {

namespace {

constexpr std::uint64_t kThreadReports = 1 << 16;

std::string_view stateOf(Category category)
{
    switch (category) {
    case Category::WaitSync:
        return "waits for the device";
    case Category::WaitMemory:
        return "waits for memory";
    case Category::WaitSlot:
        return "waits for a free place";
    case Category::WaitInput:
        return "waits for input";
    case Category::Submit:
        return "calls the GPU's driver";
    case Category::Capture:
    case Category::Upload:
    case Category::Copy:
    case Category::Kernel:
    case Category::CpuStage:
    case Category::Draw:
    case Category::Present:
        return "works";
    case Category::Tool:
        break; // The range of a frame says nothing.
    }
    return "";
}

class ThreadSums {
public:
    ThreadSums(const Trace &trace, Interval time, Progress &progress)
        : m_trace(trace), m_time(time), m_progress(progress), m_byName(trace.names().size())
    {
    }

    /// False when cancelled.
    bool add(const LaneInfo &lane, std::size_t first, std::size_t last)
    {
        std::map<std::string_view, ThreadTimes::State> states;
        std::vector<TraceName> seen;
        std::int64_t recordedNs = 0;
        const bool goesOn =
            eachOwnTime(m_trace, first, last, true, m_time, [&](TraceName name, std::int64_t, std::int64_t ownNs) {
                ThreadTimes::State *&state = m_byName[name];
                if (!state) {
                    seen.push_back(name);
                    const SpanName &known = m_trace.names().at(name);
                    state = &states[stateOf(known.category)];
                    state->waits = isWait(known.category);
                }
                state->ns += ownNs;
                return ++m_read % kThreadReports != 0 || m_progress.advance(0);
            });
        for (const TraceName name : seen)
            m_byName[name] = nullptr;
        ThreadTimes thread;
        thread.lane = lane.id;
        for (auto &[what, state] : states) {
            thread.framesNs += what.empty() ? state.ns : 0;
            if (what.empty() || state.ns == 0)
                continue;
            state.what = std::string(what);
            recordedNs += state.ns;
            thread.states.push_back(state);
        }
        std::stable_sort(thread.states.begin(), thread.states.end(),
                         [](const ThreadTimes::State &a, const ThreadTimes::State &b) { return a.ns > b.ns; });
        thread.unrecordedNs = m_time.endNs - m_time.startNs - recordedNs;
        if (recordedNs > 0)
            m_threads.push_back(std::move(thread));
        return goesOn;
    }

    std::vector<ThreadTimes> most(std::size_t count)
    {
        std::stable_sort(m_threads.begin(), m_threads.end(), [](const ThreadTimes &a, const ThreadTimes &b) {
            return a.recordedNs() + a.framesNs > b.recordedNs() + b.framesNs;
        });
        m_threads.resize(std::min(count, m_threads.size()));
        return std::move(m_threads);
    }

private:
    const Trace &m_trace;
    const Interval m_time;
    Progress &m_progress;
    std::vector<ThreadTimes::State *> m_byName; ///< Of the present lane.
    std::vector<ThreadTimes> m_threads;
    std::uint64_t m_read = 0;
};

} // namespace

std::int64_t ThreadTimes::recordedNs() const
{
    std::int64_t ns = 0;
    for (const State &state : states)
        ns += state.ns;
    return ns;
}

std::optional<std::vector<ThreadTimes>> threadTimes(const Trace &trace, Interval time, std::size_t most,
                                                    Progress &progress)
{
    ThreadSums sums(trace, time, progress);
    const bool goesOn = eachLane(trace, [&](const LaneInfo &lane, std::size_t first, std::size_t last) {
        const bool counts = isWorkLane(lane.role) && nestsSpans(lane.role);
        return !counts || sums.add(lane, first, last);
    });
    return goesOn ? std::optional(sums.most(most)) : std::nullopt;
}

} // namespace jetscope
