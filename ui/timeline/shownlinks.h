// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/alllinks.h"
#include "ui/timeline/arrowchoice.h"
#include "ui/timeline/selectedlinks.h"

#include <QCoreApplication>

namespace jetscope {

/// The arrows that a timeline shows: none, those of the selected span, or also all to long spans. UI thread; references
/// are valid until the next call.
class ShownLinks {
    Q_DECLARE_TR_FUNCTIONS(jetscope::ShownLinks)
public:
    const ArrowChoice &choice() const { return m_choice; }
    void setChoice(const ArrowChoice &choice) { m_choice = choice; }
    /// The trace was replaced.
    void clear() { m_all.clear(); }

    const std::vector<SpanLink> &selected(const Trace &trace, const std::optional<SpanPlace> &span);
    const TimeLinks &all(const Trace &trace, Interval window);
    /// Which of all are missing, for the line above the timeline; empty if none is.
    QString missing(const Trace &trace, Interval window);
    /// How often all were computed; panning within reach computes none.
    std::uint64_t computations() const { return m_all.computations(); }

private:
    ArrowChoice m_choice;
    SelectedLinks m_selected;
    AllLinks m_all;
};

} // namespace jetscope
