// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/callloops.h"
#include "core/exchange/foreignlanes.h"
#include "core/exchange/framenames.h"
#include "core/exchange/frameperiods.h"
#include "core/figures/overlap.h"
#include "core/trace/trace.h"

#include <functional>
#include <string>
#include <vector>

namespace jetscope {

/// What the producer of a trace says of a name beyond its text. By TraceName.
class NameFacts {
public:
    void setFunction(TraceName name) { set(m_functions, name); }
    void setStep(TraceName name) { set(m_steps, name); }
    bool isFunction(TraceName name) const { return name < m_functions.size() && m_functions[name]; }
    bool isStep(TraceName name) const { return name < m_steps.size() && m_steps[name]; }

private:
    static void set(std::vector<bool> &flags, TraceName name)
    {
        if (name >= flags.size())
            flags.resize(name + std::size_t{1});
        flags[name] = true;
    }
    std::vector<bool> m_functions; ///< Of the program, as its profiler saw them: never frames.
    std::vector<bool> m_steps;
};

/// Finds the frames in the spans and marks of another program's trace: by marks of known producers or the name that was
/// asked for, else by a name that says frame, else the repeated range that covers most of the time and has others
/// within, else by the program's calls (CallLoops). Not thread-safe.
class ForeignFrames {
public:
    /// `isSummary(lane)` says which lanes only sum up others.
    ForeignFrames(ForeignLanes &lanes, const TraceNames &names, const FrameNames &frameNames, const NameFacts &facts,
                  std::function<bool(LaneId)> isSummary);

    /// Returns false when cancelled; `fraction` is the overall progress to report.
    bool find(const std::vector<TraceMark> &marks, Progress &progress, double fraction);

    FoundFrames &found() { return m_found; }
    const FoundFrames &found() const { return m_found; }
    /// Whether spans of this name are the frames.
    bool isFrame(TraceName name) const;
    /// Names that repeat and loops of calls, for the user to choose from.
    std::vector<std::string> choices() const;

private:
    bool addUp(Progress &progress, double fraction);
    std::vector<std::string> coveringNames() const;
    bool collect(std::vector<FrameCandidate> &candidates, Progress &progress, double fraction);
    bool guess(std::vector<FrameCandidate> &candidates, Progress &progress, double fraction);
    std::optional<FoundFrames> byCalls(unsigned number, Progress &progress, double fraction);
    bool addCalls(LaneId lane, CallLoops &loops, Progress &progress, double fraction);
    bool collectNamed(const std::string &name, std::vector<FrameCandidate> &candidates, Progress &progress,
                      double fraction);

    ForeignLanes &m_lanes;
    const TraceNames &m_names;
    const FrameNames &m_frameNames;
    const NameFacts &m_facts;
    std::function<bool(LaneId)> m_isSummary;
    std::vector<std::optional<FrameSign>> m_signs; ///< By TraceName.
    FrameChoices m_choices;
    std::vector<std::string> m_loopChoices;
    Interval m_whole; ///< Begin and end of the spans.
    FoundFrames m_found;
};

} // namespace jetscope
