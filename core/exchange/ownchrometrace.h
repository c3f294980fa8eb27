// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/figures/framefigures.h"
#include "core/progress.h"
#include "core/trace/openedtrace.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// What Jetscope's own Chrome traces say beyond the standard format (chromeformat.h): where they come from, frames with
/// their figures, notes, and of spans, lanes and counters what others leave to be guessed. Not thread-safe.
class OwnChromeTrace {
public:
    /// An entry beside the events. Of the traces of others, too: some know their device.
    void takeOther(const ChromeArgument &entry);
    /// Whether it is one; what follows is of those only.
    bool isOwn() const { return m_isOwn; }
    /// Whether spans and lanes say what their names do not.
    bool saysPurposes() const { return m_saysPurposes; }
    /// Is subtracted from every time.
    std::int64_t baseNs() const { return m_baseNs; }
    TraceOrigin &origin() { return m_origin; }

    /// The figures of a frame that begins then. Returns false if they are invalid.
    bool takeFrame(const ChromeEvent &event, std::int64_t ns);
    /// Returns false if there are too many.
    bool takeNote(const ChromeEvent &event, std::int64_t ns);
    /// What the event says of a lane, a counter or a mark.
    void fill(LaneInfo &lane, const ChromeEvent &event) const;
    static std::optional<CounterInfo> counterOf(const ChromeEvent &event);
    static void fill(TraceMark &mark, const ChromeEvent &event);

    /// Moves notes and frames into the trace. Returns false when cancelled.
    bool moveTo(Trace &trace, Progress &progress, double fraction);

private:
    bool m_isOwn = false;
    bool m_saysPurposes = false; ///< kPurposesKey.
    std::int64_t m_baseNs = 0;
    TraceOrigin m_origin;
    std::vector<TraceNote> m_notes;
    std::vector<FrameFigures> m_frames;
    std::vector<FrameNumber> m_frameNumbers; ///< The source's number of each frame.
};

} // namespace jetscope
