// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/programmessages.h"

namespace jetscope {

namespace {

constexpr std::size_t kMostFindings = 100;
constexpr std::size_t kLongestText = 16 << 10;

} // namespace

static void fields(Wire &w, ProgramEnd &e)
{
    w.members(e, e.exitCode, e.signal);
}

ProgramState ProgramState::of(std::uint32_t pipeline, const InspectionState &s)
{
    ProgramState said{pipeline, s.command,     s.end,     s.stopping,      s.frameSource, s.frameNote,
                      s.frames, s.recorded,    s.lost,    s.unhooked,      s.sawCalls,    {},
                      s.output, s.outputBytes, s.gpuTime, s.gpuTimeReason, s.sawGl};
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
    return s;
}

void fields(Wire &w, ProgramState &s)
{
    w.members(s, s.pipeline, s.command, s.end, s.stopping, s.frameSource, s.frameNote, s.frames, s.recorded, s.lost,
              s.unhooked, s.sawCalls, s.findings, s.output, s.outputBytes, s.gpuTime, s.gpuTimeReason, s.sawGl);
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
