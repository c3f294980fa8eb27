// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/lastupdates.h"

#include <algorithm>
#include <iterator>

namespace jetscope {

void LastUpdates::add(TraceUpdate update, std::int64_t nowNs)
{
    m_head.add(update);
    // The head keeps what later updates refer to, and nobody asks for paths.
    update.names.clear();
    update.lanes.clear();
    update.counters.clear();
    update.facts.clear();
    update.path.clear();
    update.pathGains.clear();
    m_spans += update.spans.size();
    m_kept.push_back({nowNs, std::move(update)});
    while (m_kept.size() > 1 && (m_kept.front().ns < nowNs - m_keepNs || m_spans > m_mostSpans)) {
        m_spans -= m_kept.front().update.spans.size();
        if (const auto &numbers = m_kept.front().update.numbers; !numbers.empty())
            m_numberBefore = {numbers.back()};
        m_kept.pop_front();
    }
}

TraceUpdate LastUpdates::since(std::int64_t fromNs) const
{
    TraceUpdate all = m_head.asUpdate();
    const auto copyLater = [fromNs](const auto &from, auto &to, auto endOf) {
        std::copy_if(from.begin(), from.end(), std::back_inserter(to),
                     [&](const auto &value) { return endOf(value) >= fromNs; });
    };
    all.numbers = m_numberBefore;
    for (const auto &[ns, update] : m_kept) {
        copyLater(update.spans, all.spans, [](const Span &span) { return span.endNs(); });
        copyLater(update.samples, all.samples, [](const CounterSample &sample) { return sample.timeNs; });
        copyLater(update.marks, all.marks, [](const TraceMark &mark) { return mark.timeNs; });
        copyLater(update.figures, all.figures,
                  [](const FrameFigures &figures) { return figures.startNs + figures.overlap.periodNs; });
        all.numbers.insert(all.numbers.end(), update.numbers.begin(), update.numbers.end());
        all.spansLost += update.spansLost;
    }
    return all;
}

} // namespace jetscope
