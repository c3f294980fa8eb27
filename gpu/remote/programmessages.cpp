// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/programmessages.h"

namespace jetscope {

namespace {

constexpr std::size_t kMostFindings = 100;
constexpr std::size_t kLongestText = 16 << 10;
constexpr std::size_t kMostEngines = 16; ///< And contexts, and groups of events.

/// A board tells no more than a page shows.
template <class T>
void keepFirst(std::vector<T> &values)
{
    if (values.size() > kMostEngines)
        values.erase(values.begin() + kMostEngines, values.end());
}

/// Whether it is no more than `keepFirst` leaves.
bool isBounded(const SchedulerState &s)
{
    return s.groups.size() <= kMostEngines && s.engines.size() <= kMostEngines && s.contexts.size() <= kMostEngines;
}

} // namespace

static void fields(Wire &w, ProgramEnd &e)
{
    w.members(e, e.exitCode, e.signal);
}

static void fields(Wire &w, EngineWork &e)
{
    w.members(e, e.name, e.submitted, e.complete);
}

static void fields(Wire &w, TracedGroup &g)
{
    w.members(g, g.name, g.has, g.of);
}

static void fields(Wire &w, ContextTimes &c)
{
    w.members(c, c.pid, c.context, c.process, c.loadedNs, c.times, c.leavingNs);
}

static void fields(Wire &w, SchedulerState &s)
{
    w.members(s, s.path, s.refusal, s.command, s.lines, s.lost, s.damaged, s.groups, s.engines, s.contexts,
              s.switchingNs, s.contextsLost, s.contextsRefusal);
    if (w.reads() && !isBounded(s))
        w.fail();
}

ProgramState ProgramState::of(std::uint32_t pipeline, const InspectionState &s)
{
    ProgramState said{pipeline, s.command,     s.end,     s.stopping,      s.frameSource, s.frameNote,
                      s.frames, s.recorded,    s.lost,    s.unhooked,      s.sawCalls,    {},
                      s.output, s.outputBytes, s.gpuTime, s.gpuTimeReason, s.sawGl,       s.scheduler};
    if (said.scheduler) {
        keepFirst(said.scheduler->groups);
        keepFirst(said.scheduler->engines);
        keepFirst(said.scheduler->contexts);
    }
    for (const WasteFinding &finding : s.findings)
        if (said.findings.size() < kMostFindings)
            said.findings.emplace_back(finding.grade, finding.text.substr(0, kLongestText));
    for (std::string *text : {&said.command, &said.frameSource, &said.frameNote, &said.gpuTime, &said.gpuTimeReason})
        if (text->size() > kLongestText)
            text->resize(kLongestText);
    if (said.output.size() > kMostOutput)
        said.output.erase(0, said.output.size() - kMostOutput);
    return said;
}

InspectionState ProgramState::state() const
{
    InspectionState s;
    s.command = command;
    s.end = end;
    s.stopping = stopping;
    s.frameSource = frameSource;
    s.frameNote = frameNote;
    s.frames = frames;
    s.recorded = recorded;
    s.lost = lost;
    s.unhooked = unhooked;
    s.sawCalls = sawCalls;
    for (const auto &[grade, text] : findings) {
        WasteFinding &finding = s.findings.emplace_back();
        finding.grade = grade;
        finding.text = text;
    }
    s.output = output;
    s.outputBytes = outputBytes;
    s.gpuTime = gpuTime;
    s.gpuTimeReason = gpuTimeReason;
    s.sawGl = sawGl;
    s.scheduler = scheduler;
    return s;
}

void fields(Wire &w, ProgramState &s)
{
    w.members(s, s.pipeline, s.command, s.end, s.stopping, s.frameSource, s.frameNote, s.frames, s.recorded, s.lost,
              s.unhooked, s.sawCalls, s.findings, s.output, s.outputBytes, s.gpuTime, s.gpuTimeReason, s.sawGl,
              s.scheduler);
    if (!w.reads())
        return;
    for (const std::string *text : {&s.command, &s.frameSource, &s.frameNote, &s.gpuTime, &s.gpuTimeReason})
        if (text->size() > kLongestText)
            w.fail();
    for (const auto &[grade, text] : s.findings)
        if (text.size() > kLongestText)
            w.fail();
    if (s.output.size() > ProgramState::kMostOutput || s.findings.size() > kMostFindings)
        w.fail();
}

void fields(Wire &w, EndProgram &e)
{
    w.members(e, e.pipeline);
}

} // namespace jetscope
