// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/stampsampler.h"

namespace jetscope {

void StampSampler::add(const StampedFrame &frame)
{
    if (m_finding)
        return;
    if (m_frames.empty())
        m_before = readClocks();
    m_frames.push_back(frame);
    if (m_frames.size() < m_wanted)
        return;
    m_finding = examineStamps(m_frames, m_before, readClocks());
    m_frames = {};
}

std::string stampWords(const StampFinding &finding)
{
    if (finding.clock == StampClock::None)
        return finding.toldClock == ToldClock::Nothing ? "" : "none: frames are dated by their arrival";
    std::string words = finding.system        ? std::string(rowOf(*finding.system).name)
        : finding.clock == StampClock::Media  ? "times within the file or stream"
        : finding.clock == StampClock::Broken ? "do not advance as time does"
                                              : "of no clock of this machine";
    if (finding.edge != StampEdge::Unknown)
        words += ", " + std::string(nameOf(finding.edge));
    if (!finding.conflicts.empty())
        words += ". " + finding.conflicts.front();
    return words;
}

} // namespace jetscope
