// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/shownlinks.h"

namespace jetscope {

const std::vector<SpanLink> &ShownLinks::selected(const Trace &trace, const std::optional<SpanPlace> &span)
{
    return m_selected.of(trace, m_choice.kind == ArrowChoice::Kind::Off ? std::nullopt : span);
}

const TimeLinks &ShownLinks::all(const Trace &trace, Interval window)
{
    static const TimeLinks kNone;
    return m_choice.kind == ArrowChoice::Kind::All ? m_all.of(trace, window, m_choice.atLeastNs) : kNone;
}

QString ShownLinks::missing(const Trace &trace, Interval window)
{
    const TimeLinks &links = all(trace, window);
    if (!links.complete)
        return tr("zoom in for all arrows");
    if (links.found > links.links.size())
        return tr("the longest %1 of %2 arrows").arg(links.links.size()).arg(links.found);
    return {};
}

} // namespace jetscope
